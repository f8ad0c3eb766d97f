/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Did the rig change while the sweep ran (METHOD 7.9), and has a run reached
 * its steady state (5.4)?  Numbers in time order in, test results out; no
 * resampling anywhere.  All of these take finite numbers only.
 */
#pragma once

#include <glib.h>

#include "stats/contrast.h"

/* Below this p a test of drift raises the banner. */
#define DRIFT_ALPHA 0.01

/* Subtracts from each y the mean of its cell: runs of several cells become one
 * series. */
void drift_center(double *y, const guint *cell, guint n);

/* Pettitt's change point. */
typedef struct Pettitt {
    gint64 u; /* the U_t of the largest |U_t|; the first of equal ones */
    guint at; /* values before the change, 0 without any */
    double p; /* approximate: 2 exp(-6 K^2 / (n^3 + n^2)), at most 1 */
} Pettitt;

Pettitt drift_pettitt(const double *y, guint n);

/* Median after the change less median before; NaN unless 0 < at < n. */
double drift_shift(const double *y, guint n, guint at);

/* Kendall's S against time, with continuity correction. */
typedef struct Kendall {
    gint64 s;
    double z, p; /* two-sided, normal; z 0 and p 1 below 2 values */
} Kendall;

Kendall drift_kendall(const double *y, guint n);

/* Median slope of y on x over all pairs of different x; NaN without one. */
double drift_theil_sen(const double *x, const double *y, guint n);

/* What cell and block do not explain, y - cell mean - block mean + grand mean,
 * laid out like blocks->y; NaN where a value is missing.  Its Theil-Sen slope
 * on the position in the block is the position effect. */
void drift_residuals(const Blocks *blocks, double *residuals);

/* The steady-state gate on samples of equal length, here the last
 * DRIFT_STEADY_SAMPLES of a run. */
#define DRIFT_STEADY_SAMPLES 5

typedef struct Steady {
    double mean;
    double excursion;       /* (max - min) / mean */
    double slope_excursion; /* |slope| * (n - 1) / mean */
    gboolean steady;        /* FALSE without samples or a mean above 0 */
} Steady;

Steady drift_steady(const double *x, guint n);
