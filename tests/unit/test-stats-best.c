/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cross-fitted best cell: the worked example E13 of the method, ties, and
 * blocks that lack a value.
 */
#include "stats-util.h"

#include "stats/best.h"

#define CELLS 4
#define BLOCKS 6

static const guint all[CELLS] = {0, 1, 2, 3};

static Blocks *
e13_load(void)
{
    Blocks *blocks = blocks_new(CELLS, BLOCKS);
    g_autoptr(GPtrArray) rows = oracle_csv("e13_best.csv");
    assert_int_equal(rows->len, CELLS * BLOCKS);
    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        blocks_set(blocks, (guint) (row[1][0] - 'A'),
                   (guint) g_ascii_strtoull(row[0], NULL, 10) - 1,
                   contrast_log(g_ascii_strtod(row[2], NULL), TRUE));
    }
    return blocks;
}

static double
mean(const double *d, guint n)
{
    double sum = 0;
    for (guint i = 0; i < n; i++)
        sum += d[i];
    return sum / n;
}

static void
test_e13(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = e13_load();
    json_t *root = oracle_json("e13_expected.json");
    double d[BLOCKS], weights[CELLS] = {-1};
    guint picks[BLOCKS];
    guint naive = best_naive(blocks, all, CELLS);
    assert_int_equal('A' + (int) naive, json_text(root, "naive_best")[0]);
    weights[naive] = 1;
    assert_int_equal(contrast_differences(blocks, weights, d), BLOCKS);
    check_near(mean(d, BLOCKS), json_double(root, "naive_gain_vs_A"),
               ORACLE_TOLERANCE, "naive gain");
    assert_int_equal(best_crossfit(blocks, all, CELLS, 0, picks, d), BLOCKS);
    for (guint block = 0; block < BLOCKS; block++) {
        const char *pick = json_string_value(
            json_array_get(json_member(root, "crossfit_pick"), block));
        assert_int_equal('A' + (int) picks[block], pick[0]);
        check_near(
            d[block],
            json_number_value(json_array_get(json_member(root, "d"), block)),
            ORACLE_TOLERANCE, "d");
    }
    check_near(mean(d, BLOCKS), json_double(root, "crossfit_gain_vs_A"),
               ORACLE_TOLERANCE, "cross-fitted gain");
    json_decref(root);
}

static void
test_ties_take_the_earlier(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = blocks_new(CELLS, 2);
    for (guint cell = 0; cell < CELLS; cell++)
        for (guint block = 0; block < 2; block++)
            blocks_set(blocks, cell, block, 1);
    const guint some[] = {2, 1, 3};
    guint picks[2];
    double d[2];
    assert_int_equal(best_naive(blocks, some, 3), 2);
    assert_int_equal(best_crossfit(blocks, some, 3, 0, picks, d), 2);
    assert_true(picks[0] == 2 && picks[1] == 2 && d[0] == 0 && d[1] == 0);
}

/* A block without a candidate neither chooses nor is scored; one without the
 * reference chooses. */
static void
test_missing_values(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = e13_load();
    double d[BLOCKS];
    guint picks[BLOCKS];
    const guint others[] = {1, 2, 3};
    blocks_set(blocks, 1, 2, NAN);
    blocks_set(blocks, 0, 4, NAN);
    assert_int_equal(best_crossfit(blocks, others, 3, 0, picks, d), BLOCKS - 2);
    assert_int_equal(picks[2], BEST_NO_CELL);
    assert_true(picks[4] != BEST_NO_CELL);
    check_near(d[2], blocks_get(blocks, picks[3], 3) - blocks_get(blocks, 0, 3),
               ROUNDING, "d skips the block");
    for (guint block = 0; block < BLOCKS; block++)
        blocks_set(blocks, 1, block, block == 0 ? 1 : NAN);
    assert_int_equal(best_naive(blocks, others, 3), 2);
    /* One block cannot both choose and be scored. */
    assert_int_equal(best_crossfit(blocks, others, 3, 0, picks, d), 0);
    blocks_set(blocks, 1, 0, NAN);
    assert_int_equal(best_naive(blocks, others, 3), BEST_NO_CELL);
    assert_int_equal(best_naive(blocks, others, 0), BEST_NO_CELL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e13),
        cmocka_unit_test(test_ties_take_the_earlier),
        cmocka_unit_test(test_missing_values),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
