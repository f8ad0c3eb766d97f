/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drift and steady state: the worked example E10 of the method, and the series
 * in which there is nothing to find.
 */
#include "stats-util.h"

#include "stats/drift.h"

#define E10_RUNS 16

static void
e10_load(double *time, double *y)
{
    g_autoptr(GPtrArray) rows = oracle_csv("e10_sentinel.csv");
    assert_int_equal(rows->len, E10_RUNS);
    for (guint i = 0; i < E10_RUNS; i++) {
        char **row = g_ptr_array_index(rows, i);
        time[i] = g_ascii_strtod(row[0], NULL);
        y[i] = contrast_log(g_ascii_strtod(row[1], NULL), FALSE);
    }
}

static void
test_e10(void **state)
{
    (void) state;
    double time[E10_RUNS], y[E10_RUNS];
    e10_load(time, y);
    json_t *root = oracle_json("e10_expected.json");
    const json_t *want = json_member(root, "pettitt");
    Pettitt pettitt = drift_pettitt(y, E10_RUNS);
    assert_int_equal(pettitt.u, json_integer_value(json_member(want, "U")));
    assert_int_equal(pettitt.at, json_integer_value(json_member(want, "t")));
    check_near(pettitt.p, json_double(want, "p"), ORACLE_TOLERANCE, "Pettitt");
    check_near(drift_shift(y, E10_RUNS, pettitt.at),
               json_double(root, "shift_log"), ORACLE_TOLERANCE, "shift");
    Kendall kendall = drift_kendall(y, E10_RUNS);
    assert_int_equal(kendall.s,
                     json_integer_value(json_member(root, "kendall_S")));
    check_near(kendall.z, json_double(root, "kendall_z"), ORACLE_TOLERANCE,
               "Kendall z");
    check_near(kendall.p, json_double(root, "kendall_p"), ORACLE_TOLERANCE,
               "Kendall p");
    check_near(drift_theil_sen(time, y, E10_RUNS),
               json_double(root, "theil_sen_per_step"), ORACLE_TOLERANCE,
               "Theil-Sen");
    json_decref(root);
}

static void
check_steady(const double *x, const char *member)
{
    json_t *root = oracle_json("e10_expected.json");
    const json_t *want = json_member(root, member);
    Steady got = drift_steady(x, DRIFT_STEADY_SAMPLES);
    check_near(got.mean, json_double(want, "mean"), ORACLE_TOLERANCE, member);
    check_near(got.excursion, json_double(want, "excursion"), ORACLE_TOLERANCE,
               member);
    check_near(got.slope_excursion, json_double(want, "slope_excursion"),
               ORACLE_TOLERANCE, member);
    assert_int_equal(got.steady, json_is_true(json_member(want, "steady")));
    json_decref(root);
}

static void
test_e10_steady(void **state)
{
    (void) state;
    const double flat[] = {399, 402, 397, 400, 398};
    const double ramp[] = {100, 140, 180, 220, 260};
    check_steady(flat, "steady_last5");
    check_steady(ramp, "steady_ramp");
}

/* Each limit by itself: a spike without a slope, a slope within the span. */
static void
test_steady_limits(void **state)
{
    (void) state;
    const double spike[] = {100, 100, 125, 100, 100};
    const double slope[] = {94, 97, 100, 103, 106};
    const double zero[] = {0, 0, 0, 0, 0};
    Steady got = drift_steady(spike, DRIFT_STEADY_SAMPLES);
    assert_true(got.slope_excursion < 1e-12 && !got.steady);
    got = drift_steady(slope, DRIFT_STEADY_SAMPLES);
    assert_true(got.excursion < 0.2 && !got.steady);
    assert_false(drift_steady(zero, DRIFT_STEADY_SAMPLES).steady);
    assert_false(drift_steady(zero, 0).steady);
    assert_true(drift_steady(spike, 1).steady);
}

/* Time backwards: the same change seen from the other end. */
static void
test_reversed(void **state)
{
    (void) state;
    double time[E10_RUNS], y[E10_RUNS], back[E10_RUNS];
    e10_load(time, y);
    for (guint i = 0; i < E10_RUNS; i++)
        back[i] = y[E10_RUNS - 1 - i];
    Pettitt a = drift_pettitt(y, E10_RUNS), b = drift_pettitt(back, E10_RUNS);
    assert_int_equal(b.u, -a.u);
    assert_int_equal(b.at, E10_RUNS - a.at);
    check_near(b.p, a.p, ROUNDING, "p");
    assert_int_equal(drift_kendall(back, E10_RUNS).s,
                     -drift_kendall(y, E10_RUNS).s);
    check_near(drift_theil_sen(time, back, E10_RUNS),
               -drift_theil_sen(time, y, E10_RUNS), 1e-9, "slope");
    check_near(drift_shift(back, E10_RUNS, b.at),
               -drift_shift(y, E10_RUNS, a.at), ROUNDING, "shift");
}

static void
test_nothing_to_find(void **state)
{
    (void) state;
    const double flat[] = {3, 3, 3, 3}, time[] = {1, 1, 1, 1};
    for (guint n = 0; n <= G_N_ELEMENTS(flat); n++) {
        Pettitt pettitt = drift_pettitt(flat, n);
        Kendall kendall = drift_kendall(flat, n);
        assert_int_equal(pettitt.at, 0);
        assert_true(pettitt.p == 1 && kendall.p == 1 && kendall.z == 0);
        assert_true(isnan(drift_shift(flat, n, 0)));
        assert_true(isnan(drift_shift(flat, n, n)));
        assert_true(isnan(drift_theil_sen(time, flat, n)));
    }
}

static void
test_center(void **state)
{
    (void) state;
    double y[] = {10, 100, 12, 103};
    const guint cell[] = {0, 2, 0, 2};
    const double want[] = {-1, -1.5, 1, 1.5};
    drift_center(y, cell, G_N_ELEMENTS(y));
    for (guint i = 0; i < G_N_ELEMENTS(y); i++)
        check_near(y[i], want[i], ROUNDING, "centred");
    drift_center(y, cell, 0);
}

/* Cell and block effects leave no residual; one deviation leaves its own
 * interaction; a missing value stays missing. */
static void
test_residuals(void **state)
{
    (void) state;
    enum { CELLS = 2, BLOCKS = 3 };
    g_autoptr(Blocks) blocks = blocks_new(CELLS, BLOCKS);
    double r[CELLS * BLOCKS];
    for (guint cell = 0; cell < CELLS; cell++)
        for (guint block = 0; block < BLOCKS; block++)
            blocks_set(blocks, cell, block, 5 + 2.0 * cell - 3.0 * block);
    drift_residuals(blocks, r);
    for (guint i = 0; i < CELLS * BLOCKS; i++)
        assert_true(fabs(r[i]) < 1e-12);
    blocks_set(blocks, 1, 2, blocks_get(blocks, 1, 2) + 6);
    drift_residuals(blocks, r);
    /* 6 * (1 - 1/3 - 1/2 + 1/6) */
    check_near(r[1 * BLOCKS + 2], 2, ROUNDING, "its own");
    check_near(r[0 * BLOCKS + 2], -2, ROUNDING, "the other cell");
    blocks_set(blocks, 0, 0, NAN);
    drift_residuals(blocks, r);
    assert_true(isnan(r[0]) && isfinite(r[1]) && isfinite(r[BLOCKS]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e10),
        cmocka_unit_test(test_e10_steady),
        cmocka_unit_test(test_steady_limits),
        cmocka_unit_test(test_reversed),
        cmocka_unit_test(test_nothing_to_find),
        cmocka_unit_test(test_center),
        cmocka_unit_test(test_residuals),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
