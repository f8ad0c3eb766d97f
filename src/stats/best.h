/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the best cell is worth without the winner's curse (METHOD 8.3): each
 * block is scored with the cell that is best on the other blocks.
 */
#pragma once

#include "stats/contrast.h"

#define BEST_NO_CELL G_MAXUINT

/* The candidate of the largest mean y; equal ones: the earlier in candidates.
 * Only blocks in which every candidate has a value count: means over different
 * blocks cannot be compared.  Without such a block, BEST_NO_CELL.  Good for a
 * name; its gain is biased upwards. */
guint best_naive(const Blocks *blocks, const guint *candidates,
                 guint n_candidates);

/* Cross-fitted: picks[block] is the candidate that is best on the other
 * blocks, BEST_NO_CELL for a block that lacks a candidate and when no other
 * block is complete.  d (room for n_blocks) gets y(pick) - y(reference) of each
 * block that has both, in block order; returns how many.  contrast_infer()
 * takes them. */
guint best_crossfit(const Blocks *blocks, const guint *candidates,
                    guint n_candidates, guint reference, guint *picks,
                    double *d);
