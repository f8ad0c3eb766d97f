/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change point, trend and slope of a short series, all by ranks or medians so
 * that a single wild run moves none of them.
 */
#include "stats/drift.h"

#include <math.h>

#include "stats/signedrank.h"

/* METHOD 5.4, from the SNIA performance test specification: the last samples
 * may span 20 % of their mean, and their fitted line may rise or fall 10 %. */
#define MAX_EXCURSION 0.20
#define MAX_SLOPE_EXCURSION 0.10

static int
sign(double x)
{
    return (x > 0) - (x < 0);
}

void
drift_center(double *y, const guint *cell, guint n)
{
    guint n_cells = 0;
    for (guint i = 0; i < n; i++)
        n_cells = MAX(n_cells, cell[i] + 1);
    g_autofree double *sum = g_new0(double, n_cells);
    g_autofree guint *count = g_new0(guint, n_cells);
    for (guint i = 0; i < n; i++) {
        sum[cell[i]] += y[i];
        count[cell[i]]++;
    }
    for (guint i = 0; i < n; i++)
        y[i] -= sum[cell[i]] / count[cell[i]];
}

/* U_t compares all before with all after.  When value t moves from after to
 * before, U grows by its comparison with every other value. */
Pettitt
drift_pettitt(const double *y, guint n)
{
    Pettitt result = {.p = 1};
    gint64 u = 0;
    for (guint t = 1; t < n; t++) {
        for (guint j = 0; j < n; j++)
            u += sign(y[t - 1] - y[j]);
        if (ABS(u) > ABS(result.u)) {
            result.u = u;
            result.at = t;
        }
    }
    if (result.at == 0)
        return result;
    double k = (double) ABS(result.u), size = n;
    double exponent = -6 * k * k / (size * size * size + size * size);
    result.p = MIN(1.0, 2 * exp(exponent));
    return result;
}

double
drift_shift(const double *y, guint n, guint at)
{
    if (at == 0 || at >= n)
        return NAN;
    return median(y + at, n - at) - median(y, at);
}

Kendall
drift_kendall(const double *y, guint n)
{
    Kendall result = {.p = 1};
    if (n < 2)
        return result;
    for (guint i = 0; i < n; i++)
        for (guint j = i + 1; j < n; j++)
            result.s += sign(y[j] - y[i]);
    double size = n, s = (double) result.s;
    double variance = size * (size - 1) * (2 * size + 5) / 18;
    result.z = (s - sign(s)) / sqrt(variance);
    result.p = erfc(fabs(result.z) / M_SQRT2);
    return result;
}

double
drift_theil_sen(const double *x, const double *y, guint n)
{
    g_autofree double *slopes = g_new(double, (gsize) n *n / 2 + 1);
    guint count = 0;
    for (guint i = 0; i < n; i++)
        for (guint j = i + 1; j < n; j++)
            if (x[j] != x[i])
                slopes[count++] = (y[j] - y[i]) / (x[j] - x[i]);
    return median(slopes, count);
}

typedef struct Mean {
    double sum;
    guint count;
} Mean;

static void
mean_add(Mean *mean, double y)
{
    mean->sum += y;
    mean->count++;
}

static double
mean_of(const Mean *mean)
{
    return mean->sum / mean->count;
}

void
drift_residuals(const Blocks *blocks, double *residuals)
{
    g_autofree Mean *cells = g_new0(Mean, blocks->n_cells);
    g_autofree Mean *rows = g_new0(Mean, blocks->n_blocks);
    Mean grand = {0, 0};
    gsize size = (gsize) blocks->n_cells * blocks->n_blocks;
    for (gsize i = 0; i < size; i++) {
        if (!isfinite(blocks->y[i]))
            continue;
        mean_add(&cells[i / blocks->n_blocks], blocks->y[i]);
        mean_add(&rows[i % blocks->n_blocks], blocks->y[i]);
        mean_add(&grand, blocks->y[i]);
    }
    for (gsize i = 0; i < size; i++) {
        residuals[i] = NAN;
        if (isfinite(blocks->y[i]))
            residuals[i] =
                blocks->y[i] - mean_of(&cells[i / blocks->n_blocks]) -
                mean_of(&rows[i % blocks->n_blocks]) + mean_of(&grand);
    }
}

/* Slope of the least-squares line through (0, x[0]), (1, x[1]), ... */
static double
line_slope(const double *x, guint n, double mean)
{
    double middle = (n - 1) / 2.0, products = 0, squares = 0;
    for (guint i = 0; i < n; i++) {
        products += (i - middle) * (x[i] - mean);
        squares += (i - middle) * (i - middle);
    }
    return n > 1 ? products / squares : 0;
}

Steady
drift_steady(const double *x, guint n)
{
    Steady result = {NAN, NAN, NAN, FALSE};
    if (n == 0)
        return result;
    double sum = 0, low = x[0], high = x[0];
    for (guint i = 0; i < n; i++) {
        sum += x[i];
        low = MIN(low, x[i]);
        high = MAX(high, x[i]);
    }
    result.mean = sum / n;
    if (result.mean <= 0)
        return result;
    double rise = line_slope(x, n, result.mean) * (n - 1);
    result.excursion = (high - low) / result.mean;
    result.slope_excursion = fabs(rise) / result.mean;
    result.steady = result.excursion <= MAX_EXCURSION &&
                    result.slope_excursion <= MAX_SLOPE_EXCURSION;
    return result;
}
