/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The distributions by their own laws, and what the estimators do with input
 * at the edge: none, one, equal values, zeros, NaN, hundreds.
 */
#include "stats-util.h"

#include "stats/contrast.h"
#include "stats/signedrank.h"

#define ALPHA 0.05

/* Counts of subsets of {1..n} with sum t, by going through all of them. */
static void
test_cdf_by_enumeration(void **state)
{
    (void) state;
    for (guint n = 1; n <= 12; n++) {
        guint count[12 * 13 / 2 + 1] = {0};
        for (guint mask = 0; mask < 1u << n; mask++) {
            guint sum = 0;
            for (guint bit = 0; bit < n; bit++)
                sum += mask >> bit & 1 ? bit + 1 : 0;
            count[sum]++;
        }
        guint below = 0;
        for (guint t = 0; t <= n * (n + 1) / 2; t++) {
            below += count[t];
            check_near(signedrank_cdf((int) t, n), ldexp(below, -(int) n),
                       ROUNDING, "cdf");
        }
    }
}

static void
test_cdf_sum_and_symmetry(void **state)
{
    (void) state;
    const guint sizes[] = {1, 2, 5, 6, 17, 40, 64};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        guint n = sizes[i];
        int top = (int) (n * (n + 1) / 2);
        check_near(signedrank_cdf(top, n), 1, ROUNDING, "sum");
        assert_true(signedrank_cdf(-1, n) == 0);
        assert_true(signedrank_cdf(top + 1, n) == 1);
        check_near(signedrank_cdf(0, n), ldexp(1, -(int) n), ROUNDING,
                   "the all-negative corner");
        for (int t = 0; t < top; t += 1 + top / 7)
            check_near(signedrank_cdf(t, n) + signedrank_cdf(top - t - 1, n), 1,
                       ROUNDING, "symmetry");
    }
}

static void
test_k_row(void **state)
{
    (void) state;
    const guint want[] = {1, 3, 4, 6, 9, 11, 14, 18, 22, 26, 30};
    for (guint i = 0; i < G_N_ELEMENTS(want); i++)
        assert_int_equal(signedrank_k(6 + i, ALPHA), want[i]);
    for (guint n = 1; n < 6; n++)
        assert_int_equal(signedrank_k(n, ALPHA), 0);
}

static void
test_all_positive(void **state)
{
    (void) state;
    const double up[] = {.01, .02, .03, .04, .05, .06};
    const double down[] = {-.01, -.02, -.03, -.04, -.05, -.06};
    assert_true(signedrank_interval(up, 6, ALPHA).p == .03125);
    assert_true(signedrank_interval(down, 6, ALPHA).p == .03125);
}

static void
test_too_few_pairs_give_the_range(void **state)
{
    (void) state;
    const double d[] = {3, 1, 2};
    Interval got = signedrank_interval(d, 3, ALPHA);
    assert_int_equal(got.k, 0);
    assert_true(got.lo == 1 && got.hi == 3 && got.est == 2);
    check_near(got.confidence, 1 - 2. / 8, ROUNDING, "confidence");
    check_near(got.p, 2. / 8, ROUNDING, "p");
}

/* Quantiles and tails in closed form: Cauchy for one degree of freedom,
 * t/sqrt(2+t^2) for two. */
static void
test_student_closed_forms(void **state)
{
    (void) state;
    const double two[] = {1, 2};
    Interval got = student_interval(two, 2, ALPHA);
    double cauchy = 1 / tan(G_PI * ALPHA / 2);
    check_near(got.est, 1.5, ROUNDING, "mean");
    check_near(got.hi, 1.5 + cauchy * .5, ORACLE_TOLERANCE, "hi");
    check_near(got.p, 1 - 2 / G_PI * atan(3), ORACLE_TOLERANCE, "p, df 1");
    const double three[] = {1, 2, 6};
    got = student_interval(three, 3, ALPHA);
    double t = 3 / sqrt(7. / 3);
    check_near(got.p, 1 - t / sqrt(2 + t * t), ORACLE_TOLERANCE, "p, df 2");
    assert_int_equal(got.k, 0);
}

static void
test_median(void **state)
{
    (void) state;
    const double x[] = {5, 1, 4, 2, 3, 6};
    assert_true(median(x, 6) == 3.5);
    assert_true(median(x, 5) == 3);
    assert_true(median(x, 1) == 5);
    assert_true(isnan(median(x, 0)));
    assert_true(x[0] == 5 && x[5] == 6);
    Interval got = median_interval(x, 6, ALPHA);
    assert_true(got.lo == 1 && got.hi == 6 && got.k == 1);
    check_near(got.confidence, 1 - 2. / 64, ROUNDING, "confidence");
    got = median_interval(x, 5, ALPHA);
    assert_true(got.lo == 1 && got.hi == 5 && got.k == 0);
    check_near(got.confidence, 1 - 2. / 32, ROUNDING, "confidence");
    got = median_interval(x, 1, ALPHA);
    assert_true(got.est == 5 && got.lo == 5 && got.hi == 5);
    assert_true(got.confidence == 0);
}

static void
fill(double *d, guint n, double value)
{
    for (guint i = 0; i < n; i++)
        d[i] = value;
}

static void
test_equal_differences(void **state)
{
    (void) state;
    double d[8];
    fill(d, 8, .25);
    Estimate got = contrast_infer(d, 8, 1, ALPHA);
    assert_true(got.est == .25 && got.lo == .25 && got.hi == .25);
    assert_true(got.p == ldexp(2, -8));
    got = contrast_infer(d, 4, 1, ALPHA); /* by t, without scatter */
    assert_int_equal(got.ci_method, METHOD_T);
    assert_true(got.est == .25 && got.lo == .25 && got.hi == .25);
    assert_true(got.p == 0);
}

static void
test_zero_differences(void **state)
{
    (void) state;
    double d[8];
    fill(d, 8, 0);
    for (guint n = 3; n <= 8; n++) {
        Estimate got = contrast_infer(d, n, 4, ALPHA);
        assert_true(got.est == 0 && got.lo == 0 && got.hi == 0);
        assert_true(got.p == 1);
    }
}

static void
test_few_blocks_are_descriptive(void **state)
{
    (void) state;
    const double d[] = {.1, .3};
    Estimate got = contrast_infer(d, 0, 1, ALPHA);
    assert_int_equal(got.ci_method, METHOD_NONE);
    assert_true(isnan(got.est) && isnan(got.p));
    for (guint n = 1; n <= 2; n++) {
        got = contrast_infer(d, n, 1, ALPHA);
        assert_int_equal(got.n, n);
        assert_int_equal(got.ci_method, METHOD_DESCRIPTIVE);
        assert_int_equal(got.p_method, METHOD_DESCRIPTIVE);
        check_near(got.est, n == 1 ? .1 : .2, ROUNDING, "mean");
        assert_true(isnan(got.lo) && isnan(got.hi) && isnan(got.p));
    }
}

static void
test_nan_is_no_estimate(void **state)
{
    (void) state;
    double d[8];
    fill(d, 8, .25);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        d[5] = bad[i];
        Estimate got = contrast_infer(d, 8, 1, ALPHA);
        assert_int_equal(got.ci_method, METHOD_NONE);
        assert_true(isnan(got.est) && isnan(got.lo) && isnan(got.p));
    }
}

/* Which method, for n blocks and m comparisons: METHOD 3.4's bound. */
static void
test_method_by_n_and_m(void **state)
{
    (void) state;
    const struct {
        guint m, bound;
    } rows[] = {{0, 6},  {1, 6},   {2, 7},   {4, 8},   {6, 8},
                {10, 9}, {20, 10}, {40, 11}, {100, 12}};
    double d[16];
    for (guint i = 0; i < 16; i++)
        d[i] = i % 3 * .01;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (guint n = 3; n <= 16; n++) {
            Estimate got = contrast_infer(d, n, rows[i].m, ALPHA);
            assert_int_equal(got.ci_method, n >= 6 ? METHOD_EXACT : METHOD_T);
            assert_int_equal(got.p_method,
                             n >= rows[i].bound ? METHOD_EXACT : METHOD_T);
        }
    }
}

static void
test_largest(void **state)
{
    (void) state;
    guint n = SIGNEDRANK_MAX;
    g_autofree double *d = g_new(double, n + 1);
    for (guint i = 0; i <= n; i++)
        d[i] = i;
    Estimate got = contrast_infer(d, n, 1, ALPHA);
    assert_int_equal(got.ci_method, METHOD_EXACT);
    check_near(got.est, (n - 1) / 2., ROUNDING, "est");
    assert_true(got.p > 0 && got.p < 1e-60);
    assert_true(got.confidence >= .95 && got.confidence < .951);
    got = contrast_infer(d, n + 1, 1, ALPHA);
    assert_int_equal(got.ci_method, METHOD_T);
    assert_int_equal(got.p_method, METHOD_T);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cdf_by_enumeration),
        cmocka_unit_test(test_cdf_sum_and_symmetry),
        cmocka_unit_test(test_k_row),
        cmocka_unit_test(test_all_positive),
        cmocka_unit_test(test_too_few_pairs_give_the_range),
        cmocka_unit_test(test_student_closed_forms),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_equal_differences),
        cmocka_unit_test(test_zero_differences),
        cmocka_unit_test(test_few_blocks_are_descriptive),
        cmocka_unit_test(test_nan_is_no_estimate),
        cmocka_unit_test(test_method_by_n_and_m),
        cmocka_unit_test(test_largest),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
