/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sample sizes by the usual formulas, from variances that were seen.
 */
#include "stats/precision.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

/* The rank estimate needs 1/this many times the blocks of the mean when the
 * scatter is normal: 3/pi, its asymptotic relative efficiency. */
#define RANK_EFFICIENCY (3 / M_PI)
/* METHOD 4.4: a tenth of the effect is a fine enough answer for a large one. */
#define EFFECT_SHARE 0.1

guint
precision_min_blocks(guint comparisons, double alpha)
{
    g_assert(alpha > 0);
    double level = alpha / MAX(comparisons, 1);
    guint blocks = 1;
    while (ldexp(1, 1 - (int) blocks) > level)
        blocks++;
    return blocks;
}

/* Rounded up; what no guint holds, NaN included, is the most. */
static guint
ceil_count(double count)
{
    return count < G_MAXUINT ? (guint) ceil(count) : G_MAXUINT;
}

guint
precision_blocks(double sd, double h, guint comparisons, double alpha)
{
    guint least = precision_min_blocks(comparisons, alpha);
    if (!(h > 0))
        return G_MAXUINT;
    double ratio = gsl_cdf_ugaussian_Qinv(alpha / 2) * sd / h;
    return MAX(least, ceil_count(ratio * ratio / RANK_EFFICIENCY));
}

double
precision_half_width(double sd, guint blocks, double alpha)
{
    return gsl_cdf_ugaussian_Qinv(alpha / 2) * sd /
           sqrt(blocks * RANK_EFFICIENCY);
}

double
precision_sd(const double *d, guint n)
{
    return n < 2 ? NAN : gsl_stats_sd(d, 1, n);
}

double
precision_half_band(double delta)
{
    return log1p(delta) / 2;
}

double
precision_target(double est, double h)
{
    return MAX(h, EFFECT_SHARE * fabs(est));
}

gboolean
precision_resolved(const Estimate *estimate, double h)
{
    double half = (estimate->hi - estimate->lo) / 2;
    return half <= precision_target(estimate->est, h);
}

guint
precision_blocks_needed(const double *d, const Estimate *estimate, double h,
                        guint comparisons, double alpha)
{
    return precision_blocks(precision_sd(d, estimate->n),
                            precision_target(estimate->est, h), comparisons,
                            alpha);
}

Levels
precision_levels(const double *x, guint boots, guint iterations)
{
    Levels levels = {NAN, NAN, NAN, NAN};
    if (boots < 2 || iterations < 2)
        return levels;
    g_autofree double *means = g_new(double, boots);
    double within = 0;
    for (guint boot = 0; boot < boots; boot++) {
        const double *of_boot = x + (gsize) boot * iterations;
        means[boot] = gsl_stats_mean(of_boot, 1, iterations);
        within += gsl_stats_variance(of_boot, 1, iterations);
    }
    levels.mean = gsl_stats_mean(means, 1, boots);
    levels.within = within / boots;
    levels.of_boot = gsl_stats_variance(means, 1, boots);
    levels.between = MAX(0.0, levels.of_boot - levels.within / iterations);
    return levels;
}

guint
precision_iterations(double within, double between, double iteration_cost,
                     double boot_cost)
{
    if (isnan(within) || isnan(between))
        return 1;
    if (between <= 0)
        return PRECISION_MAX_ITERATIONS;
    double best = sqrt(boot_cost / iteration_cost * within / between);
    return CLAMP(ceil_count(best), 1, PRECISION_MAX_ITERATIONS);
}
