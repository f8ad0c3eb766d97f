/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals and tests of 3 to 40 blocks and 1 to 20 comparisons against R:
 * wilcox.test() and t.test() of pairs, p.adjust(), qbinom() for medians.
 */
#include "stats-r.h"

#include "stats/contrast.h"
#include "stats/holm.h"
#include "stats/signedrank.h"

#define ALPHA 0.05

static void
check_interval(const Interval *got, const json_t *want)
{
    check_r(got->est, json_double(want, "est"), "est");
    check_r(got->lo, json_double(want, "lo"), "lo");
    check_r(got->hi, json_double(want, "hi"), "hi");
    check_near(got->confidence, json_double(want, "conf"), ORACLE_TOLERANCE,
               "confidence");
    check_near(got->p, json_double(want, "p"), ORACLE_TOLERANCE, "p");
}

static void
check_pairs(const json_t *set)
{
    guint n = 0;
    g_autofree double *d = json_doubles(json_member(set, "d"), &n);
    const json_t *levels = json_member(set, "levels");
    for (size_t i = 0; i < json_array_size(levels); i++) {
        const json_t *level = json_array_get(levels, i);
        double alpha = json_double(level, "alpha");
        Interval exact = signedrank_interval(d, n, alpha);
        Interval t = student_interval(d, n, alpha);
        check_interval(&exact, json_member(level, "exact"));
        check_interval(&t, json_member(level, "t"));
    }
    /* One-sided, from the sum of the positive ranks. */
    int v = (int) json_double(set, "v"), top = (int) (n * (n + 1) / 2);
    check_near(signedrank_cdf(v, n), json_double(set, "less"), ORACLE_TOLERANCE,
               "less");
    check_near(signedrank_cdf(top - v, n), json_double(set, "greater"),
               ORACLE_TOLERANCE, "greater");
}

static void
test_pairs(void **state)
{
    (void) state;
    for_each_r("r/pairs.json", check_pairs);
}

static Blocks *
load(const json_t *family)
{
    const json_t *values = json_member(family, "values");
    gboolean higher = json_is_true(json_member(family, "higher_better"));
    guint n_cells = (guint) json_array_size(values);
    guint n_blocks = (guint) json_array_size(json_array_get(values, 0));
    Blocks *blocks = blocks_new(n_cells, n_blocks);
    for (guint cell = 0; cell < n_cells; cell++)
        for (guint block = 0; block < n_blocks; block++)
            blocks_set(
                blocks, cell, block,
                contrast_log(json_at(json_array_get(values, cell), block),
                             higher));
    return blocks;
}

/* Cell against cell 0, the baseline. */
static Estimate
infer(const Blocks *blocks, guint cell)
{
    g_autofree double *weights = g_new0(double, blocks->n_cells);
    g_autofree double *d = g_new(double, blocks->n_blocks);
    weights[0] = -1;
    weights[cell] = 1;
    guint n = contrast_differences(blocks, weights, d);
    return contrast_infer(d, n, blocks->n_cells - 1, ALPHA);
}

static void
check_family(const json_t *family)
{
    g_autoptr(Blocks) blocks = load(family);
    guint m = blocks->n_cells - 1;
    g_autofree double *p = g_new(double, m);
    g_autofree double *adjusted = g_new(double, m);
    const json_t *contrasts = json_member(family, "contrasts");
    assert_int_equal(json_array_size(contrasts), m);
    for (guint i = 0; i < m; i++) {
        Estimate got = infer(blocks, i + 1);
        Interval interval = {got.est, got.lo, got.hi, got.confidence, got.p, 0};
        check_interval(&interval, json_array_get(contrasts, i));
        p[i] = got.p;
    }
    holm_adjust(p, m, adjusted);
    for (guint i = 0; i < m; i++)
        check_near(adjusted[i], json_at(json_member(family, "holm"), i),
                   ORACLE_TOLERANCE, "Holm");
}

static void
test_families(void **state)
{
    (void) state;
    for_each_r("r/families.json", check_family);
}

static void
check_holm(const json_t *set)
{
    guint m = 0;
    g_autofree double *p = json_doubles(json_member(set, "p"), &m);
    g_autofree double *adjusted = g_new(double, m);
    holm_adjust(p, m, adjusted);
    for (guint i = 0; i < m; i++)
        check_near(adjusted[i], json_at(json_member(set, "adjusted"), i),
                   ORACLE_TOLERANCE, "Holm");
}

static void
test_holm(void **state)
{
    (void) state;
    for_each_r("r/holm.json", check_holm);
}

static void
check_median(const json_t *set)
{
    guint n = 0;
    g_autofree double *x = json_doubles(json_member(set, "x"), &n);
    const json_t *levels = json_member(set, "levels");
    for (size_t i = 0; i < json_array_size(levels); i++) {
        const json_t *level = json_array_get(levels, i);
        Interval got = median_interval(x, n, json_double(level, "alpha"));
        check_r(got.est, json_double(set, "median"), "median");
        check_r(got.lo, json_double(level, "lo"), "lo");
        check_r(got.hi, json_double(level, "hi"), "hi");
        check_near(got.confidence, json_double(level, "conf"), ORACLE_TOLERANCE,
                   "confidence");
    }
}

static void
test_medians(void **state)
{
    (void) state;
    for_each_r("r/medians.json", check_median);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_medians),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
