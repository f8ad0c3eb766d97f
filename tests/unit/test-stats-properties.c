/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must not change whatever the data: METHOD 14.4 and 14.5, on seeded
 * random tables of 3 to 16 blocks, some with missing cells.
 */
#include "stats-util.h"

#include "base/random.h"
#include "stats/contrast.h"
#include "stats/signedrank.h"

#define ALPHA 0.05
#define CELLS 4
#define MAX_BLOCKS 16
#define TABLES 200
#define SEED 1946 /* any; fixed, so that a failure can be run again */

typedef struct TableOf {
    Blocks *blocks;
    double x[CELLS][MAX_BLOCKS]; /* before the logarithm; NaN: missing */
} TableOf;

static double
uniform(Random *random)
{
    return ldexp((double) (random_next(random) >> 11), -53);
}

static void
table_of_make(TableOf *table, Random *random, double missing)
{
    guint n = 3 + (guint) random_bounded(random, MAX_BLOCKS - 2);
    table->blocks = blocks_new(CELLS, n);
    for (guint block = 0; block < n; block++) {
        double level = 100 * exp(uniform(random));
        for (guint cell = 0; cell < CELLS; cell++) {
            double noise = uniform(random) + uniform(random) - 1;
            double x = level * (1 + .01 * cell) * exp(.05 * noise);
            table->x[cell][block] = uniform(random) < missing ? NAN : x;
            blocks_set(table->blocks, cell, block,
                       contrast_log(table->x[cell][block], TRUE));
        }
    }
}

static Estimate
infer(const Blocks *blocks, const double *weights)
{
    double d[MAX_BLOCKS];
    guint n = contrast_differences(blocks, weights, d);
    return contrast_infer(d, n, 3, ALPHA);
}

/* Logarithms of about 5 cancel to about .01: three digits go. */
static void
check_value(double got, double want, const char *what)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= ROUNDING))
        fail_msg("%s: got %.15g, want %.15g", what, got, want);
}

static void
check_same(const Estimate *got, const Estimate *want)
{
    assert_int_equal(got->n, want->n);
    assert_int_equal(got->ci_method, want->ci_method);
    assert_int_equal(got->p_method, want->p_method);
    check_value(got->est, want->est, "est");
    check_value(got->lo, want->lo, "lo");
    check_value(got->hi, want->hi, "hi");
    check_value(got->confidence, want->confidence, "confidence");
    if (fabs(got->p - want->p) > 1e-9)
        fail_msg("p: got %.15g, want %.15g", got->p, want->p);
}

static const double weights[][CELLS] = {
    {-1, 1, 0, 0},
    {-1, 0, 0, 1},
    {-.5, -.5, .5, .5},
    {1, -1, -1, 1},
};

typedef void Property(TableOf *table, const double *w, Random *random);

/* Runs a property on random tables times contrasts. */
static void
for_all(Property *property, double missing)
{
    Random random;
    random_init(&random, SEED);
    for (guint i = 0; i < TABLES; i++) {
        TableOf table;
        table_of_make(&table, &random, missing);
        for (guint j = 0; j < G_N_ELEMENTS(weights); j++)
            property(&table, weights[j], &random);
        blocks_free(table.blocks);
    }
}

static void
block_scale(TableOf *table, const double *w, Random *random)
{
    Estimate before = infer(table->blocks, w);
    guint block = (guint) random_bounded(random, table->blocks->n_blocks);
    double factor = .1 + uniform(random);
    for (guint cell = 0; cell < CELLS; cell++)
        blocks_set(table->blocks, cell, block,
                   contrast_log(factor * table->x[cell][block], TRUE));
    Estimate after = infer(table->blocks, w);
    check_same(&after, &before);
}

static void
test_block_times_constant(void **state)
{
    (void) state;
    for_all(block_scale, 0);
    for_all(block_scale, .1);
}

static void
negated(TableOf *table, const double *w, Random *random)
{
    (void) random;
    double opposite[CELLS];
    for (guint cell = 0; cell < CELLS; cell++)
        opposite[cell] = -w[cell];
    Estimate want = infer(table->blocks, w);
    Estimate got = infer(table->blocks, opposite);
    Estimate mirrored = got;
    mirrored.est = -got.est;
    mirrored.lo = -got.hi;
    mirrored.hi = -got.lo;
    check_same(&mirrored, &want);
}

static void
test_swapped_cells(void **state)
{
    (void) state;
    for_all(negated, .1);
}

static void
recoded(TableOf *table, const double *w, Random *random)
{
    (void) random;
    guint n = table->blocks->n_blocks;
    g_autoptr(Blocks) other = blocks_new(CELLS, n);
    for (guint cell = 0; cell < CELLS; cell++)
        for (guint block = 0; block < n; block++)
            blocks_set(other, cell, block,
                       contrast_log(1 / table->x[cell][block], FALSE));
    Estimate want = infer(table->blocks, w), got = infer(other, w);
    check_same(&got, &want);
}

static void
test_time_or_rate(void **state)
{
    (void) state;
    for_all(recoded, .1);
}

static void
permuted(TableOf *table, const double *w, Random *random)
{
    guint n = table->blocks->n_blocks, order[MAX_BLOCKS];
    random_shuffle(random, order, n);
    g_autoptr(Blocks) other = blocks_new(CELLS, n);
    for (guint cell = 0; cell < CELLS; cell++)
        for (guint block = 0; block < n; block++)
            blocks_set(other, cell, block,
                       blocks_get(table->blocks, cell, order[block]));
    Estimate want = infer(table->blocks, w), got = infer(other, w);
    check_same(&got, &want);
}

static void
test_order_of_blocks(void **state)
{
    (void) state;
    for_all(permuted, .1);
}

static void
lose_one(TableOf *table, const double *w, Random *random)
{
    guint cell = (guint) random_bounded(random, CELLS);
    guint block = (guint) random_bounded(random, table->blocks->n_blocks);
    Estimate before = infer(table->blocks, w);
    double kept = blocks_get(table->blocks, cell, block);
    blocks_set(table->blocks, cell, block, NAN);
    Estimate after = infer(table->blocks, w);
    blocks_set(table->blocks, cell, block, kept);
    if (w[cell] == 0)
        check_same(&after, &before);
    else
        assert_int_equal(after.n, before.n - 1);
}

static void
test_missing_cell(void **state)
{
    (void) state;
    for_all(lose_one, 0);
}

/* At one comparison, exact test and exact interval say the same. */
static void
dual(TableOf *table, const double *w, Random *random)
{
    (void) random;
    double d[MAX_BLOCKS];
    guint n = contrast_differences(table->blocks, w, d);
    Estimate got = contrast_infer(d, n, 1, ALPHA);
    if (n < 3)
        return;
    assert_true(got.lo <= got.est && got.est <= got.hi);
    assert_int_equal(got.p <= ALPHA, got.lo > 0 || got.hi < 0);
    if (got.ci_method == METHOD_EXACT)
        assert_true(got.confidence >= 1 - ALPHA);
    Estimate wider = contrast_infer(d, n, 1, ALPHA / 5);
    if (wider.ci_method == got.ci_method)
        assert_true(wider.lo <= got.lo && got.hi <= wider.hi);
}

static void
test_interval_and_test_agree(void **state)
{
    (void) state;
    for_all(dual, .1);
}

static void
shifted(TableOf *table, const double *w, Random *random)
{
    double d[MAX_BLOCKS], shift = uniform(random) - .5;
    guint n = contrast_differences(table->blocks, w, d);
    Estimate want = contrast_infer(d, n, 1, ALPHA);
    for (guint i = 0; i < n; i++)
        d[i] += shift;
    Estimate got = contrast_infer(d, n, 1, ALPHA);
    got.est -= shift;
    got.lo -= shift;
    got.hi -= shift;
    got.p = want.p; /* the one thing that does depend on where zero is */
    check_same(&got, &want);
}

static void
test_shift(void **state)
{
    (void) state;
    for_all(shifted, .1);
}

static void
test_log_refuses(void **state)
{
    (void) state;
    const double bad[] = {0, -0.0, -1, NAN, INFINITY, -INFINITY};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        assert_true(isnan(contrast_log(bad[i], TRUE)));
        assert_true(isnan(contrast_log(bad[i], FALSE)));
    }
    check_near(contrast_log(2, TRUE), G_LN2, ROUNDING, "ln 2");
    check_near(contrast_log(2, FALSE), -G_LN2, ROUNDING, "-ln 2");
}

static void
test_empty_tables(void **state)
{
    (void) state;
    g_autoptr(Blocks) none = blocks_new(2, 0);
    g_autoptr(Blocks) fresh = blocks_new(2, 4);
    const double pair[] = {-1, 1}, nothing[] = {0, 0};
    double d[4];
    assert_int_equal(contrast_differences(none, pair, d), 0);
    assert_int_equal(contrast_differences(fresh, pair, d), 0);
    for (guint block = 0; block < 4; block++)
        blocks_set(fresh, 0, block, 1);
    assert_int_equal(contrast_differences(fresh, pair, d), 0);
    assert_int_equal(contrast_differences(fresh, nothing, d), 0);
    blocks_free(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_times_constant),
        cmocka_unit_test(test_swapped_cells),
        cmocka_unit_test(test_time_or_rate),
        cmocka_unit_test(test_order_of_blocks),
        cmocka_unit_test(test_missing_cell),
        cmocka_unit_test(test_interval_and_test_agree),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_log_refuses),
        cmocka_unit_test(test_empty_tables),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
