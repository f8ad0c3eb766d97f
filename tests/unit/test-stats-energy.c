/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Energy: the worked example E9 of the method, and what was not measured.
 */
#include "stats-util.h"

#include "stats/energy.h"

/* METHOD 12, E9, in microjoules, seconds, watts. */
#define BEFORE G_GUINT64_CONSTANT(262143000000)
#define AFTER G_GUINT64_CONSTANT(1000000000)
#define RANGE G_GUINT64_CONSTANT(262143328850)
#define SECONDS 10
#define IDLE 40
#define OPERATIONS 2e6

static void
test_e9(void **state)
{
    (void) state;
    json_t *root = oracle_json("e9_expected.json");
    guint64 delta = 0;
    assert_true(energy_delta(BEFORE, AFTER, RANGE, &delta));
    Energy got = energy_account(delta, SECONDS, IDLE, OPERATIONS);
    check_near(got.gross_j, json_double(root, "gross_J"), ORACLE_TOLERANCE,
               "gross");
    check_near(got.watts, json_double(root, "avg_W"), ORACLE_TOLERANCE, "W");
    check_near(got.net_j, json_double(root, "net_J"), ORACLE_TOLERANCE, "net");
    check_near(got.gross_uj_per_op, json_double(root, "gross_uJ_per_op"),
               ORACLE_TOLERANCE, "gross per operation");
    check_near(got.net_uj_per_op, json_double(root, "net_uJ_per_op"),
               ORACLE_TOLERANCE, "net per operation");
    const double cpu_seconds[] = {6, 3};
    double shares[2];
    energy_split(got.net_j, cpu_seconds, 2, shares);
    for (guint i = 0; i < 2; i++)
        check_near(shares[i],
                   json_number_value(
                       json_array_get(json_member(root, "split_6_3"), i)),
                   ORACLE_TOLERANCE, "share");
    json_decref(root);
}

static void
test_counter(void **state)
{
    (void) state;
    guint64 delta = 42;
    assert_true(energy_delta(5, 5, RANGE, &delta) && delta == 0);
    assert_true(energy_delta(5, 9, RANGE, &delta) && delta == 4);
    assert_true(energy_delta(RANGE, 0, RANGE, &delta) && delta == 0);
    delta = 42;
    assert_false(energy_delta(RANGE + 1, 0, RANGE, &delta));
    assert_false(energy_delta(0, RANGE + 1, RANGE, &delta));
    assert_true(delta == 42);
}

static void
test_not_measured(void **state)
{
    (void) state;
    Energy got = energy_account(1000000, 2, NAN, 0);
    assert_true(got.gross_j == 1 && got.watts == 0.5);
    assert_true(isnan(got.net_j) && isnan(got.net_uj_per_op));
    assert_true(isnan(got.gross_uj_per_op));
    assert_true(isnan(energy_account(1000000, 0, 40, 1).gross_j));
    const double idle[] = {0, 0};
    double shares[2];
    energy_split(10, idle, 2, shares);
    assert_true(isnan(shares[0]) && isnan(shares[1]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e9),
        cmocka_unit_test(test_counter),
        cmocka_unit_test(test_not_measured),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
