/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equal values and zeros, where R leaves its exact test and METHOD 7.2 keeps
 * it: every assignment of signs (or of groups) to small tied data is gone
 * through, so that what is claimed of p and of the interval is counted.
 */
#include "stats-util.h"

#include "stats/signedrank.h"
#include "stats/unblocked.h"

#define ALPHA 0.05
#define MAX_N 10

/* Sizes of differences: ties, zeros, all the same, nothing but zeros. */
static const struct {
    guint n;
    double size[MAX_N];
} patterns[] = {
    {4, {1, 1, 2, 2}},
    {5, {0, 1, 1, 1, 3}},
    {6, {1, 1, 1, 1, 1, 1}},
    {6, {0, 0, 1, 2, 2, 3}},
    {7, {1, 1, 2, 3, 3, 3, 4}},
    {8, {1, 2, 2, 3, 3, 4, 4, 5}},
    {8, {0, 0, 0, 0, 0, 1, 1, 2}},
    {9, {0, 1, 1, 2, 2, 2, 3, 3, 9}},
    {10, {1, 1, 1, 2, 2, 2, 3, 3, 3, 3}},
    {10, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4}},
    {6, {0, 0, 0, 0, 0, 0}},
};

static void
assign(const double *size, guint n, guint signs, double *d)
{
    for (guint i = 0; i < n; i++)
        d[i] = signs >> i & 1 ? -size[i] : size[i];
}

/* V by its other definition: the sum of the ranks of what is positive, mean
 * ranks where sizes are equal, zeros ranked first and counted by half. */
static double
rank_sum(const double *d, guint n)
{
    double v = 0;
    for (guint i = 0; i < n; i++) {
        double rank = 0.5;
        for (guint j = 0; j < n; j++)
            rank +=
                0.5 * ((fabs(d[j]) < fabs(d[i])) + (fabs(d[j]) <= fabs(d[i])));
        v += rank * (d[i] > 0 ? 1 : d[i] == 0 ? 0.5 : 0);
    }
    return v;
}

/* P(T <= t), all subsets of 1..n counted. */
static double
counted_cdf(double t, guint n)
{
    guint hits = 0;
    for (guint set = 0; set < 1u << n; set++) {
        guint sum = 0;
        for (guint i = 0; i < n; i++)
            sum += set >> i & 1 ? i + 1 : 0;
        hits += sum <= t;
    }
    return ldexp(hits, -(int) n);
}

static void
test_p_by_its_definition(void **state)
{
    (void) state;
    double d[MAX_N];
    for (guint i = 0; i < G_N_ELEMENTS(patterns); i++) {
        guint n = patterns[i].n;
        double top = n * (n + 1) / 2;
        for (guint signs = 0; signs < 1u << n; signs += 1 + n / 2) {
            assign(patterns[i].size, n, signs, d);
            double v = rank_sum(d, n);
            double tail = counted_cdf(ceil(MIN(v, top - v)), n);
            check_near(signedrank_interval(d, n, ALPHA).p, MIN(1, 2 * tail),
                       ROUNDING, "p");
        }
    }
}

/* When signs are tossed, the interval leaves zero out no more often than it
 * says.  p has no such bound of its own where sizes are equal: its table is
 * that of unequal ones, and 7.4 asks for both. */
static void
test_signed_rank_interval(void **state)
{
    (void) state;
    double d[MAX_N];
    for (guint i = 0; i < G_N_ELEMENTS(patterns); i++) {
        guint n = patterns[i].n, missed = 0, significant = 0;
        double confidence = 0;
        for (guint signs = 0; signs < 1u << n; signs++) {
            assign(patterns[i].size, n, signs, d);
            Interval got = signedrank_interval(d, n, ALPHA);
            gboolean outside = got.lo > 0 || got.hi < 0;
            confidence = got.confidence;
            missed += outside;
            significant += outside && got.p <= ALPHA;
        }
        assert_true(ldexp(missed, -(int) n) <= 1 - confidence + ROUNDING);
        assert_true(ldexp(significant, -(int) n) <= ALPHA);
    }
}

/* Unequal sizes: p is at or below a level no more often than that, and its
 * smallest values exactly as often as they say. */
static void
test_signed_rank_p(void **state)
{
    (void) state;
    const double size[MAX_N] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
    const double levels[] = {.005, .01, .02, .03125, .05, .1, .2, .5};
    double d[MAX_N];
    for (guint n = 1; n <= MAX_N; n++) {
        guint hits[G_N_ELEMENTS(levels)] = {0}, extreme = 0;
        for (guint signs = 0; signs < 1u << n; signs++) {
            assign(size, n, signs, d);
            double p = signedrank_interval(d, n, ALPHA).p;
            extreme += p == ldexp(2, -(int) n);
            for (guint j = 0; j < G_N_ELEMENTS(levels); j++)
                hits[j] += p <= levels[j];
        }
        assert_int_equal(extreme, 2);
        for (guint j = 0; j < G_N_ELEMENTS(levels); j++)
            assert_true(ldexp(hits[j], -(int) n) <= levels[j]);
    }
}

static const struct {
    guint m, n;
    double value[MAX_N];
} pools[] = {
    {4, 5, {1, 1, 2, 2, 2, 3, 4, 4, 5}},
    {5, 5, {1, 1, 1, 1, 1, 2, 2, 2, 2, 2}},
    {5, 5, {1, 2, 2, 3, 3, 4, 4, 5, 5, 6}},
    {3, 7, {0, 0, 0, 1, 1, 1, 1, 2, 2, 2}},
    {4, 4, {7, 7, 7, 7, 7, 7, 7, 7}},
};

/* Deals the values of a pool to two groups as the bits say. */
static void
deal(const double *value, guint count, guint set, double group[2][MAX_N])
{
    guint size[2] = {0, 0};
    for (guint i = 0; i < count; i++) {
        guint which = !(set >> i & 1);
        group[which][size[which]++] = value[i];
    }
}

static void
test_mann_whitney_interval(void **state)
{
    (void) state;
    double group[2][MAX_N];
    for (guint i = 0; i < G_N_ELEMENTS(pools); i++) {
        guint m = pools[i].m, n = pools[i].n, all = 0, missed = 0;
        double confidence = 0;
        for (guint set = 0; set < 1u << (m + n); set++) {
            if (__builtin_popcount(set) != (int) m)
                continue;
            deal(pools[i].value, m + n, set, group);
            Shift got = unblocked_shift(group[0], m, group[1], n, ALPHA);
            confidence = got.confidence;
            all++;
            missed += got.lo > 0 || got.hi < 0;
        }
        assert_true(missed <= all * (1 - confidence + ROUNDING));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_p_by_its_definition),
        cmocka_unit_test(test_signed_rank_interval),
        cmocka_unit_test(test_signed_rank_p),
        cmocka_unit_test(test_mann_whitney_interval),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
