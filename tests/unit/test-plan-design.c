/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Designs: which cells, how many blocks, what is not claimed. */
#include "plan-util.h"
#include "plan/design-make.h"

static void
cache_modes(void **state)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Matrix) matrix =
        matrix_load(VS_SOURCE_DIR "/matrices/cache-modes.yaml", false, &err);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_int_equal(design->kind, DESIGN_FULL);
    assert_names(design, CELL_PLANNED,
                 "raw/none raw/writethrough raw/writeback raw/directsync "
                 "raw/unsafe qcow2/none qcow2/writethrough qcow2/writeback "
                 "qcow2/directsync qcow2/unsafe aa host");
    assert_int_equal(design->comparisons, 5);
    assert_int_equal(design->blocks_min, 10);
    assert_int_equal(design->blocks_max, 10);
    assert_true(design_cell(design, "raw/none")->baseline);
    assert_false(design_cell(design, "aa")->baseline);
    assert_int_equal(design_cell(design, "aa")->kind, CELL_AA);
    assert_int_equal(design_cell(design, "host")->kind, CELL_HOST);
    assert_null(design_cell(design, "host")->levels);
    assert_null(design_cell(design, "raw/lightning"));
}

static void
cache_modes_quick(void **state)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Matrix) matrix =
        matrix_load(VS_SOURCE_DIR "/matrices/cache-modes.yaml", true, &err);
    g_autoptr(Design) design = plan_design(matrix);
    g_autoptr(GPtrArray) limits = design_limits(design);

    (void) state;
    assert_int_equal(design->kind, DESIGN_OFAT);
    assert_names(design, CELL_PLANNED,
                 "raw/none qcow2/none raw/writethrough raw/writeback "
                 "raw/directsync raw/unsafe aa host");
    assert_int_equal(design->blocks_min, 3);
    assert_int_equal(design->blocks_max, 3);
    assert_string_equal(limits->pdata[0], "Interactions were not tested by "
                                          "this design (ofat).");
    assert_string_equal(limits->pdata[limits->len - 1],
                        "3 blocks: p-values by t test on logs (the exact test "
                        "needs 8 for 5 comparisons).");
}

/* The rungs on the host, and a tuned cell that the design has not of itself:
 * --quick makes it ofat. */
static void
ladder(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "host: ladder\n"
        "best: {disk.cache: writeback, disk.format: raw}\n"
        "baseline: {disk.format: qcow2}\n"
        "matrix:\n"
        "  disk.cache: [none, writeback]\n"
        "  disk.format: [raw, qcow2]\n"
        "exclude: [{disk.cache: writeback, disk.format: raw}]\n" WORKLOADS,
        true);
    g_autoptr(Design) design = plan_design(matrix);
    const Cell *matched = design_cell(design, "host-matched");

    (void) state;
    assert_int_equal(matrix->host, HOST_LADDER);
    assert_names(design, CELL_PLANNED,
                 "none/qcow2 writeback/qcow2 none/raw writeback/raw aa host "
                 "host-matched");
    assert_ptr_equal(design_baseline(design),
                     design_cell(design, "none/qcow2"));
    assert_ptr_equal(design_best(design), design_cell(design, "writeback/raw"));
    assert_int_equal(matched->kind, CELL_HOST_MATCHED);
    assert_string_equal(cell_kind_name(matched->kind), "host-matched");
    assert_null(matched->levels);
    assert_false(cell_is_guest(matched));
    assert_false(cell_is_guest(design_cell(design, "host")));
    assert_true(cell_is_guest(design_cell(design, "aa")));
}

/* The example of METHOD 3.4: 5 cache modes, 3 ways of I/O, 2 formats. */
#define E15                                                               \
    "matrix:\n"                                                           \
    "  disk.cache: [none, writethrough, writeback, directsync, unsafe]\n" \
    "  disk.io: [threads, native, io_uring]\n"                            \
    "  disk.format: [raw, qcow2]\n" WORKLOADS

static bool
has_limit(const Design *design, const char *sentence)
{
    g_autoptr(GPtrArray) limits = design_limits(design);

    return g_ptr_array_find_with_equal_func(limits, sentence, g_str_equal,
                                            NULL);
}

/* tests/data/oracles/e15_expected.json. */
static void
method_example(void **state)
{
    g_autoptr(Matrix) full_matrix = plan_matrix("design: full\n" E15, false);
    g_autoptr(Matrix) ofat_matrix = plan_matrix("design: ofat\n" E15, false);
    g_autoptr(Design) full = plan_design(full_matrix);
    g_autoptr(Design) ofat = plan_design(ofat_matrix);
    g_autoptr(GArray) reasons = design_reasons(full);
    const DesignReason *reason = &g_array_index(reasons, DesignReason, 0);

    (void) state;
    assert_int_equal(plan_count(full, CELL_CELL, CELL_PLANNED), 24);
    assert_int_equal(plan_count(full, CELL_CELL, CELL_EXCLUDED), 6);
    assert_int_equal(reasons->len, 1);
    assert_int_equal(reason->cells, 6);
    assert_non_null(strstr(reason->why, "QEMU refuses aio=native"));
    assert_int_equal(ofat->kind, DESIGN_OFAT);
    assert_int_equal(plan_count(ofat, CELL_CELL, CELL_PLANNED), 8);
    assert_int_equal(ofat->comparisons, 7);
    assert_int_equal(design_blocks_bound(7), 9);
    assert_int_equal(ofat->blocks_min, 11);
}

/* The contexts of that example, as factor, level, used, total. */
static void
method_contexts(void **state)
{
    static const guint expected[][4] = {{1, 1, 4, 10},
                                        {1, 2, 10, 10},
                                        {0, 2, 4, 6},
                                        {0, 3, 6, 6},
                                        {2, 1, 12, 15}};
    g_autoptr(Matrix) matrix = plan_matrix("design: full\n" E15, false);
    g_autoptr(Design) design = plan_design(matrix);
    g_autoptr(GArray) all = design_contexts(design);
    guint found = 0;

    (void) state;
    for (guint i = 0; i < all->len; i++) {
        const LevelContexts *got = &g_array_index(all, LevelContexts, i);

        for (gsize j = 0; j < G_N_ELEMENTS(expected); j++) {
            const guint *want = expected[j];

            if (got->factor != want[0] || got->level != want[1])
                continue;
            assert_int_equal(got->used, want[2]);
            assert_int_equal(got->total, want[3]);
            found++;
        }
    }
    assert_int_equal(found, G_N_ELEMENTS(expected));
    assert_true(has_limit(design, "disk.io=native is compared in 4 of 10 "
                                  "combinations of the other settings."));
    assert_true(has_limit(design, "disk.format=qcow2 is compared in 12 of 15 "
                                  "combinations of the other settings."));
}

/* full:f,g: the product of those two, the third at its baseline, which need
 * not be its first level; rules may name all three. */
static void
crossed(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "design: 'full:disk.format, disk.io'\n"
        "baseline: {disk.cache: writeback}\n"
        "exclude: [{disk.format: qcow2, disk.io: io_uring, why: dull},\n"
        "          {disk.cache: unsafe, disk.io: threads}]\n"
        "include: [{disk.cache: none, disk.io: native, label: direct}]\n" E15,
        false);
    g_autoptr(Design) design = plan_design(matrix);
    const Setting *cache = setting_find("disk.cache");

    (void) state;
    assert_int_equal(design->kind, DESIGN_FULL);
    assert_names(design, CELL_PLANNED,
                 "threads/raw threads/qcow2 io_uring/raw direct aa host");
    assert_names(design, CELL_EXCLUDED,
                 "native/raw native/qcow2 io_uring/qcow2");
    assert_string_equal(design_level(design, design_cell(design, "aa"), cache),
                        "writeback");
    assert_string_equal(
        design_level(design, design_cell(design, "direct"), cache), "none");
    assert_int_equal(design->comparisons, 2);
    assert_true(has_limit(
        design, "Settings that the design does not cross stayed at their "
                "baseline, and nothing is said about their other levels: "
                "disk.cache=writeback."));
    assert_true(has_limit(design, "disk.format=qcow2 is compared in 1 of 3 "
                                  "combinations of the other settings."));
}

/* --quick makes ofat of it, over the same settings. */
static void
crossed_quick(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix("design: full:disk.cache\n" E15, true);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_int_equal(design->kind, DESIGN_OFAT);
    assert_names(design, CELL_PLANNED,
                 "none writethrough writeback directsync unsafe aa host");
}

static void
default_design(void **state)
{
    /* 12 cells are left of 15. */
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix:\n"
        "  disk.cache: [none, writethrough, writeback, directsync, unsafe]\n"
        "  disk.io: [threads, native, io_uring]\n" WORKLOADS,
        false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_int_equal(design->kind, DESIGN_FULL);
    assert_int_equal(plan_count(design, CELL_CELL, CELL_PLANNED), 12);
    assert_names(design, CELL_EXCLUDED,
                 "writethrough/native writeback/native unsafe/native");
    assert_string_equal(
        design_cell(design, "unsafe/native")->why,
        "disk.io native needs disk.cache none or directsync: QEMU refuses "
        "aio=native without O_DIRECT (cache.direct=on)");
}

static void
exclusions(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix("matrix:\n"
                    "  disk.format: [raw, qcow2]\n"
                    "  disk.prealloc: [full, metadata]\n"
                    "  disk.cache: [none, unsafe]\n"
                    "exclude:\n"
                    "  - {disk.format: qcow2, disk.cache: unsafe, why: dull}\n"
                    "  - {disk.prealloc: metadata, disk.cache: unsafe}\n"
                    "host: none\n" WORKLOADS,
                    false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_names(design, CELL_PLANNED,
                 "raw/full/none raw/full/unsafe qcow2/full/none "
                 "qcow2/metadata/none aa");
    assert_string_equal(design_cell(design, "qcow2/full/unsafe")->why, "dull");
    assert_string_equal(design_cell(design, "raw/metadata/none")->why,
                        "disk.prealloc metadata needs disk.format qcow2: a "
                        "raw image has no metadata to allocate");
    assert_true(has_limit(design,
                          "The host itself was not measured (host: none): "
                          "nothing is said about the cost of "
                          "virtualization."));
}

static void
includes(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix:\n"
        "  disk.format: [raw, qcow2]\n"
        "  disk.cache: [none, unsafe]\n"
        "exclude: [{disk.cache: unsafe, why: known}]\n"
        "include:\n"
        "  - {disk.format: qcow2, disk.prealloc: off, label: thin}\n"
        "  - {disk.format: qcow2, disk.prealloc: falloc}\n"
        "  - {disk.format: qcow2, label: cow}\n"
        "  - {disk.cache: unsafe}\n"
        "  - {disk.io: native, disk.cache: unsafe}\n" WORKLOADS,
        false);
    g_autoptr(Design) design = plan_design(matrix);
    const Cell *thin = design_cell(design, "thin");

    (void) state;
    assert_names(design, CELL_PLANNED,
                 "raw/none raw/unsafe cow thin "
                 "qcow2/none+disk.prealloc=falloc aa host");
    assert_names(design, CELL_EXCLUDED,
                 "qcow2/unsafe raw/unsafe+disk.io=native");
    assert_string_equal(
        design_level(design, thin, setting_find("disk.prealloc")), "off");
    assert_string_equal(design_level(design, thin, setting_find("disk.format")),
                        "qcow2");
    /* unsafe and qcow2 against the baseline, thin and falloc against cow. */
    assert_int_equal(design->comparisons, 4);
}

static void
list(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "design: list\n"
        "matrix:\n"
        "  disk.format: [raw, qcow2]\n"
        "  disk.cache: [none, writeback, unsafe]\n"
        "include:\n"
        "  - {disk.cache: writeback}\n"
        "  - {disk.format: qcow2, disk.cache: unsafe, label: loose}\n"
        "  - {disk.format: raw, label: plain}\n" WORKLOADS,
        true);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    /* --quick keeps a list: its cells are named one by one. */
    assert_int_equal(design->kind, DESIGN_LIST);
    assert_names(design, CELL_PLANNED, "plain raw/writeback loose aa host");
    assert_true(design_cell(design, "plain")->baseline);
    assert_int_equal(design->comparisons, 1);
    assert_true(has_limit(design, "disk.cache=unsafe cannot be compared with "
                                  "disk.cache=none: no two planned cells "
                                  "differ in it alone."));
}

static void
levels(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix("guest: {memory: 512M, cmdline: 'a b'}\n"
                    "matrix:\n"
                    "  disk.cache: [none, unsafe]\n"
                    "  disk.format: qcow2\n" WORKLOADS,
                    false);
    g_autoptr(Design) design = plan_design(matrix);
    static const struct {
        const char *cell, *setting, *level;
    } cases[] = {
        {"unsafe", "disk.cache", "unsafe"},
        {"aa", "disk.cache", "none"},
        {"unsafe", "disk.format", "qcow2"},
        {"unsafe", "memory", "512M"},
        {"aa", "guest.cmdline", "a b"},
        {"none", "disk.io", "threads"},
        {"none", "vcpus", "1"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_string_equal(design_level(design,
                                         design_cell(design, cases[i].cell),
                                         setting_find(cases[i].setting)),
                            cases[i].level);
    assert_null(design_level(design, design_cell(design, "host"),
                             setting_find("memory")));
}

static void
blocks(void **state)
{
    /* METHOD 3.4, and 0.13 for the two blocks beyond the bound. */
    static const guint bounds[][2] = {{0, 6},   {1, 6},   {2, 7},
                                      {4, 8},   {6, 8},   {10, 9},
                                      {20, 10}, {40, 11}, {100, 12}};
    static const struct {
        const char *given;
        guint min, max;
    } cases[] = {
        {"", 8, 8},
        {"blocks: {min: 4}\n", 4, 4},
        {"blocks: {max: 16}\n", 8, 16},
        {"blocks: {max: 3}\n", 3, 3},
        {"blocks: {min: 6, max: 20}\n", 6, 20},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(bounds); i++)
        assert_int_equal(design_blocks_bound(bounds[i][0]), bounds[i][1]);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "matrix: {disk.cache: [none, unsafe]}\n" WORKLOADS "%s",
            cases[i].given);
        g_autoptr(Matrix) matrix = plan_matrix(text, false);
        g_autoptr(Design) design = plan_design(matrix);

        assert_int_equal(design->blocks_min, cases[i].min);
        assert_int_equal(design->blocks_max, cases[i].max);
    }
}

static void
names(void **state)
{
    (void) state;
    assert_string_equal(design_kind_name(DESIGN_OFAT), "ofat");
    assert_string_equal(design_kind_name(DESIGN_FULL), "full");
    assert_string_equal(design_kind_name(DESIGN_LIST), "list");
    assert_string_equal(design_kind_name(DESIGN_STAR_PAIRS), "star+pairs");
    assert_string_equal(design_kind_name(DESIGN_PAIRWISE), "pairwise");
    assert_string_equal(cell_kind_name(CELL_AA), "aa");
    assert_string_equal(cell_state_name(CELL_UNSUPPORTED), "unsupported");
}

/* METHOD 0.14: words for what is gone say what they mean today. */
static void
schedulers(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix: {guest.scheduler: [none, deadline, cfq]}\n" WORKLOADS, false);
    g_autoptr(Matrix) plain = plan_matrix(
        "matrix: {guest.scheduler: [none, mq-deadline]}\n" WORKLOADS, false);
    g_autoptr(Design) design = plan_design(matrix);
    g_autoptr(Design) other = plan_design(plain);
    const char *deadline = "guest.scheduler=deadline means mq-deadline: "
                           "virtio-blk has had no other since Linux 3.13.";

    (void) state;
    assert_true(has_limit(design, deadline));
    assert_true(has_limit(design, "guest.scheduler=cfq means bfq: cfq left "
                                  "Linux in 5.0, and virtio-blk never had "
                                  "it."));
    assert_false(has_limit(other, deadline));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_modes),
        cmocka_unit_test(ladder),
        cmocka_unit_test(cache_modes_quick),
        cmocka_unit_test(method_example),
        cmocka_unit_test(method_contexts),
        cmocka_unit_test(crossed),
        cmocka_unit_test(crossed_quick),
        cmocka_unit_test(default_design),
        cmocka_unit_test(exclusions),
        cmocka_unit_test(includes),
        cmocka_unit_test(list),
        cmocka_unit_test(levels),
        cmocka_unit_test(blocks),
        cmocka_unit_test(names),
        cmocka_unit_test(schedulers),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
