/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals and tests on one array of differences: Wilcoxon's signed-rank
 * distribution by counting, Student's t, and the order statistics of a median.
 */
#include "stats/signedrank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics_double.h>

#include "stats/walsh.h"

static int
compare_doubles(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

static double *
sorted_copy(const double *x, guint n)
{
    double *copy = g_new(double, n);
    memcpy(copy, x, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, compare_doubles);
    return copy;
}

static double
median_sorted(const double *x, gsize n)
{
    return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

/* By selection: thousands of slopes need not be sorted. */
double
median(const double *x, guint n)
{
    if (n == 0)
        return NAN;
    g_autofree double *copy = g_memdup2(x, n * sizeof *x);
    return gsl_stats_median(copy, 1, n);
}

/* P(T <= t) for t = 0..n(n+1)/2.  The counts N(t) are the coefficients of
 * prod(1 + x^i); halving at each factor keeps them probabilities, so that
 * nothing overflows at 2^n. */
static double *
make_cdf(guint n)
{
    double *p = g_new0(double, walsh_count(n) + 1);
    p[0] = 1;
    for (guint i = 1; i <= n; i++) {
        /* Downwards, so that p[t - i] is still the previous factor's. */
        for (gsize t = walsh_count(i) + 1; t-- > i;)
            p[t] = 0.5 * (p[t] + p[t - i]);
        for (guint t = 0; t < i; t++)
            p[t] *= 0.5;
    }
    for (gsize t = 1; t <= walsh_count(n); t++)
        p[t] += p[t - 1];
    return p;
}

/* A report infers from the same few n thousands of times: tables are kept, 1 MB
 * at the largest n. */
static const double *
cdf_table(guint n)
{
    static double *kept[SIGNEDRANK_MAX + 1];

    g_assert(n <= SIGNEDRANK_MAX);
    if (!kept[n])
        kept[n] = make_cdf(n);
    return kept[n];
}

double
signedrank_cdf(int q, guint n)
{
    if (q < 0)
        return 0;
    if ((gsize) q >= walsh_count(n))
        return 1;
    return cdf_table(n)[q];
}

static guint
largest_k(const double *cdf, gsize limit, double alpha)
{
    guint k = 0;
    while (k < limit && cdf[k] <= alpha / 2)
        k++;
    return k;
}

guint
signedrank_k(guint n, double alpha)
{
    return largest_k(cdf_table(n), walsh_count(n), alpha);
}

static const Interval no_interval = {NAN, NAN, NAN, 0, NAN, 0};

Interval
signedrank_interval(const double *d, guint n, double alpha)
{
    if (n == 0)
        return no_interval;
    gsize count = walsh_count(n);
    g_autofree double *sorted = sorted_copy(d, n);
    const double *cdf = cdf_table(n);
    guint k = largest_k(cdf, count, alpha);
    guint rank = MAX(k, 1); /* too few pairs: the widest there is */
    double v = walsh_positive(sorted, n);
    gsize tail = (gsize) ceil(MIN(v, (double) count - v));
    return (Interval){.est = walsh_median(sorted, n),
                      .lo = walsh_select(sorted, n, rank),
                      .hi = walsh_select(sorted, n, count - rank + 1),
                      .confidence = 1 - 2 * cdf[rank - 1],
                      .p = MIN(1.0, 2 * cdf[tail]),
                      .k = k};
}

double
signedrank_point(const double *d, guint n)
{
    if (n == 0)
        return NAN;
    g_autofree double *sorted = sorted_copy(d, n);
    return walsh_median(sorted, n);
}

/* GSL aborts the program on a domain error unless told not to. */
static void
gsl_quiet(void)
{
    static gsize done;
    if (g_once_init_enter(&done)) {
        gsl_set_error_handler_off();
        g_once_init_leave(&done, 1);
    }
}

static double
standard_error(const double *d, guint n, double mean)
{
    double squares = 0;
    for (guint i = 0; i < n; i++)
        squares += (d[i] - mean) * (d[i] - mean);
    return sqrt(squares / (n - 1) / n);
}

static double
student_p(double mean, double se, guint df)
{
    if (se > 0)
        return 2 * gsl_cdf_tdist_Q(fabs(mean / se), df);
    /* Differences that are all the same: no scatter to doubt them by. */
    return mean == 0 ? 1 : 0;
}

Interval
student_interval(const double *d, guint n, double alpha)
{
    if (n < 2)
        return no_interval;
    gsl_quiet();
    double sum = 0;
    for (guint i = 0; i < n; i++)
        sum += d[i];
    double mean = sum / n;
    double se = standard_error(d, n, mean);
    double half = gsl_cdf_tdist_Qinv(alpha / 2, n - 1) * se;
    return (Interval){.est = mean,
                      .lo = mean - half,
                      .hi = mean + half,
                      .confidence = 1 - alpha,
                      .p = student_p(mean, se, n - 1)};
}

/* Largest k with P(Bin(n, 1/2) <= k - 1) <= alpha / 2.  The cells of a report
 * have the same n mostly: the last answer is kept. */
static guint
binomial_k(guint n, double alpha)
{
    static guint last_n, last_k;
    static double last_alpha;

    if (n == last_n && alpha == last_alpha)
        return last_k;
    last_k = 0;
    while (last_k < n / 2 && gsl_cdf_binomial_P(last_k, 0.5, n) <= alpha / 2)
        last_k++;
    last_n = n;
    last_alpha = alpha;
    return last_k;
}

Interval
median_interval(const double *x, guint n, double alpha)
{
    if (n == 0)
        return no_interval;
    gsl_quiet();
    g_autofree double *sorted = sorted_copy(x, n);
    guint k = binomial_k(n, alpha);
    guint rank = MAX(k, 1); /* too few values: the whole range */
    return (Interval){.est = median_sorted(sorted, n),
                      .lo = sorted[rank - 1],
                      .hi = sorted[n - rank],
                      .confidence =
                          1 - 2 * gsl_cdf_binomial_P(rank - 1, 0.5, n),
                      .p = NAN,
                      .k = k};
}
