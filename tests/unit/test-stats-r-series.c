/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two groups, trends and the tables of the rank distributions against R:
 * wilcox.test() of two samples, cor.test(method = "kendall"), psignrank(),
 * qsignrank(), pwilcox().
 */
#include "stats-r.h"

#include "stats/drift.h"
#include "stats/signedrank.h"
#include "stats/unblocked.h"

static void
check_groups(const json_t *set)
{
    guint m = 0, n = 0;
    g_autofree double *x = json_doubles(json_member(set, "x"), &m);
    g_autofree double *y = json_doubles(json_member(set, "y"), &n);
    const json_t *levels = json_member(set, "levels");
    for (size_t i = 0; i < json_array_size(levels); i++) {
        const json_t *want = json_array_get(levels, i);
        Shift got = unblocked_shift(x, m, y, n, json_double(want, "alpha"));
        assert_true(got.exact);
        check_r(got.u, json_double(want, "u"), "U");
        check_near(got.p, json_double(want, "p"), ORACLE_TOLERANCE, "p");
        check_r(got.est, json_double(want, "est"), "est");
        check_r(got.lo, json_double(want, "lo"), "lo");
        check_r(got.hi, json_double(want, "hi"), "hi");
        check_near(got.confidence, json_double(want, "conf"), ORACLE_TOLERANCE,
                   "confidence");
    }
}

static void
test_groups(void **state)
{
    (void) state;
    for_each_r("r/groups.json", check_groups);
}

static void
check_trend(const json_t *set)
{
    guint n = 0;
    g_autofree double *x = json_doubles(json_member(set, "x"), &n);
    g_autofree double *y = json_doubles(json_member(set, "y"), &n);
    const json_t *want = json_member(set, "pettitt");
    Kendall kendall = drift_kendall(y, n);
    Pettitt pettitt = drift_pettitt(y, n);
    check_r(kendall.z, json_double(set, "z"), "Kendall z");
    check_near(kendall.p, json_double(set, "p"), ORACLE_TOLERANCE, "Kendall p");
    check_r(drift_theil_sen(x, y, n), json_double(set, "theil_sen"),
            "Theil-Sen");
    check_r((double) pettitt.u, json_double(want, "u"), "Pettitt U");
    check_r(pettitt.at, json_double(want, "at"), "Pettitt t");
    check_near(pettitt.p, json_double(want, "p"), ORACLE_TOLERANCE,
               "Pettitt p");
    check_r(drift_shift(y, n, pettitt.at), json_double(want, "shift"), "shift");
}

static void
test_trends(void **state)
{
    (void) state;
    for_each_r("r/trends.json", check_trend);
}

static void
test_signrank_table(void **state)
{
    (void) state;
    json_t *root = oracle_json("r/tables.json");
    const json_t *alphas = json_member(root, "alphas");
    const json_t *rows = json_member(root, "signrank");
    assert_true(json_array_size(rows) > 0);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        guint n = (guint) json_double(row, "n"), count = 0;
        g_autofree double *q = json_doubles(json_member(row, "q"), &count);
        for (guint j = 0; j < count; j++)
            check_near(signedrank_cdf((int) q[j], n),
                       json_at(json_member(row, "p"), j), ORACLE_TOLERANCE,
                       "psignrank");
        for (size_t j = 0; j < json_array_size(alphas); j++)
            check_r(signedrank_k(n, json_at(alphas, j)),
                    json_at(json_member(row, "k"), j), "qsignrank");
    }
    json_decref(root);
}

static void
test_ranksum_table(void **state)
{
    (void) state;
    json_t *root = oracle_json("r/tables.json");
    const json_t *rows = json_member(root, "ranksum");
    assert_true(json_array_size(rows) > 0);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        guint m = (guint) json_double(row, "m"), count = 0;
        guint n = (guint) json_double(row, "n");
        g_autofree double *q = json_doubles(json_member(row, "q"), &count);
        for (guint j = 0; j < count; j++)
            check_near(unblocked_cdf((int) q[j], m, n),
                       json_at(json_member(row, "p"), j), ORACLE_TOLERANCE,
                       "pwilcox");
    }
    json_decref(root);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_trends),
        cmocka_unit_test(test_signrank_table),
        cmocka_unit_test(test_ranksum_table),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
