/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares of the log-variance: the worked example E2 of the method, and designs
 * whose shares can be seen.
 */
#include "stats-util.h"

#include "stats/contrast.h"
#include "stats/shares.h"

enum { CACHE = 1, IOTHREAD = 2 };

static void
test_e2(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) rows = oracle_csv("e2_factorial.csv");
    double means[4] = {0}, shares[4];
    const guint levels[] = {2, 2};
    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        guint cell = (strcmp(row[1], "writeback") == 0 ? 2 : 0) +
                     (strcmp(row[2], "on") == 0 ? 1 : 0);
        means[cell] += contrast_log(g_ascii_strtod(row[3], NULL), FALSE) /
                       (rows->len / 4.0);
    }
    assert_true(shares_of_variance(means, levels, 2, shares));
    json_t *root = oracle_json("e2_expected.json");
    const json_t *want = json_member(root, "share_of_log_variance");
    check_near(shares[CACHE], json_double(want, "cache"), ORACLE_TOLERANCE,
               "cache");
    check_near(shares[IOTHREAD], json_double(want, "iothread"),
               ORACLE_TOLERANCE, "iothread");
    check_near(shares[CACHE | IOTHREAD], json_double(want, "interaction"),
               ORACLE_TOLERANCE, "interaction");
    assert_true(shares[0] == 0);
    json_decref(root);
}

/* Three settings of 2, 3 and 4 levels, each term built alone: it gets all of
 * the variance. */
static void
test_single_terms(void **state)
{
    (void) state;
    enum { N = 2 * 3 * 4, SETS = 8 };
    const guint levels[] = {2, 3, 4};
    /* Each sums to 0 over its levels, so that products are pure. */
    const double effect[3][4] = {{-1, 1}, {-1, 3, -2}, {5, -1, -3, -1}};
    for (guint set = 1; set < SETS; set++) {
        double means[N], shares[SETS];
        for (guint cell = 0; cell < N; cell++) {
            const guint level[] = {cell / 12, cell / 4 % 3, cell % 4};
            means[cell] = 1;
            for (guint s = 0; s < 3; s++)
                if (set >> s & 1)
                    means[cell] *= effect[s][level[s]];
            means[cell] += 7;
        }
        assert_true(shares_of_variance(means, levels, 3, shares));
        for (guint i = 0; i < SETS; i++)
            assert_true(fabs(shares[i] - (i == set)) < 1e-12);
    }
}

static void
test_nothing_to_share(void **state)
{
    (void) state;
    const guint levels[] = {2, 3};
    double means[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, shares[4] = {42};
    assert_false(shares_of_variance(means, levels, 2, shares));
    means[4] = NAN;
    assert_false(shares_of_variance(means, levels, 2, shares));
    assert_true(shares[0] == 42);
    assert_false(shares_of_variance(means, levels, 0, shares));
    means[4] = 0.2;
    double sum = 0;
    assert_true(shares_of_variance(means, levels, 2, shares));
    for (guint i = 0; i < G_N_ELEMENTS(shares); i++)
        sum += shares[i];
    check_near(sum, 1, ROUNDING, "sum of shares");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e2),
        cmocka_unit_test(test_single_terms),
        cmocka_unit_test(test_nothing_to_share),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
