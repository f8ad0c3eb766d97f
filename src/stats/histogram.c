/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of a log-linear histogram.  Bin indices come from a guest, so
 * that none of them, however large, may do harm here.
 */
#include "stats/histogram.h"

#include <math.h>

/* 2^7 bins a power of two: at most 1/128 wide. */
#define SUB_BITS 7
#define SUB (1u << SUB_BITS)
/* One above the bin of the largest 64-bit value. */
#define BINS ((64 - SUB_BITS + 1) * SUB)
/* Relative allowance for p/100*n in floating point: 99.9 % of 10 000 is the
 * 9990th, not the 9991st.  Rounding gives some 1e-15. */
#define RANK_SLACK 1e-14
/* Observations wanted above a percentile (METHOD 6.3), and the relative error
 * of 100 - p, which loses digits near 100. */
#define TAIL_MIN 10
#define TAIL_SLACK 1e-12

guint32
histogram_bin(guint64 value)
{
    if (value < SUB)
        return (guint32) value;
    guint e = 63 - (guint) __builtin_clzll(value) - SUB_BITS;
    return (e << SUB_BITS) + (guint32) (value >> e);
}

guint64
histogram_low(guint32 bin)
{
    if (bin >= BINS)
        return G_MAXUINT64;
    if (bin < 2 * SUB)
        return bin;
    guint e = (bin >> SUB_BITS) - 1;
    return (guint64) ((bin & (SUB - 1)) + SUB) << e;
}

guint64
histogram_high(guint32 bin)
{
    if (bin >= BINS - 1)
        return G_MAXUINT64;
    return histogram_low(bin + 1) - 1;
}

static gint64
nearest_rank(gint64 n, double p)
{
    double exact = p / 100 * (double) n;
    double rank = ceil(exact * (1 - RANK_SLACK));
    return rank < 1 ? 1 : (gint64) rank;
}

guint64
histogram_percentile(const guint32 *bin, const gint64 *counts, guint count,
                     gint64 n, double p)
{
    if (count == 0)
        return 0;
    gint64 left = nearest_rank(n, p);
    guint i = 0;
    while (i < count - 1 && counts[i] < left)
        left -= counts[i++];
    return histogram_high(bin[i]);
}

gboolean
histogram_supports(gint64 n, double p)
{
    return (double) n * (100 - p) >= TAIL_MIN * 100 * (1 - TAIL_SLACK);
}
