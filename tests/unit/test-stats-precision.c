/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much measuring is enough: the worked example E3 of the method, and the
 * columns "resolved" and "blocks needed" of E1.
 */
#include "stats-e1.h"

#include "stats/precision.h"

#define ALPHA 0.05
#define HALF precision_half_band(0.02)

/* ------------------------------------------------------------------- E3 */

#define BOOTS 5
#define ITERATIONS 4
#define ITERATION_COST 20 /* s */
#define BOOT_COST 90      /* s */

static void
test_e3_levels(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) rows = oracle_csv("e3_levels.csv");
    json_t *root = oracle_json("e3_expected.json");
    double x[BOOTS * ITERATIONS];
    assert_int_equal(rows->len, BOOTS * ITERATIONS);
    for (guint i = 0; i < rows->len; i++)
        x[i] = g_ascii_strtod(((char **) g_ptr_array_index(rows, i))[2], NULL);
    Levels got = precision_levels(x, BOOTS, ITERATIONS);
    check_near(got.mean, json_double(root, "mean"), ORACLE_TOLERANCE, "mean");
    check_near(got.within, json_double(root, "T1sq"), ORACLE_TOLERANCE, "T1");
    check_near(got.of_boot, json_double(root, "S2sq"), ORACLE_TOLERANCE, "S2");
    check_near(got.between, json_double(root, "T2sq"), ORACLE_TOLERANCE, "T2");
    assert_int_equal(precision_iterations(got.within, got.between,
                                          ITERATION_COST, BOOT_COST),
                     json_integer_value(json_member(root, "r1")));
    json_decref(root);
}

static void
test_e3_iterations(void **state)
{
    (void) state;
    json_t *root = oracle_json("e3_expected.json");
    const json_t *second = json_member(root, "second_case");
    assert_int_equal(precision_iterations(json_double(second, "T1sq"),
                                          json_double(second, "T2sq"),
                                          json_double(second, "c1"),
                                          json_double(second, "c2")),
                     json_integer_value(json_member(second, "r1")));
    json_decref(root);
    assert_int_equal(precision_iterations(1, 0, 20, 90),
                     PRECISION_MAX_ITERATIONS);
    assert_int_equal(precision_iterations(1, 1e-30, 20, 90),
                     PRECISION_MAX_ITERATIONS);
    assert_int_equal(precision_iterations(0, 1, 20, 90), 1);
    assert_int_equal(precision_iterations(NAN, NAN, 20, 90), 1);
}

/* Boots that scatter less than their iterations let them: no variance of
 * boots, and never a negative one. */
static void
test_levels_without_boots(void **state)
{
    (void) state;
    const double x[] = {1, 3, 3, 1};
    Levels got = precision_levels(x, 2, 2);
    assert_true(got.within == 2 && got.of_boot == 0 && got.between == 0);
    assert_true(isnan(precision_levels(x, 1, 4).within));
    assert_true(isnan(precision_levels(x, 4, 1).between));
}

static void
test_e3_blocks(void **state)
{
    (void) state;
    static const struct {
        const char *member;
        double sd, h;
        guint comparisons;
    } cases[] = {
        {"s025_h010_m1", .025, .010, 1},
        {"s012_h010_m4", .012, .010, 4},
        {"s012_h010_m20", .012, .010, 20},
        {"s005_h010_m100", .005, .010, 100},
    };
    json_t *root = oracle_json("e3_expected.json");
    const json_t *needed = json_member(root, "blocks_needed");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_int_equal(
            precision_blocks(cases[i].sd, cases[i].h, cases[i].comparisons,
                             ALPHA),
            json_integer_value(json_member(needed, cases[i].member)));
    const char *comparisons;
    json_t *least;
    json_object_foreach(json_member(root, "min_blocks_holm"), comparisons,
                        least)
    {
        guint m = (guint) g_ascii_strtoull(comparisons, NULL, 10);
        assert_int_equal(precision_min_blocks(m, ALPHA),
                         json_integer_value(least));
    }
    json_decref(root);
    assert_int_equal(precision_min_blocks(0, ALPHA),
                     precision_min_blocks(1, ALPHA));
    /* The other way round; the bound of one comparison is 6. */
    for (guint blocks = 6; blocks < 40; blocks++)
        assert_int_equal(
            precision_blocks(0.02,
                             precision_half_width(0.02, blocks, ALPHA) + 1e-9,
                             1, ALPHA),
            blocks);
    assert_true(isinf(precision_half_width(0.02, 0, ALPHA)));
    assert_int_equal(precision_blocks(0.02, 0, 1, ALPHA), G_MAXUINT);
    assert_int_equal(precision_blocks(NAN, 0.01, 1, ALPHA), G_MAXUINT);
    assert_int_equal(precision_blocks(1, 1e-9, 1, ALPHA), G_MAXUINT);
    assert_int_equal(precision_blocks(0, 0.01, 1, ALPHA),
                     precision_min_blocks(1, ALPHA));
}

/* ------------------------------------------------------------------- E1 */

static Estimate
e1_estimate(const Blocks *blocks, guint cell, guint n, double *d)
{
    e1_differences(blocks, cell, d);
    return contrast_infer(d, n, cell <= E1_LEVELS ? E1_LEVELS : 1, ALPHA);
}

static void
test_e1(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = e1_load();
    json_t *root = oracle_json("e1_expected.json");
    guint open = 0;
    for (guint cell = 1; cell < E1_CELLS; cell++) {
        const json_t *want =
            json_member(json_member(root, "contrasts"), e1_cells[cell]);
        double d[E1_BLOCKS];
        Estimate got = e1_estimate(blocks, cell, E1_BLOCKS, d);
        guint family = cell <= E1_LEVELS ? E1_LEVELS : 1;
        gboolean resolved = precision_resolved(&got, HALF);
        check_near(precision_sd(d, E1_BLOCKS), json_double(want, "sd"),
                   ORACLE_TOLERANCE, e1_cells[cell]);
        assert_int_equal(resolved, json_is_true(json_member(want, "resolved")));
        assert_int_equal(
            precision_blocks_needed(d, &got, HALF, family, ALPHA),
            json_integer_value(json_member(want, "blocks_needed")));
        open += cell <= E1_LEVELS && !resolved;
    }
    json_decref(root);
    /* METHOD 14.9: threads, directsync and io_uring. */
    assert_int_equal(open, 3);
}

static void
test_e1_look_at_6(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = e1_load();
    json_t *root = oracle_json("e1_expected.json");
    const json_t *look = json_member(root, "look_at_6_blocks");
    for (guint cell = 1; cell < E1_CELLS; cell++) {
        const json_t *want = json_member(look, e1_cells[cell]);
        double d[E1_BLOCKS];
        Estimate got = e1_estimate(blocks, cell, 6, d);
        assert_int_equal(precision_resolved(&got, HALF),
                         json_is_true(json_member(want, "resolved")));
    }
    json_decref(root);
}

/* Two blocks have no interval: not resolved, and no claim about how many it
 * takes where there is no scatter. */
static void
test_no_interval(void **state)
{
    (void) state;
    const double d[] = {0.1, 0.2};
    Estimate two = contrast_infer(d, 2, 1, ALPHA);
    Estimate one = contrast_infer(d, 1, 1, ALPHA);
    Estimate none = contrast_infer(d, 0, 1, ALPHA);
    assert_false(precision_resolved(&two, HALF));
    assert_false(precision_resolved(&none, HALF));
    assert_true(precision_blocks_needed(d, &two, HALF, 1, ALPHA) < 1000);
    assert_int_equal(precision_blocks_needed(d, &one, HALF, 1, ALPHA),
                     G_MAXUINT);
    assert_int_equal(precision_blocks_needed(d, &none, HALF, 1, ALPHA),
                     G_MAXUINT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e3_levels),
        cmocka_unit_test(test_e3_iterations),
        cmocka_unit_test(test_levels_without_boots),
        cmocka_unit_test(test_e3_blocks),
        cmocka_unit_test(test_e1),
        cmocka_unit_test(test_e1_look_at_6),
        cmocka_unit_test(test_no_interval),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
