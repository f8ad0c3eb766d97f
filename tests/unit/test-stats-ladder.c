/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ladder and the split of a step over settings: the worked examples E5 and
 * E6 of the method, and designs in which corners are missing.
 */
#include "stats-estimate.h"

#include "stats/ladder.h"

#define ALPHA 0.05

/* ------------------------------------------------------------------- E5 */

enum { HOST, HOST_MATCHED, BEST, CPU_ONLY, DISK_ONLY, DEFAULT, E5_CELLS };
#define E5_BLOCKS 6

static const char *const e5_cells[] = {
    "host",
    "host-matched",
    "cpu=host/disk=tuned",
    "cpu=host/disk=def",
    "cpu=def/disk=tuned",
    "cpu=def/disk=def",
};

enum { CPU, DISK, E5_SETTINGS };
static const guint e5_corners[] = {DEFAULT, CPU_ONLY, DISK_ONLY, BEST};
static const Ladder e5_ladder = {E5_SETTINGS, E5_CELLS, e5_corners};

static Blocks *
e5_load(void)
{
    Blocks *blocks = blocks_new(E5_CELLS, E5_BLOCKS);
    g_autoptr(GPtrArray) rows = oracle_csv("e5_ladder.csv");
    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        guint cell = 0;
        while (cell < E5_CELLS && strcmp(e5_cells[cell], row[1]) != 0)
            cell++;
        blocks_set(blocks, cell, (guint) g_ascii_strtoull(row[0], NULL, 10) - 1,
                   contrast_log(g_ascii_strtod(row[2], NULL), TRUE));
    }
    return blocks;
}

/* Infers the weights and returns the mean of the differences. */
static double
check_e5(const Blocks *blocks, const double *weights, const char *name)
{
    json_t *root = oracle_json("e5_expected.json");
    const json_t *want = json_member(json_member(root, "steps"), name);
    double d[E5_BLOCKS], mean = 0;
    guint n = contrast_differences(blocks, weights, d);
    assert_int_equal(n, json_integer_value(json_member(want, "n")));
    Estimate got = contrast_infer(d, n, 1, ALPHA);
    check_estimate(&got, want, name);
    for (guint i = 0; i < n; i++)
        mean += d[i] / n;
    check_near(mean, json_double(want, "mean"), ORACLE_TOLERANCE, name);
    const double logs[] = {got.est, got.lo, got.hi};
    for (guint i = 0; i < G_N_ELEMENTS(logs); i++)
        check_near(
            100 * expm1(logs[i]),
            json_number_value(json_array_get(json_member(want, "pct"), i)),
            ORACLE_TOLERANCE, name);
    json_decref(root);
    return mean;
}

static void
test_e5_steps(void **state)
{
    (void) state;
    static const struct {
        const char *name;
        guint from, to;
    } steps[] = {
        {"resources (host->host-matched)", HOST, HOST_MATCHED},
        {"virtualisation floor (host-matched->guest-best)", HOST_MATCHED, BEST},
        {"configuration (guest-best->guest-default)", BEST, DEFAULT},
        {"total (host->guest-default)", HOST, DEFAULT},
    };
    g_autoptr(Blocks) blocks = e5_load();
    double mean[G_N_ELEMENTS(steps)], weights[E5_CELLS];
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        assert_true(ladder_step(E5_CELLS, steps[i].from, steps[i].to, weights));
        mean[i] = check_e5(blocks, weights, steps[i].name);
    }
    check_near(mean[0] + mean[1] + mean[2], mean[3], ROUNDING, "sum of steps");
}

static void
test_e5_split(void **state)
{
    (void) state;
    static const struct {
        const char *name;
        gboolean (*weigh)(const Ladder *ladder, guint setting, double *weights);
        guint setting;
    } shares[] = {
        {"cpu first-in", ladder_first_in, CPU},
        {"cpu last-in", ladder_last_in, CPU},
        {"cpu shapley", ladder_shapley, CPU},
        {"disk first-in", ladder_first_in, DISK},
        {"disk last-in", ladder_last_in, DISK},
        {"disk shapley", ladder_shapley, DISK},
    };
    g_autoptr(Blocks) blocks = e5_load();
    double weights[E5_CELLS];
    for (guint i = 0; i < G_N_ELEMENTS(shares); i++) {
        assert_true(shares[i].weigh(&e5_ladder, shares[i].setting, weights));
        check_e5(blocks, weights, shares[i].name);
    }
    assert_true(ladder_remainder(&e5_ladder, weights));
    check_e5(blocks, weights, "cpu x disk");
}

/* ------------------------------------------------------------------- E6 */

#define E6_SETTINGS 3
#define E6_CORNERS (1 << E6_SETTINGS)

/* Cells in the order of the sets. */
static const guint e6_corners[E6_CORNERS] = {0, 1, 2, 3, 4, 5, 6, 7};
static const Ladder e6_ladder = {E6_SETTINGS, E6_CORNERS, e6_corners};
/* METHOD 12, E6: {}, 0, 1, 01, 2, 02, 12, 012. */
static const double e6_scores[E6_CORNERS] = {1000, 1100, 1300, 1500,
                                             1020, 1130, 1320, 1600};

static double
e6_value(const double *weights)
{
    double sum = 0;
    for (guint cell = 0; cell < E6_CORNERS; cell++)
        sum += weights[cell] * log(e6_scores[cell]);
    return sum;
}

static void
test_e6(void **state)
{
    (void) state;
    json_t *root = oracle_json("e6_expected.json");
    const struct {
        const char *member;
        gboolean (*weigh)(const Ladder *ladder, guint setting, double *weights);
    } shares[] = {{"phi", ladder_shapley},
                  {"first_in", ladder_first_in},
                  {"last_in", ladder_last_in}};
    double weights[E6_CORNERS], total = 0;
    for (guint i = 0; i < G_N_ELEMENTS(shares); i++) {
        const json_t *want = json_member(root, shares[i].member);
        for (guint setting = 0; setting < E6_SETTINGS; setting++) {
            assert_true(shares[i].weigh(&e6_ladder, setting, weights));
            double got = e6_value(weights);
            check_near(got, json_number_value(json_array_get(want, setting)),
                       ORACLE_TOLERANCE, shares[i].member);
            total += i == 0 ? got : 0;
        }
    }
    check_near(total, json_double(root, "total"), ORACLE_TOLERANCE, "sum");
    assert_true(ladder_remainder(&e6_ladder, weights));
    check_near(e6_value(weights), json_double(root, "remainder"),
               ORACLE_TOLERANCE, "remainder");
    json_decref(root);
}

/* ----------------------------------------------------------- properties */

/* The Shapley weights of all settings sum to best less default, however many
 * settings there are. */
static void
test_shares_sum_to_the_step(void **state)
{
    (void) state;
    for (guint k = 1; k <= 6; k++) {
        guint n = 1u << k;
        g_autofree guint *cell = g_new(guint, n);
        g_autofree double *sum = g_new0(double, n);
        g_autofree double *weights = g_new(double, n);
        for (guint set = 0; set < n; set++)
            cell[set] = n - 1 - set;
        Ladder ladder = {k, n, cell};
        for (guint setting = 0; setting < k; setting++) {
            assert_true(ladder_shapley(&ladder, setting, weights));
            for (guint i = 0; i < n; i++)
                sum[i] += weights[i];
        }
        for (guint i = 0; i < n; i++)
            assert_true(fabs(sum[i] - (i == 0) + (i == n - 1)) < 1e-12);
    }
}

/* With one-at-a-time cells only: first-in and remainder, nothing else, and
 * the weights of what is refused stay as they were. */
static void
test_missing_corners(void **state)
{
    (void) state;
    guint cell[E6_CORNERS];
    for (guint set = 0; set < E6_CORNERS; set++)
        cell[set] = __builtin_popcount(set) == 2 ? LADDER_NO_CELL : set;
    Ladder ladder = {E6_SETTINGS, E6_CORNERS, cell};
    double weights[E6_CORNERS], untouched[E6_CORNERS] = {42};
    assert_true(ladder_first_in(&ladder, 1, weights));
    assert_true(ladder_remainder(&ladder, weights));
    assert_false(ladder_last_in(&ladder, 1, untouched));
    assert_false(ladder_shapley(&ladder, 1, untouched));
    cell[E6_CORNERS - 1] = LADDER_NO_CELL;
    assert_false(ladder_remainder(&ladder, untouched));
    assert_true(untouched[0] == 42 && untouched[1] == 0);
}

/* A single setting is the whole step, and leaves no remainder. */
static void
test_one_setting(void **state)
{
    (void) state;
    const guint cell[] = {1, 0};
    const Ladder ladder = {1, 2, cell};
    double weights[2];
    assert_true(ladder_shapley(&ladder, 0, weights));
    assert_true(weights[0] == 1 && weights[1] == -1);
    assert_true(ladder_remainder(&ladder, weights));
    assert_true(weights[0] == 0 && weights[1] == 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e5_steps),
        cmocka_unit_test(test_e5_split),
        cmocka_unit_test(test_e6),
        cmocka_unit_test(test_shares_sum_to_the_step),
        cmocka_unit_test(test_missing_corners),
        cmocka_unit_test(test_one_setting),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
