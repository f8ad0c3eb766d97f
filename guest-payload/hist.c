/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See hist.h.  The formulas are METHOD 6.3's.
 */
#include "guest-payload/hist.h"

#include <math.h>

uint64_t
hist_low(uint32_t bin)
{
    if (bin < 256)
        return bin;
    unsigned e = (bin >> 7) - 1;
    return (uint64_t) ((bin & 127) + 128) << e;
}

uint64_t
hist_high(uint32_t bin)
{
    return bin + 1 < HIST_BINS ? hist_low(bin + 1) - 1 : UINT64_MAX;
}

uint64_t
hist_percentile(const Hist *hist, double p)
{
    /* The small amount keeps 99.9 % of 1000 at 999, not 1000: the product is
     * a hair above a whole number in binary. */
    double rank = ceil(p / 100 * (double) hist->n - 1e-9);
    uint64_t seen = 0;

    for (uint32_t bin = 0; bin < HIST_BINS; bin++) {
        seen += hist->count[bin];
        if (seen && (double) seen >= rank)
            return hist_high(bin);
    }
    return 0;
}

int
hist_supports(uint64_t n, double p)
{
    /* n * (100 - p) >= 1000 is the same without a division; the small amount
     * is for 99.9, which binary cannot hold. */
    return (double) n * (100 - p) >= 1000 - 1e-6;
}
