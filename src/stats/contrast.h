/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Within-block contrasts and their inference: METHOD 7.1 to 7.3.  Arrays in,
 * estimates out.
 */
#pragma once

#include <glib.h>

/* y[cell][block] on the log scale, better up; NaN: missing. */
typedef struct Blocks {
    guint n_cells, n_blocks;
    double *y; /* y[cell * n_blocks + block] */
} Blocks;

Blocks *blocks_new(guint n_cells, guint n_blocks); /* all NaN */
void blocks_set(Blocks *blocks, guint cell, guint block, double y);
double blocks_get(const Blocks *blocks, guint cell, guint block);
void blocks_free(Blocks *blocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Blocks, blocks_free)

/* METHOD 6.1: ln x, negated when lower is better; NaN for x <= 0. */
double contrast_log(double x, gboolean higher_better);

typedef enum {
    METHOD_NONE,
    METHOD_DESCRIPTIVE,
    METHOD_EXACT,
    METHOD_T,
    METHOD_NORMAL /* unblocked, too many pairs for the exact one */
} Method;

typedef struct Estimate {
    guint n;            /* blocks used */
    double est, lo, hi; /* log scale */
    double confidence;  /* achieved, 0..1 */
    double p;           /* two-sided, unadjusted; NaN below 3 blocks */
    Method ci_method, p_method;
} Estimate;

/* Weights over cells; cells of weight 0 are not needed.  Fills d (room for
 * n_blocks) with the finite differences, in block order, and returns n: 0 when
 * all weights are 0. */
guint contrast_differences(const Blocks *blocks, const double *weights,
                           double *d);
/* METHOD 7.3 with `comparisons` in the family at level `alpha`.  No block, or a
 * difference that is not finite: METHOD_NONE and NaN.  One or two blocks:
 * METHOD_DESCRIPTIVE, est is the mean and the rest NaN. */
Estimate contrast_infer(const double *d, guint n, guint comparisons,
                        double alpha);
/* The estimate of contrast_infer() alone, for figures without an interval. */
double contrast_point(const double *d, guint n, double alpha);
