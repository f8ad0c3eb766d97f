/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Twenty random sweeps (2 to 32 blocks, missing and non-positive values, ties,
 * both directions, three levels) against what the method's own reference in
 * Python, written without this code, makes of them: random.json.
 */
#include "stats-util.h"

#include "stats/contrast.h"
#include "stats/histogram.h"
#include "stats/holm.h"
#include "stats/signedrank.h"
#include "stats/verdict.h"

#define CELLS 4
#define MAX_BLOCKS 32
#define MAX_CONTRASTS 8
#define SETS 20

static void
for_all(void (*check)(const json_t *set))
{
    json_t *root = oracle_json("random.json");
    const json_t *sets = json_member(root, "sets");

    assert_int_equal(json_array_size(sets), SETS);
    for (size_t i = 0; i < SETS; i++)
        check(json_array_get(sets, i));
    json_decref(root);
}

/* NaN where the value is null. */
static double
value_at(const json_t *set, size_t cell, size_t block)
{
    const json_t *row = json_array_get(json_member(set, "values"), cell);
    const json_t *value = json_array_get(row, block);

    return json_is_null(value) ? NAN : json_number_value(value);
}

static guint
block_count(const json_t *set)
{
    return (guint) json_array_size(
        json_array_get(json_member(set, "values"), 0));
}

static Blocks *
load(const json_t *set)
{
    guint n = block_count(set);
    gboolean higher = json_is_true(json_member(set, "higher_better"));
    Blocks *blocks = blocks_new(CELLS, n);

    assert_true(n <= MAX_BLOCKS);
    for (guint cell = 0; cell < CELLS; cell++)
        for (guint block = 0; block < n; block++)
            blocks_set(blocks, cell, block,
                       contrast_log(value_at(set, cell, block), higher));
    return blocks;
}

static Estimate
infer(const json_t *set, const Blocks *blocks, const json_t *want)
{
    const json_t *json = json_member(want, "weights");
    double weights[CELLS], d[MAX_BLOCKS];

    for (guint cell = 0; cell < CELLS; cell++)
        weights[cell] = json_number_value(json_array_get(json, cell));
    guint n = contrast_differences(blocks, weights, d);
    return contrast_infer(
        d, n, (guint) json_integer_value(json_member(set, "comparisons")),
        json_double(set, "alpha"));
}

static void
check_method(Method got, const json_t *want, const char *member)
{
    gboolean exact = g_str_has_suffix(json_text(want, member), "exact");

    assert_int_equal(got, exact ? METHOD_EXACT : METHOD_T);
}

static void
check_estimate(const Estimate *got, const json_t *want)
{
    assert_int_equal(got->n, json_integer_value(json_member(want, "n")));
    check_near(got->est, json_double(want, "est"), ORACLE_TOLERANCE, "est");
    if (got->n < 3) {
        assert_int_equal(got->ci_method, METHOD_DESCRIPTIVE);
        assert_null(json_object_get(want, "p"));
        return;
    }
    check_near(got->lo, json_double(want, "lo"), ORACLE_TOLERANCE, "lo");
    check_near(got->hi, json_double(want, "hi"), ORACLE_TOLERANCE, "hi");
    check_near(got->confidence, json_double(want, "conf"), ORACLE_TOLERANCE,
               "confidence");
    check_near(got->p, json_double(want, "p"), ORACLE_TOLERANCE, "p");
    check_method(got->ci_method, want, "ci_method");
    check_method(got->p_method, want, "p_method");
}

static void
check_verdict(const json_t *set, const Estimate *got, double adjusted,
              const json_t *want)
{
    Verdict verdict =
        verdict_decide(got->lo, got->hi, adjusted, json_double(set, "delta"),
                       json_double(set, "alpha"));

    if (got->n < 3) {
        assert_int_equal(verdict, VERDICT_NONE);
        return;
    }
    check_near(adjusted, json_double(want, "p_holm"), ORACLE_TOLERANCE, "Holm");
    assert_string_equal(verdict_name(verdict), json_text(want, "verdict"));
}

static void
check_contrasts(const json_t *set)
{
    g_autoptr(Blocks) blocks = load(set);
    const json_t *contrasts = json_member(set, "contrasts");
    guint count = (guint) json_array_size(contrasts);
    Estimate got[MAX_CONTRASTS];
    double p[MAX_CONTRASTS], adjusted[MAX_CONTRASTS];

    assert_true(count > 0 && count <= MAX_CONTRASTS);
    for (guint i = 0; i < count; i++) {
        const json_t *want = json_array_get(contrasts, i);
        got[i] = infer(set, blocks, want);
        p[i] = got[i].p;
        check_estimate(&got[i], want);
    }
    holm_adjust(p, count, adjusted);
    for (guint i = 0; i < count; i++)
        check_verdict(set, &got[i], adjusted[i], json_array_get(contrasts, i));
}

static void
check_medians(const json_t *set)
{
    const json_t *medians = json_member(set, "medians");

    assert_int_equal(json_array_size(medians), CELLS);
    for (guint cell = 0; cell < CELLS; cell++) {
        const json_t *want = json_array_get(medians, cell);
        double x[MAX_BLOCKS];
        guint n = 0;
        for (guint block = 0; block < block_count(set); block++) {
            x[n] = value_at(set, cell, block);
            n += x[n] > 0;
        }
        Interval got = median_interval(x, n, json_double(set, "alpha"));
        check_near(got.est, json_double(want, "median"), ORACLE_TOLERANCE,
                   "median");
        check_near(got.lo, json_double(want, "lo"), ORACLE_TOLERANCE, "lo");
        check_near(got.hi, json_double(want, "hi"), ORACLE_TOLERANCE, "hi");
        check_near(got.confidence, json_double(want, "conf"), ORACLE_TOLERANCE,
                   "confidence");
        /* The reference says which order statistic it took, ours also that
         * not even the first reaches the level. */
        assert_int_equal(MAX(got.k, 1),
                         json_integer_value(json_member(want, "k")));
        assert_int_equal(got.k == 0,
                         got.confidence < 1 - json_double(set, "alpha"));
    }
}

static gint64
pair_at(const json_t *pairs, size_t i, size_t member)
{
    return json_integer_value(json_array_get(json_array_get(pairs, i), member));
}

/* The values that the small sets carry, counted into the bins. */
static void
check_bins(const json_t *want, const guint32 *bins, const gint64 *counts,
           guint count)
{
    const json_t *values = json_object_get(want, "values");
    size_t at = 0;

    if (!values)
        return;
    for (guint i = 0; i < count; i++)
        for (gint64 seen = 0; seen < counts[i]; seen++) {
            gint64 v = json_integer_value(json_array_get(values, at++));
            assert_int_equal(histogram_bin((guint64) v), bins[i]);
        }
    assert_int_equal(json_array_size(values), at);
}

static void
check_histogram(const json_t *set)
{
    const json_t *want = json_member(set, "histogram");
    const json_t *pairs = json_member(want, "bins");
    const json_t *percentiles = json_member(want, "percentiles");
    guint count = (guint) json_array_size(pairs);
    g_autofree guint32 *bins = g_new(guint32, count);
    g_autofree gint64 *counts = g_new(gint64, count);
    gint64 n = json_integer_value(json_member(want, "n"));

    for (guint i = 0; i < count; i++) {
        bins[i] = (guint32) pair_at(pairs, i, 0);
        counts[i] = pair_at(pairs, i, 1);
    }
    check_bins(want, bins, counts, count);
    for (size_t i = 0; i < json_array_size(percentiles); i++) {
        const json_t *row = json_array_get(percentiles, i);
        double p = json_number_value(json_array_get(row, 0));
        guint64 got = histogram_percentile(bins, counts, count, n, p);
        assert_int_equal(got, pair_at(percentiles, i, 1));
    }
}

static void
test_contrasts(void **state)
{
    (void) state;
    for_all(check_contrasts);
}

static void
test_medians(void **state)
{
    (void) state;
    for_all(check_medians);
}

static void
test_histograms(void **state)
{
    (void) state;
    for_all(check_histogram);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contrasts),
        cmocka_unit_test(test_medians),
        cmocka_unit_test(test_histograms),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
