/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two sweeps that share no block (METHOD 7.8): the exact Mann-Whitney test and
 * the Hodges-Lehmann shift with its interval.  Whoever prints one of these says
 * "unblocked: drift between sweeps not controlled".
 */
#pragma once

#include <glib.h>

/* With more pairs than this (128 times 128) the distribution of U is the normal
 * one with continuity: the exact one takes memory for the pairs times the
 * smaller group, 16 MB here. */
#define UNBLOCKED_MAX_PAIRS 16384

typedef struct Shift {
    double u;           /* pairs with x above y, equal ones by half */
    double est, lo, hi; /* location of x less location of y */
    double confidence;  /* achieved, 0..1 */
    double p;           /* two-sided */
    guint k;            /* 0: too few for the level, lo..hi is all there is */
    gboolean exact;
} Shift;

/* Finite numbers only; an empty group gives NaN, with confidence 0. */
Shift unblocked_shift(const double *x, guint m, const double *y, guint n,
                      double alpha);

/* P(U <= u) for groups of m and n, both at least 1. */
double unblocked_cdf(int u, guint m, guint n);
