/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing on one part of the blocks, scoring on the other.
 */
#include "stats/best.h"

#include <math.h>

#define NO_BLOCK G_MAXUINT

typedef struct Choice {
    const Blocks *blocks;
    const guint *candidates;
    guint n_candidates;
} Choice;

static gboolean
is_complete(const Choice *choice, guint block)
{
    for (guint i = 0; i < choice->n_candidates; i++)
        if (!isfinite(blocks_get(choice->blocks, choice->candidates[i], block)))
            return FALSE;
    return TRUE;
}

/* The best candidate over all complete blocks but one.  All have the same
 * number of blocks, so that their sums are in the order of their means. */
static guint
best_without(const Choice *choice, guint left_out)
{
    guint best = BEST_NO_CELL, used = 0;
    g_autofree double *sum = g_new0(double, choice->n_candidates);
    for (guint block = 0; block < choice->blocks->n_blocks; block++) {
        if (block == left_out || !is_complete(choice, block))
            continue;
        used++;
        for (guint i = 0; i < choice->n_candidates; i++)
            sum[i] += blocks_get(choice->blocks, choice->candidates[i], block);
    }
    double highest = -INFINITY;
    for (guint i = 0; used > 0 && i < choice->n_candidates; i++) {
        if (sum[i] <= highest)
            continue;
        highest = sum[i];
        best = choice->candidates[i];
    }
    return best;
}

guint
best_naive(const Blocks *blocks, const guint *candidates, guint n_candidates)
{
    Choice choice = {blocks, candidates, n_candidates};
    return best_without(&choice, NO_BLOCK);
}

guint
best_crossfit(const Blocks *blocks, const guint *candidates, guint n_candidates,
              guint reference, guint *picks, double *d)
{
    Choice choice = {blocks, candidates, n_candidates};
    guint n = 0;
    for (guint block = 0; block < blocks->n_blocks; block++) {
        picks[block] = BEST_NO_CELL;
        if (is_complete(&choice, block))
            picks[block] = best_without(&choice, block);
        if (picks[block] == BEST_NO_CELL)
            continue;
        double difference = blocks_get(blocks, picks[block], block) -
                            blocks_get(blocks, reference, block);
        if (isfinite(difference))
            d[n++] = difference;
    }
    return n;
}
