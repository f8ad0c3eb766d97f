/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random deviations by inverse distribution functions: see draw.h. */
#include "stats/draw.h"

#include <math.h>
#include <gsl/gsl_cdf.h>

/* The shapes of the simulations behind METHOD 13: exp of a normal of this
 * standard deviation; and a normal of SPREAD, of which one in ten (SLOW) is
 * moved up by FAR. */
#define LOG_SD 0.8
#define SPREAD 0.3
#define SLOW 0.1
#define FAR 3.0

double
draw_uniform(guint64 bits)
{
    /* 52 bits and a half: what a double holds, clear of 0 and 1. */
    return ((double) (bits >> 12) + 0.5) * 0x1p-52;
}

static double
lognormal(double uniform)
{
    double square = exp(LOG_SD * LOG_SD);
    double mean = sqrt(square);
    double sd = mean * sqrt(square - 1);

    return (exp(LOG_SD * gsl_cdf_ugaussian_Pinv(uniform)) - mean) / sd;
}

/* The place of the uniform number within its mode is uniform again. */
static double
bimodal(double uniform)
{
    bool slow = uniform < SLOW;
    double within = slow ? uniform / SLOW : (uniform - SLOW) / (1 - SLOW);
    double mean = SLOW * FAR;
    double sd = sqrt(SPREAD * SPREAD + SLOW * (1 - SLOW) * FAR * FAR);

    /* The division may round to an end of the interval, where nothing is. */
    within = CLAMP(within, 0x1p-54, 1 - 0x1p-53);
    return (SPREAD * gsl_cdf_ugaussian_Pinv(within) + (slow ? FAR : 0) - mean) /
           sd;
}

double
draw_standard(DrawShape shape, double uniform)
{
    switch (shape) {
    case DRAW_T3:
        return gsl_cdf_tdist_Pinv(uniform, 3) / sqrt(3); /* variance 3 */
    case DRAW_LOGNORMAL:
        return lognormal(uniform);
    case DRAW_BIMODAL:
        return bimodal(uniform);
    case DRAW_NORMAL:
        break;
    }
    return gsl_cdf_ugaussian_Pinv(uniform);
}
