/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the interval of a contrast holds the true difference: METHOD 13,
 * S3, for every number of blocks from 3 to 16.
 */
#include "campaign.h"

#include "stats/contrast.h"

#define MIN_BLOCKS 3
#define MAX_BLOCKS 16
#define MIN_EXACT 6 /* METHOD 7.3, at 95 % */
#define MIN_COVERAGE 0.93
/* Normal noise: the coverage is the confidence that is printed, so ten times
 * the data sets that the limit speaks of. */
#define PRECISE_SETS (10 * NOMINAL_SETS)

/* The share of data sets of n blocks, true difference 0, whose interval holds
 * it. */
static double
coverage(gsl_rng *rng, const struct Noise *noise, guint n, guint sets,
         double *confidence)
{
    guint held = 0;
    for (guint set = 0; set < sets; set++) {
        double d[MAX_BLOCKS];
        for (guint i = 0; i < n; i++)
            d[i] = noise->draw(rng) - noise->draw(rng);
        Estimate estimate = contrast_infer(d, n, 1, ALPHA);
        held += estimate.lo <= 0 && estimate.hi >= 0;
        *confidence = estimate.confidence;
    }
    return (double) held / sets;
}

static void
check_shape(gsl_rng *rng, const struct Noise *noise)
{
    double lowest = 1, confidence = 0;
    guint at = 0;
    for (guint n = MIN_BLOCKS; n <= MAX_BLOCKS; n++) {
        double share = coverage(rng, noise, n, NOMINAL_SETS, &confidence);
        if (share >= lowest)
            continue;
        lowest = share;
        at = n;
    }
    row(lowest, AT_LEAST, MIN_COVERAGE,
        "coverage, %s, n = %d..%d, lowest (n = %u)", noise->name, MIN_BLOCKS,
        MAX_BLOCKS, at);
}

static void
check_printed(gsl_rng *rng)
{
    for (guint n = MIN_EXACT; n <= MAX_BLOCKS; n++) {
        double confidence = 0;
        double share = coverage(rng, &noises[0], n, PRECISE_SETS, &confidence);
        row(fabs(share - confidence), AT_MOST,
            2 * standard_error(confidence, NOMINAL_SETS),
            "coverage %.4f off the printed %.4f, normal, n = %u", share,
            confidence, n);
    }
}

int
main(void)
{
    gsl_rng *rng = campaign_rng(3);
    for (guint i = 0; i < G_N_ELEMENTS(noises); i++)
        check_shape(rng, &noises[i]);
    check_printed(rng);
    gsl_rng_free(rng);
    return campaign_status();
}
