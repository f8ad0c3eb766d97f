/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the campaigns of `make check-stats`: rows of figures with their limits,
 * and the noise that is measured under.  A campaign is seeded: it prints the
 * same figures each time.
 */
#pragma once

#include <math.h>
#include <stdio.h>
#include <glib.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#define ALPHA 0.05
/* METHOD 13 promises rates as they come out of so many data sets.  A limit
 * leaves two of its standard errors; where a rate may lie on its limit, more
 * are made, so that chance does not decide. */
#define NOMINAL_SETS 20000

static inline double
standard_error(double rate, guint sets)
{
    return sqrt(rate * (1 - rate) / sets);
}

/* A false rate of 5 %, and what 20,000 data sets may show of it. */
#define FALSE_RATE (ALPHA + 2 * standard_error(ALPHA, NOMINAL_SETS))

/* With a single comparison Holm leaves nothing over, and METHOD 4.4 admits what
 * stopping on the width of an interval costs: up to 5.8 %. */
#define ADMITTED 0.058

typedef enum { AT_LEAST, AT_MOST } Bound;

static guint campaign_failures;

/* One row: tests/campaigns/check-stats.sh counts them by their first word. */
static inline void G_GNUC_PRINTF(4, 5)
    row(double measured, Bound bound, double limit, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    gboolean kept = bound == AT_LEAST ? measured >= limit : measured <= limit;
    campaign_failures += !kept;
    printf("%-4s %-67s %7.4f  %s %.4f\n", kept ? "ok" : "FAIL", what, measured,
           bound == AT_LEAST ? ">=" : "<=", limit);
    fflush(stdout);
}

/* A figure that METHOD sets no limit to, for whoever reads the table. */
static inline void G_GNUC_PRINTF(2, 3)
    note(double measured, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    printf("%-4s %-67s %7.4f\n", "-", what, measured);
    fflush(stdout);
}

static inline int
campaign_status(void)
{
    return campaign_failures > 0;
}

static inline gsl_rng *
campaign_rng(gulong seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    return rng;
}

/* ------------------------------------------------------------------ noise */

static inline double
noise_normal(gsl_rng *rng)
{
    return gsl_ran_gaussian_ziggurat(rng, 1);
}

static inline double
noise_t3(gsl_rng *rng)
{
    return gsl_ran_tdist(rng, 3);
}

static inline double
noise_skewed(gsl_rng *rng)
{
    return gsl_ran_lognormal(rng, 0, 0.8) - exp(0.32);
}

/* One run in ten hits a slow mode. */
static inline double
noise_bimodal(gsl_rng *rng)
{
    double slow = gsl_rng_uniform(rng) < 0.1 ? 3 : 0;
    return gsl_ran_gaussian_ziggurat(rng, 0.3) + slow;
}

/* The shapes of METHOD 13, S3. */
static const struct Noise {
    const char *name;
    double (*draw)(gsl_rng *rng);
} noises[] = {
    {"normal", noise_normal},
    {"t3", noise_t3},
    {"skewed", noise_skewed},
    {"bimodal", noise_bimodal},
};
