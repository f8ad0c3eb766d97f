/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The distribution of Mann-Whitney's U by its recurrence, and the order
 * statistics of all pairwise differences.
 */
#include "stats/unblocked.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include "stats/signedrank.h"

/* P(U = u) for groups of i and j, made in place from `smaller_i`, that of i-1
 * and j, and `smaller_j`, that of i and j-1.  The largest of all values is in
 * the first group with probability i/(i+j), and then above j of the other:
 * N(u;i,j) = N(u-j;i-1,j) + N(u;i,j-1) as probabilities, so that nothing
 * overflows. */
static double *
next_row(const double *smaller_i, const double *smaller_j, guint i, guint j)
{
    double *p = g_new0(double, (gsize) i *j + 1);
    double first = (double) i / (i + j), second = (double) j / (i + j);
    for (gsize u = 0; u <= (gsize) (i - 1) * j; u++)
        p[u + j] += first * smaller_i[u];
    for (gsize u = 0; u <= (gsize) i * (j - 1); u++)
        p[u] += second * smaller_j[u];
    return p;
}

static double *
certainly_zero(void)
{
    double *p = g_new(double, 1);
    p[0] = 1;
    return p;
}

static double *
exact_probabilities(guint m, guint n)
{
    g_autoptr(GPtrArray) row = g_ptr_array_new_with_free_func(g_free);
    for (guint j = 0; j <= n; j++)
        g_ptr_array_add(row, certainly_zero());
    for (guint i = 1; i <= m; i++) {
        for (guint j = 1; j <= n; j++) {
            double *next = next_row(row->pdata[j], row->pdata[j - 1], i, j);
            g_free(row->pdata[j]);
            row->pdata[j] = next;
        }
    }
    return g_steal_pointer(&row->pdata[n]);
}

static double *
exact_table(guint m, guint n)
{
    /* U of the groups exchanged has the same distribution: the row that is
     * kept is that of the smaller one. */
    double *p = exact_probabilities(MAX(m, n), MIN(m, n));
    for (gsize u = 1; u <= (gsize) m * n; u++)
        p[u] += p[u - 1];
    return p;
}

static double *
normal_table(guint m, guint n)
{
    double pairs = (double) m * n;
    double sd = sqrt(pairs * ((double) m + n + 1) / 12);
    double *p = g_new(double, (gsize) m *n + 1);
    for (gsize u = 0; u <= (gsize) m * n; u++)
        p[u] = gsl_cdf_ugaussian_P(((double) u + 0.5 - pairs / 2) / sd);
    return p;
}

static gboolean
is_exact(guint m, guint n)
{
    return (gsize) m * n <= UNBLOCKED_MAX_PAIRS;
}

/* P(U <= u) for u = 0..mn. */
static double *
cdf_table(guint m, guint n)
{
    return is_exact(m, n) ? exact_table(m, n) : normal_table(m, n);
}

double
unblocked_cdf(int u, guint m, guint n)
{
    if (u < 0)
        return 0;
    if ((gsize) u >= (gsize) m * n)
        return 1;
    g_autofree double *cdf = cdf_table(m, n);
    return cdf[u];
}

static double *
sorted_differences(const double *x, guint m, const double *y, guint n)
{
    double *d = g_new(double, (gsize) m *n);
    for (guint i = 0; i < m; i++)
        for (guint j = 0; j < n; j++)
            d[(gsize) i * n + j] = x[i] - y[j];
    gsl_sort(d, 1, (gsize) m * n);
    return d;
}

Shift
unblocked_shift(const double *x, guint m, const double *y, guint n,
                double alpha)
{
    Shift shift = {NAN, NAN, NAN, NAN, 0, NAN, 0, FALSE};
    if (m == 0 || n == 0)
        return shift;
    gsize pairs = (gsize) m * n;
    g_autofree double *d = sorted_differences(x, m, y, n);
    g_autofree double *cdf = cdf_table(m, n);
    shift.exact = is_exact(m, n);
    shift.u = 0;
    for (gsize i = 0; i < pairs; i++)
        shift.u += 0.5 * ((d[i] > 0) + (d[i] >= 0));
    while (shift.k < pairs && cdf[shift.k] <= alpha / 2)
        shift.k++;
    gsize rank = MAX(shift.k, 1); /* too few values: the widest there is */
    gsize tail = (gsize) ceil(MIN(shift.u, (double) pairs - shift.u));
    shift.est = median(d, (guint) pairs);
    shift.lo = d[rank - 1];
    shift.hi = d[pairs - rank];
    shift.confidence = MAX(0.0, 1 - 2 * cdf[rank - 1]);
    shift.p = MIN(1.0, 2 * cdf[tail]);
    return shift;
}
