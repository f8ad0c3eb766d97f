/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Designs that are made of pairs of settings: star+pairs and pairwise. */
#include "plan-util.h"

/* METHOD 3.4. */
#define E15                                                               \
    "matrix:\n"                                                           \
    "  disk.cache: [none, writethrough, writeback, directsync, unsafe]\n" \
    "  disk.io: [threads, native, io_uring]\n"                            \
    "  disk.format: [raw, qcow2]\n" WORKLOADS

static bool
has_limit(const Design *design, const char *part)
{
    g_autoptr(GPtrArray) limits = design_limits(design);

    for (guint i = 0; i < limits->len; i++)
        if (strstr(limits->pdata[i], part))
            return true;
    return false;
}

static void
star_pairs(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "design: star+pairs\npairs: [[disk.io, disk.cache]]\n" E15, false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_int_equal(design->kind, DESIGN_STAR_PAIRS);
    assert_int_equal(plan_count(design, CELL_CELL, CELL_PLANNED), 13);
    assert_names(design, CELL_EXCLUDED,
                 "writethrough/native/raw writeback/native/raw "
                 "unsafe/native/raw");
    assert_int_equal(design->comparisons, 7);
    assert_non_null(design_cell(design, "unsafe/io_uring/raw"));
    assert_null(design_cell(design, "unsafe/threads/qcow2"));
    assert_true(has_limit(design, "the named pairs only (star+pairs): "
                                  "disk.cache with disk.io."));
}

/* Three settings: every pair, and that is the default beyond 12 cells. */
static void
every_pair(void **state)
{
    g_autoptr(Matrix) named = plan_matrix("design: star+pairs\n" E15, false);
    g_autoptr(Matrix) given_none = plan_matrix(E15, false);
    g_autoptr(Design) design = plan_design(named);
    g_autoptr(Design) by_default = plan_design(given_none);

    (void) state;
    /* 8 of ofat, 5 cache x io, 4 cache x format, 2 io x format. */
    assert_int_equal(plan_count(design, CELL_CELL, CELL_PLANNED), 19);
    assert_false(has_limit(design, "the named pairs only"));
    assert_true(has_limit(design, "Interactions of three settings"));
    assert_int_equal(by_default->kind, DESIGN_STAR_PAIRS);
    assert_int_equal(plan_count(by_default, CELL_CELL, CELL_PLANNED), 19);
}

static void
default_design(void **state)
{
    static const struct {
        const char *text;
        bool quick;
        DesignKind kind;
    } cases[] = {
        /* Pairs that are named decide, except under --quick. */
        {"pairs: [[disk.bus, vcpus]]\n"
         "matrix: {disk.bus: [virtio, scsi], vcpus: [1, 2]}\n",
         false, DESIGN_STAR_PAIRS},
        {"pairs: [[disk.bus, vcpus]]\n"
         "matrix: {disk.bus: [virtio, scsi], vcpus: [1, 2]}\n",
         true, DESIGN_OFAT},
        {"matrix: {disk.bus: [virtio, scsi], vcpus: [1, 2]}\n", false,
         DESIGN_FULL},
        /* 16 cells of four settings. */
        {"matrix: {disk.bus: [virtio, scsi], vcpus: [1, 2],\n"
         "  disk.format: [raw, qcow2], memory: [256M, 512M]}\n",
         false, DESIGN_OFAT},
        {"design: pairwise\n"
         "matrix: {disk.bus: [virtio, scsi], vcpus: [1, 2]}\n",
         true, DESIGN_OFAT},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strconcat(cases[i].text, WORKLOADS, NULL);
        g_autoptr(Matrix) matrix = plan_matrix(text, cases[i].quick);
        g_autoptr(Design) design = plan_design(matrix);

        assert_int_equal(design->kind, cases[i].kind);
    }
}

/* --------------------------------------------------------------- pairwise */

static bool
meets(const Design *design, const Cell *like, guint a, guint b)
{
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (cell->kind == CELL_CELL && cell->state == CELL_PLANNED &&
            cell->levels[a] == like->levels[a] &&
            cell->levels[b] == like->levels[b])
            return true;
    }
    return false;
}

/* Every pair that is in a planned cell of `full` is in one of `design`. */
static void
assert_screens(const Design *design, const Design *full)
{
    guint n = full->matrix->factors->len;

    for (guint i = 0; i < full->cells->len; i++) {
        const Cell *cell = full->cells->pdata[i];

        if (cell->kind != CELL_CELL || cell->state != CELL_PLANNED)
            continue;
        for (guint a = 0; a < n; a++)
            for (guint b = a + 1; b < n; b++)
                assert_true(meets(design, cell, a, b));
    }
}

/* Rules of the matrix, of QEMU, over a setting that is held at a level, and
 * over one that is nowhere in the matrix. */
#define RULES                                             \
    "exclude:\n"                                          \
    "  - {disk.cache: unsafe, disk.format: qcow2}\n"      \
    "  - {disk.bus: scsi, disk.io: io_uring, vcpus: 2}\n" \
    "  - {disk.format: qcow2, disk.bus: sata, memory: 256M}\n"
#define RULED                                                 \
    "matrix:\n"                                               \
    "  disk.cache: [none, writethrough, writeback, unsafe]\n" \
    "  disk.io: [threads, native, io_uring]\n"                \
    "  disk.format: [raw, qcow2]\n"                           \
    "  disk.prealloc: [\"off\", metadata]\n"                  \
    "  disk.bus: [virtio, scsi, sata]\n"                      \
    "  vcpus: [1, 2]\n"                                       \
    "  memory: 256M\n" WORKLOADS RULES

static void
pairwise(void **state)
{
    static const char *const texts[] = {E15, RULED};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *text =
            g_strconcat("design: pairwise\n", texts[i], NULL);
        g_autofree char *whole = g_strconcat("design: full\n", texts[i], NULL);
        g_autoptr(Matrix) matrix = plan_matrix(text, false);
        g_autoptr(Matrix) full_matrix = plan_matrix(whole, false);
        g_autoptr(Design) design = plan_design(matrix);
        g_autoptr(Design) again = plan_design(matrix);
        g_autoptr(Design) full = plan_design(full_matrix);
        g_autofree char *names = plan_names(again, CELL_PLANNED);

        assert_int_equal(design->kind, DESIGN_PAIRWISE);
        assert_int_equal(plan_count(design, CELL_CELL, CELL_EXCLUDED), 0);
        assert_names(design, CELL_PLANNED, names);
        assert_screens(design, full);
        assert_true(plan_count(design, CELL_CELL, CELL_PLANNED) <
                    plan_count(full, CELL_CELL, CELL_PLANNED));
        assert_true(((Cell *) design->cells->pdata[0])->baseline);
        assert_non_null(design_cell(design, "aa"));
        assert_non_null(design_cell(design, "host"));
        assert_true(has_limit(design, "This is screening (pairwise)"));
    }
}

/* METHOD 3.4: at least 12 rows, the feasible pairs of cache and io. */
static void
pairwise_size(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix("design: pairwise\n" E15, false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_in_range(plan_count(design, CELL_CELL, CELL_PLANNED), 12, 14);
    /* Every level against the baseline's, by the report's fit: 4, 2 and 1. */
    assert_int_equal(design->comparisons, 7);
}

/* Far more combinations than can be expanded; none is. */
static void
pairwise_large(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "design: pairwise\n"
        "matrix:\n"
        "  disk.cache: [none, writethrough, writeback, directsync, unsafe]\n"
        "  disk.io: [threads, native, io_uring]\n"
        "  disk.format: [raw, qcow2]\n"
        "  disk.bus: [virtio, scsi, sata, ide, usb]\n"
        "  disk.prealloc: [\"off\", metadata, falloc, full]\n"
        "  guest.scheduler: [none, bfq, kyber]\n"
        "  memory: [256M, 512M, 1G]\n"
        "  vcpus: [1, 2, 3, 4]\n" WORKLOADS,
        false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_in_range(plan_count(design, CELL_CELL, CELL_PLANNED), 25, 35);
    assert_int_equal(plan_count(design, CELL_CELL, CELL_EXCLUDED), 0);
}

/* A level the rules leave in no cell is named; one setting has no pairs. */
static void
pairwise_edges(void **state)
{
    g_autoptr(Matrix) unused =
        plan_matrix("design: pairwise\n"
                    "matrix: {disk.bus: [virtio, scsi, sata], vcpus: [1, 2]}\n"
                    "exclude: [{disk.bus: sata}]\n" WORKLOADS,
                    false);
    g_autoptr(Matrix) single =
        plan_matrix("design: pairwise\n"
                    "matrix: {disk.bus: [virtio, scsi, sata]}\n" WORKLOADS,
                    false);
    g_autoptr(Design) design = plan_design(unused);
    g_autoptr(Design) one = plan_design(single);

    (void) state;
    assert_int_equal(plan_count(design, CELL_CELL, CELL_PLANNED), 4);
    assert_true(has_limit(design, "disk.bus=sata is in no cell"));
    assert_int_equal(plan_count(one, CELL_CELL, CELL_PLANNED), 3);
    assert_int_equal(one->comparisons, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(star_pairs),     cmocka_unit_test(every_pair),
        cmocka_unit_test(default_design), cmocka_unit_test(pairwise),
        cmocka_unit_test(pairwise_size),  cmocka_unit_test(pairwise_large),
        cmocka_unit_test(pairwise_edges),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
