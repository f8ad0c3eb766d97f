/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log-linear latency histogram of METHOD 6.3, as the payload fills it:
 * integer nanoseconds, 128 bins per power of two (at most 0.78 % wide), all
 * memory taken beforehand, so that adding is a few instructions.
 */
#pragma once

#include <stdint.h>

/* The bin of 2^64-1 is (56 << 7) + 255. */
#define HIST_BINS 7424

typedef struct Hist {
    uint64_t n;
    uint64_t count[HIST_BINS];
} Hist;

static inline uint32_t
hist_bin(uint64_t value)
{
    if (value < 128)
        return (uint32_t) value;
    unsigned e = 63 - (unsigned) __builtin_clzll(value) - 7;
    return (e << 7) + (uint32_t) (value >> e);
}

static inline void
hist_add(Hist *hist, uint64_t value)
{
    hist->count[hist_bin(value)]++;
    hist->n++;
}

/* Lowest and highest value of a bin. */
uint64_t hist_low(uint32_t bin);
uint64_t hist_high(uint32_t bin);
/* Nearest-rank percentile p (0..100]: the high end of the bin that holds the
 * ceil(p/100*n)-th smallest; 0 for an empty histogram. */
uint64_t hist_percentile(const Hist *hist, double p);
/* Non-zero when n observations carry that percentile: n >= 10 / (1 - p/100). */
int hist_supports(uint64_t n, double p);
