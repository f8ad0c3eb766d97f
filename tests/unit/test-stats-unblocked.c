/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps without common blocks: the worked example E7 of the method, the
 * distribution of U, and its properties.
 */
#include "stats-util.h"

#include "stats/contrast.h"
#include "stats/unblocked.h"

#define ALPHA 0.05
#define E7_RUNS 9 /* in each sweep */

static void
e7_load(double *old, double *new)
{
    g_autoptr(GPtrArray) rows = oracle_csv("e7_unpaired.csv");
    guint n_old = 0, n_new = 0;
    assert_int_equal(rows->len, 2 * E7_RUNS);
    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        double y = contrast_log(g_ascii_strtod(row[1], NULL), FALSE);
        if (strcmp(row[0], "old") == 0)
            old[n_old++] = y;
        else
            new[n_new++] = y;
    }
    assert_int_equal(n_old, E7_RUNS);
}

static void
test_e7(void **state)
{
    (void) state;
    double old[2 * E7_RUNS], new[2 * E7_RUNS];
    e7_load(old, new);
    json_t *root = oracle_json("e7_expected.json");
    Shift got = unblocked_shift(new, E7_RUNS, old, E7_RUNS, ALPHA);
    check_near(got.u, json_double(root, "U"), ORACLE_TOLERANCE, "U");
    check_near(got.p, json_double(root, "p"), ORACLE_TOLERANCE, "p");
    check_near(got.confidence, json_double(root, "conf"), ORACLE_TOLERANCE,
               "confidence");
    assert_int_equal(got.k, json_integer_value(json_member(root, "k")));
    assert_true(got.exact);
    const double logs[] = {got.est, got.lo, got.hi};
    const char *const names[] = {"est", "lo", "hi"};
    for (guint i = 0; i < G_N_ELEMENTS(logs); i++) {
        check_near(logs[i], json_double(root, names[i]), ORACLE_TOLERANCE,
                   names[i]);
        check_near(
            exp(logs[i]),
            json_number_value(json_array_get(json_member(root, "ratio"), i)),
            ORACLE_TOLERANCE, names[i]);
    }
    json_decref(root);
}

/* Exchanged groups: the same answer with the other sign. */
static void
test_exchanged(void **state)
{
    (void) state;
    double old[2 * E7_RUNS], new[2 * E7_RUNS];
    e7_load(old, new);
    for (guint n = 1; n <= E7_RUNS; n++) {
        Shift a = unblocked_shift(new, E7_RUNS, old, n, ALPHA);
        Shift b = unblocked_shift(old, n, new, E7_RUNS, ALPHA);
        check_near(a.est, -b.est, ROUNDING, "est");
        check_near(a.lo, -b.hi, ROUNDING, "lo");
        check_near(a.hi, -b.lo, ROUNDING, "hi");
        check_near(a.p, b.p, 1e-9, "p");
        check_near(a.u + b.u, E7_RUNS * n, ROUNDING, "U");
    }
}

/* Every arrangement of m + n values, counted. */
static double
counted_cdf(int limit, guint m, guint n)
{
    guint hits = 0, all = 0;
    for (guint set = 0; set < 1u << (m + n); set++) {
        if (__builtin_popcount(set) != (int) m)
            continue;
        int u = 0;
        for (guint i = 0; i < m + n; i++)
            for (guint j = 0; j < i; j++)
                u += (set >> i & 1) && !(set >> j & 1);
        all++;
        hits += u <= limit;
    }
    return (double) hits / all;
}

static void
test_distribution(void **state)
{
    (void) state;
    const guint sizes[][2] = {{1, 1}, {3, 5}, {5, 3}, {6, 6}, {1, 9}};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        guint m = sizes[i][0], n = sizes[i][1];
        for (int u = -1; u <= (int) (m * n) + 1; u++)
            check_near(unblocked_cdf(u, m, n), counted_cdf(u, m, n), ROUNDING,
                       "P(U <= u)");
    }
}

/* Beyond the exact table the normal distribution goes on where it ended. */
static void
test_large(void **state)
{
    (void) state;
    enum { M = 20, N = UNBLOCKED_MAX_PAIRS / M };
    double exact = unblocked_cdf(M * N * 3 / 8, M, N);
    double normal = unblocked_cdf(M * (N + 1) * 3 / 8, M, N + 1);
    assert_true(fabs(exact - normal) < 1e-3);
    assert_true(exact > 0.02 && exact < 0.05);
    double x[N + 1], y[M];
    for (guint i = 0; i < N + 1; i++)
        x[i] = i;
    for (guint i = 0; i < M; i++)
        y[i] = -1;
    Shift got = unblocked_shift(x, N + 1, y, M, ALPHA);
    assert_false(got.exact);
    assert_true(got.lo < got.est && got.est < got.hi && got.k > 0);
    check_near(got.est, N / 2.0 + 1, ROUNDING, "est");
    assert_true(unblocked_shift(x, N, y, M, ALPHA).exact);
}

static void
test_small_and_tied(void **state)
{
    (void) state;
    const double x[] = {1, 1}, y[] = {1, 1};
    Shift got = unblocked_shift(x, 2, y, 2, ALPHA);
    assert_true(got.p == 1 && got.est == 0 && got.u == 2);
    assert_int_equal(got.k, 0);
    check_near(got.confidence, 1 - 2.0 / 6, ROUNDING, "true confidence");
    got = unblocked_shift(x, 1, y, 1, ALPHA);
    assert_true(got.confidence == 0 && got.p == 1);
    assert_true(isnan(unblocked_shift(x, 0, y, 2, ALPHA).est));
    assert_true(isnan(unblocked_shift(x, 2, y, 0, ALPHA).p));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e7),
        cmocka_unit_test(test_exchanged),
        cmocka_unit_test(test_distribution),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_small_and_tied),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
