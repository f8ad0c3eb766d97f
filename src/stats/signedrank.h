/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wilcoxon signed-rank: Hodges-Lehmann estimate, exact interval and test
 * (METHOD 7.2), Student's t on logs, order statistics of a median (7.3).
 */
#pragma once

#include <glib.h>

/* The table of the distribution is n(n+1)/2 long and takes n times that to
 * fill (50 ms at this size); more blocks than this take the t version. */
#define SIGNEDRANK_MAX 512

/* P(T <= q) for n pairs, n up to SIGNEDRANK_MAX.  0 for q < 0. */
double signedrank_cdf(int q, guint n);
/* Largest k with P(T <= k-1) <= alpha/2; 0: none. */
guint signedrank_k(guint n, double alpha);

typedef struct Interval {
    double est, lo, hi, confidence, p;
    guint k; /* 0 for the t version */
} Interval;

/* All of these take finite numbers only; no number (for Student's t: fewer
 * than two) gives NaN.  Where n is too small for the level,
 * signedrank_interval() and median_interval() give the widest interval there
 * is, with k = 0 and its true (lower) confidence. */
Interval signedrank_interval(const double *d, guint n, double alpha);
/* The Hodges-Lehmann estimate alone. */
double signedrank_point(const double *d, guint n);
Interval student_interval(const double *d, guint n, double alpha);
/* Median with order-statistic interval, p NaN; sorts nothing in place. */
Interval median_interval(const double *x, guint n, double alpha);
double median(const double *x, guint n);
