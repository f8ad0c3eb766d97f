/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much measuring is enough: blocks for a half-width, iterations inside a
 * boot, and when a contrast is resolved (METHOD 3.4, 4.3, 4.4).  Significance
 * is never asked.
 */
#pragma once

#include "stats/contrast.h"

/* Iterations in one boot, at most (METHOD 4.3). */
#define PRECISION_MAX_ITERATIONS 10

/* The fewest blocks with which Holm over `comparisons` can reach the level:
 * the exact p of B blocks is never below 2^(1-B). */
guint precision_min_blocks(guint comparisons, double alpha);

/* Blocks for a half-width h on the log scale when the differences scatter by
 * sd; at least precision_min_blocks().  G_MAXUINT when h is 0 or less. */
guint precision_blocks(double sd, double h, guint comparisons, double alpha);

/* The half-width that so many blocks give: precision_blocks() the other way
 * round, without its bound.  Infinite for none. */
double precision_half_width(double sd, guint blocks, double alpha);

/* Standard deviation of n differences; NaN below 2. */
double precision_sd(const double *d, guint n);

/* Half the equivalence band: ln(1 + delta) / 2, delta being a ratio (0.02). */
double precision_half_band(double delta);
/* The half-width that is good enough for a contrast (METHOD 4.4): h, which is
 * a log, or a tenth of the effect where that is more. */
double precision_target(double est, double h);
/* FALSE without an interval. */
gboolean precision_resolved(const Estimate *estimate, double h);
/* Blocks that the contrast of these differences will need; sd and effect as
 * seen so far.  G_MAXUINT without a scatter to judge by. */
guint precision_blocks_needed(const double *d, const Estimate *estimate,
                              double h, guint comparisons, double alpha);

/* Variances of a pilot with the same number of iterations in every boot. */
typedef struct Levels {
    double mean;
    double within;  /* T1^2: mean variance of the iterations of a boot */
    double of_boot; /* S2^2: variance of the means of the boots */
    double between; /* T2^2: what of that the boots themselves add, >= 0 */
} Levels;

/* x[boot * iterations + i]; at least 2 boots of 2 iterations, or NaN. */
Levels precision_levels(const double *x, guint boots, guint iterations);

/* Iterations in a boot that give the smallest variance for the time:
 * sqrt(boot cost / iteration cost * within / between), rounded up and held in
 * 1..PRECISION_MAX_ITERATIONS.  Costs in one unit, above 0.  Boots that do not
 * differ: the most.  A variance that is not known (NaN): 1. */
guint precision_iterations(double within, double between, double iteration_cost,
                           double boot_cost);
