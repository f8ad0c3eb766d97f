/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Designs that are too large to be made: counted like those that are made,
 * refused with what fits, and nothing expanded on the way.
 */
#include "base/random.h"
#include "plan-util.h"

/* Six settings: 7,500 combinations, 1,500 of them native without O_DIRECT, and
 * of the others those of unsafe and qcow2. */
#define LARGE                                                             \
    "matrix:\n"                                                           \
    "  disk.cache: [none, writethrough, writeback, directsync, unsafe]\n" \
    "  disk.io: [threads, native, io_uring]\n"                            \
    "  disk.format: [raw, qcow2]\n"                                       \
    "  vcpus: [1, 2, 3, 4, 5]\n"                                          \
    "  memory: [128M, 256M, 384M, 512M, 640M]\n"                          \
    "  guest.cmdline: ['', a, b, c, d, e, f, g, h, i]\n"                  \
    "exclude: [{disk.cache: unsafe, disk.format: qcow2, why: known}]\n"
#define NATIVE                                                          \
    "disk.io native needs disk.cache none or directsync: QEMU refuses " \
    "aio=native without O_DIRECT (cache.direct=on)"

static void
counted(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix("design: full\n" LARGE WORKLOADS, false);
    g_autoptr(DesignCount) count = design_count(matrix);
    const DesignReason *native =
        &g_array_index(count->reasons, DesignReason, 0);
    const DesignReason *known = &g_array_index(count->reasons, DesignReason, 1);

    (void) state;
    assert_true(design_too_large(matrix));
    assert_true(count->exact);
    assert_int_equal(count->cells, 7500);
    assert_int_equal(count->reasons->len, 2);
    assert_string_equal(native->why, NATIVE);
    assert_int_equal(native->cells, 3 * 2 * 250);
    assert_string_equal(known->why, "known");
    /* Those of unsafe and native count as native. */
    assert_int_equal(known->cells, 2 * 250);
    assert_int_equal(count->excluded, 2000);
    assert_int_equal(count->comparisons, 4 + 2 + 1 + 4 + 4 + 9);
    assert_int_equal(count->blocks_min, design_blocks_bound(24) + 2);
}

static void
refused(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"design: full\n" LARGE,
         "test.yaml:1:9: the full design has 7500 cells, and a sweep takes "
         "1024 at most; choose design: ofat (25 cells), star+pairs with "
         "pairs: [[disk.cache, disk.io]] (30 cells), pairwise (50 cells), "
         "full:disk.cache,disk.io,disk.format (22 cells)"},
        {"pairs: [[vcpus, memory]]\ndesign: full:vcpus,disk.io\n"
         "matrix: {vcpus: [1, 2], memory: [1G, 2G], disk.io: [threads]}\n",
         NULL},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strconcat(cases[i].text, WORKLOADS, NULL);
        g_autoptr(GError) err = NULL;
        g_autoptr(Matrix) matrix = matrix_parse(text, PLAN_PATH, false, &err);
        g_autoptr(Design) design = matrix ? design_make(matrix, &err) : NULL;

        assert_null(design);
        assert_int_equal(vs_error_status(err), VS_ERROR_USAGE);
        if (cases[i].message)
            assert_string_equal(err->message, cases[i].message);
    }
}

/* "SETTING: [level, level ...]" with levels from a printf format. */
static void
append_levels(GString *text, const char *setting, const char *format, guint n)
{
    g_string_append_printf(text, "  %s: [", setting);
    for (guint i = 0; i < n; i++) {
        g_autofree char *number = g_strdup_printf("%u", i + 1);
        g_auto(GStrv) halves = g_strsplit(format, "#", 2);

        g_string_append_printf(text, "%s%s%s%s", i ? ", " : "", halves[0],
                               number, halves[1]);
    }
    g_string_append(text, "]\n");
}

/* The number of cells is more than 64 bits hold, or two settings have a
 * thousand levels each: what is wanted of it is made without the rest. */
static void
huge(void **state)
{
    static const struct {
        const char *design;
        guint cells;
    } cases[] = {
        {"ofat", 1 + 254 + 2 * 254 + 499},
        {"star+pairs\npairs: [[disk.io, disk.cache]]",
         1 + 254 + 2 * 254 + 499 + 1 + 1 + 1},
        {"full:disk.io,disk.cache", 4},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) text = g_string_new("matrix:\n");
        g_autoptr(Matrix) matrix = NULL;
        g_autoptr(Design) design = NULL;

        append_levels(text, "vcpus", "#", 255);
        append_levels(text, "memory", "#G", 255);
        append_levels(text, "guest.cmdline", "x=#", 500);
        g_string_append_printf(text,
                               "  disk.io: [threads, io_uring]\n"
                               "  disk.cache: [none, writeback]\n"
                               "design: %s\n" WORKLOADS,
                               cases[i].design);
        matrix = plan_matrix(text->str, false);
        design = plan_design(matrix);
        if (i == 2)
            assert_int_equal(plan_count(design, CELL_CELL, CELL_PLANNED), 4);
        else
            assert_true(plan_count(design, CELL_CELL, CELL_PLANNED) > 1000);
    }
}

/* A drawn matrix of settings that rules bind, with drawn rules. */
static char *
draw(Random *random)
{
    static const char *const levels[][4] = {
        {"disk.cache", "none", "writeback", "directsync"},
        {"disk.io", "threads", "native", "io_uring"},
        {"disk.format", "raw", "qcow2", NULL},
        {"disk.prealloc", "full", "metadata", "falloc"},
        {"vcpus", "1", "2", "3"},
    };
    GString *text = g_string_new("design: full\nmatrix:\n");

    for (gsize i = 0; i < G_N_ELEMENTS(levels); i++) {
        g_string_append_printf(text, "  %s: [%s, %s", levels[i][0],
                               levels[i][1], levels[i][2]);
        if (levels[i][3])
            g_string_append_printf(text, ", %s", levels[i][3]);
        g_string_append(text, "]\n");
    }
    g_string_append(text, WORKLOADS "exclude:\n");
    for (guint rule = 0; rule < 3; rule++) {
        gsize a = random_bounded(random, G_N_ELEMENTS(levels));
        gsize b = random_bounded(random, G_N_ELEMENTS(levels));

        g_string_append_printf(text, "  - {%s: %s", levels[a][0], levels[a][2]);
        if (a != b)
            g_string_append_printf(text, ", %s: %s", levels[b][0],
                                   levels[b][1 + random_bounded(random, 2)]);
        g_string_append_printf(text, ", why: rule %u}\n", rule);
    }
    return g_string_free(text, FALSE);
}

static guint64
cells_of(const GArray *reasons, const char *why)
{
    for (guint i = 0; i < reasons->len; i++) {
        const DesignReason *reason = &g_array_index(reasons, DesignReason, i);

        if (strcmp(reason->why, why) == 0)
            return reason->cells;
    }
    return 0;
}

/* Counting is the same as making and looking. */
static void
count_agrees(void **state)
{
    Random random = {0};
    guint tested = 0;

    (void) state;
    random_init(&random, 5);
    for (guint i = 0; i < 100; i++) {
        g_autofree char *text = draw(&random);
        g_autoptr(Matrix) matrix = matrix_parse(text, PLAN_PATH, false, NULL);
        g_autoptr(Design) design = NULL;
        g_autoptr(DesignCount) count = NULL;
        g_autoptr(GArray) reasons = NULL;

        if (!matrix) /* the baseline is excluded */
            continue;
        design = plan_design(matrix);
        count = design_count(matrix);
        reasons = design_reasons(design);
        assert_int_equal(count->cells, 162);
        assert_int_equal(count->excluded,
                         plan_count(design, CELL_CELL, CELL_EXCLUDED));
        assert_int_equal(count->comparisons, design->comparisons);
        assert_int_equal(count->blocks_min, design->blocks_min);
        for (guint j = 0; j < count->reasons->len; j++) {
            const DesignReason *reason =
                &g_array_index(count->reasons, DesignReason, j);

            assert_int_equal(reason->cells, cells_of(reasons, reason->why));
        }
        tested++;
    }
    assert_true(tested > 50);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted),
        cmocka_unit_test(refused),
        cmocka_unit_test(huge),
        cmocka_unit_test(count_agrees),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
