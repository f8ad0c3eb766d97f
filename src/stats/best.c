/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing on one part of the blocks, scoring on the other.
 */
#include "stats/best.h"

#include <math.h>

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

/* sum[block * n_candidates + i]: of candidate i over the complete blocks from
 * this one on; one block more than there are.  Returns how many are
 * complete. */
static guint
sum_from_behind(const Choice *choice, double *sum)
{
    guint k = choice->n_candidates, complete = 0;
    for (guint block = choice->blocks->n_blocks; block-- > 0;) {
        gboolean counts = is_complete(choice, block);
        double *own = sum + (gsize) block * k, *next = own + k;
        complete += counts ? 1 : 0;
        for (guint i = 0; i < k; i++)
            own[i] =
                next[i] + (counts ? blocks_get(choice->blocks,
                                               choice->candidates[i], block)
                                  : 0);
    }
    return complete;
}

/* The best candidate by the sums before and behind a block.  All have the same
 * number of blocks, so that their sums are in the order of their means. */
static guint
best_by(const Choice *choice, const double *before, const double *behind)
{
    guint best = BEST_NO_CELL;
    double highest = -INFINITY;
    for (guint i = 0; i < choice->n_candidates; i++) {
        double sum = before[i] + behind[i];
        if (sum <= highest)
            continue;
        highest = sum;
        best = choice->candidates[i];
    }
    return best;
}

static double *
new_sums(const Choice *choice)
{
    return g_new0(double, ((gsize) choice->blocks->n_blocks + 1) *
                              choice->n_candidates);
}

guint
best_naive(const Blocks *blocks, const guint *candidates, guint n_candidates)
{
    Choice choice = {blocks, candidates, n_candidates};
    g_autofree double *behind = new_sums(&choice);
    g_autofree double *before = g_new0(double, n_candidates);
    if (sum_from_behind(&choice, behind) == 0)
        return BEST_NO_CELL;
    return best_by(&choice, before, behind);
}

guint
best_crossfit(const Blocks *blocks, const guint *candidates, guint n_candidates,
              guint reference, guint *picks, double *d)
{
    Choice choice = {blocks, candidates, n_candidates};
    g_autofree double *behind = new_sums(&choice);
    g_autofree double *before = g_new0(double, n_candidates);
    guint complete = sum_from_behind(&choice, behind), n = 0;
    for (guint block = 0; block < blocks->n_blocks; block++) {
        picks[block] = BEST_NO_CELL;
        if (complete < 2 || !is_complete(&choice, block))
            continue;
        picks[block] = best_by(&choice, before,
                               behind + ((gsize) block + 1) * n_candidates);
        for (guint i = 0; i < n_candidates; i++)
            before[i] += blocks_get(blocks, candidates[i], block);
        double difference = blocks_get(blocks, picks[block], block) -
                            blocks_get(blocks, reference, block);
        if (isfinite(difference))
            d[n++] = difference;
    }
    return n;
}
