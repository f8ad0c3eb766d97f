/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Within-block contrasts: a table of logarithms, weighted sums inside each
 * block, and the choice of interval and test (METHOD 7.1 to 7.3).
 */
#include "stats/contrast.h"

#include <math.h>

#include "stats/signedrank.h"

/* Below this many blocks nothing is inferred (METHOD 7.3). */
#define MIN_BLOCKS 3

Blocks *
blocks_new(guint n_cells, guint n_blocks)
{
    Blocks *blocks = g_new0(Blocks, 1);
    gsize size = (gsize) n_cells * n_blocks;
    blocks->n_cells = n_cells;
    blocks->n_blocks = n_blocks;
    blocks->y = g_new(double, size);
    for (gsize i = 0; i < size; i++)
        blocks->y[i] = NAN;
    return blocks;
}

static gsize
blocks_index(const Blocks *blocks, guint cell, guint block)
{
    g_assert(cell < blocks->n_cells && block < blocks->n_blocks);
    return (gsize) cell * blocks->n_blocks + block;
}

void
blocks_set(Blocks *blocks, guint cell, guint block, double y)
{
    blocks->y[blocks_index(blocks, cell, block)] = y;
}

double
blocks_get(const Blocks *blocks, guint cell, guint block)
{
    return blocks->y[blocks_index(blocks, cell, block)];
}

void
blocks_free(Blocks *blocks)
{
    if (!blocks)
        return;
    g_free(blocks->y);
    g_free(blocks);
}

double
contrast_log(double x, gboolean higher_better)
{
    if (!isfinite(x) || x <= 0)
        return NAN;
    return higher_better ? log(x) : -log(x);
}

/* sum[block] += weight * y of the cell; a missing value makes it NaN. */
static void
add_cell(const Blocks *blocks, guint cell, double weight, double *sum)
{
    const double *y = blocks->y + (gsize) cell * blocks->n_blocks;
    for (guint block = 0; block < blocks->n_blocks; block++)
        sum[block] += weight * y[block];
}

guint
contrast_differences(const Blocks *blocks, const double *weights, double *d)
{
    g_autofree double *sum = g_new0(double, blocks->n_blocks);
    gboolean needs_any = FALSE;
    guint n = 0;
    for (guint cell = 0; cell < blocks->n_cells; cell++) {
        if (weights[cell] == 0)
            continue;
        needs_any = TRUE;
        add_cell(blocks, cell, weights[cell], sum);
    }
    for (guint block = 0; needs_any && block < blocks->n_blocks; block++)
        if (isfinite(sum[block]))
            d[n++] = sum[block];
    return n;
}

static gboolean
all_finite(const double *d, guint n)
{
    for (guint i = 0; i < n; i++)
        if (!isfinite(d[i]))
            return FALSE;
    return TRUE;
}

static double
mean(const double *d, guint n)
{
    double sum = 0;
    for (guint i = 0; i < n; i++)
        sum += d[i];
    return sum / n;
}

/* The smallest p an exact test of n pairs can give is 2^(1-n): where that is
 * above the level, it cannot answer and the t version does.  This looks at n
 * and the family only, never at the data. */
static Method
choose(guint n, double level)
{
    gboolean attainable = ldexp(1, 1 - (int) n) <= level;
    return attainable && n <= SIGNEDRANK_MAX ? METHOD_EXACT : METHOD_T;
}

static Interval
interval_by(Method method, const double *d, guint n, double alpha)
{
    return method == METHOD_EXACT ? signedrank_interval(d, n, alpha)
                                  : student_interval(d, n, alpha);
}

Estimate
contrast_infer(const double *d, guint n, guint comparisons, double alpha)
{
    Estimate estimate = {.n = n, .est = NAN, .lo = NAN, .hi = NAN, .p = NAN};
    if (n == 0 || !all_finite(d, n))
        return estimate;
    if (n < MIN_BLOCKS) {
        estimate.est = mean(d, n);
        estimate.ci_method = estimate.p_method = METHOD_DESCRIPTIVE;
        return estimate;
    }
    estimate.ci_method = choose(n, alpha);
    estimate.p_method = choose(n, alpha / MAX(comparisons, 1));
    Interval ci = interval_by(estimate.ci_method, d, n, alpha);
    Interval test = ci;
    if (estimate.p_method != estimate.ci_method)
        test = interval_by(estimate.p_method, d, n, alpha);
    estimate.est = ci.est;
    estimate.lo = ci.lo;
    estimate.hi = ci.hi;
    estimate.confidence = ci.confidence;
    estimate.p = test.p;
    return estimate;
}

double
contrast_point(const double *d, guint n, double alpha)
{
    if (n == 0 || !all_finite(d, n))
        return NAN;
    if (n < MIN_BLOCKS || choose(n, alpha) == METHOD_T)
        return mean(d, n);
    return signedrank_point(d, n);
}
