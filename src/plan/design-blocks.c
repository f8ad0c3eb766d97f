/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many blocks a design gets: the bound of METHOD 3.4, and the looks of
 * METHOD 4.4 at which a sweep may end.
 */
#include "plan/design-make.h"

/* 1 / alpha, alpha = 0.05 (METHOD 3.4). */
#define ALPHA_INVERSE 20
/* Below this no exact interval at 95 % exists (METHOD 7.3). */
#define BLOCKS_EXACT 6
/* Beyond the bound, for power (METHOD 0.13). */
#define BLOCKS_SPARE 2
#define BLOCKS_QUICK 3

/* After so many whole blocks, and no others, the precision is looked at: few
 * looks, so that looking does not itself choose the result (METHOD 4.4). */
static const guint looks[] = {6, 8, 10, 12, 16, 20, 24, 32};
#define LAST_LOOK looks[G_N_ELEMENTS(looks) - 1]

guint
design_blocks_bound(guint comparisons)
{
    guint64 wanted = (guint64) MAX(comparisons, 1) * ALPHA_INVERSE;
    guint blocks = 1;

    /* 1 + ceil(log2(m / alpha)) without floating point. */
    for (guint64 power = 1; power < wanted; power *= 2)
        blocks++;
    return MAX(blocks, BLOCKS_EXACT);
}

/* The first look after `block` or more blocks, or 0. */
static guint
look_from(guint block)
{
    for (gsize i = 0; i < G_N_ELEMENTS(looks); i++)
        if (looks[i] >= block)
            return looks[i];
    return 0;
}

guint
design_next_end(const Design *design, guint block)
{
    guint look = look_from(MAX(block, design->blocks_min));

    return look && look < design->blocks_max ? look : design->blocks_max;
}

bool
design_is_look(const Design *design, guint block)
{
    return design->blocks_min < design->blocks_max &&
           block >= design->blocks_min && block <= design->blocks_max &&
           look_from(block) == block;
}

void
design_fix_blocks(Design *design, guint blocks)
{
    design->blocks_min = design->blocks_max = blocks;
}

void
design_set_blocks(Design *design)
{
    const Matrix *matrix = design->matrix;
    guint bound = design_blocks_bound(design->comparisons);
    guint min = matrix->blocks_min, max = matrix->blocks_max;

    if (!min)
        min = max ? MIN(bound + BLOCKS_SPARE, max) : bound + BLOCKS_SPARE;
    if (!max)
        max = matrix->precision > 0 ? MAX(min, LAST_LOOK) : min;
    if (matrix->quick)
        min = max = BLOCKS_QUICK;
    design->blocks_min = min;
    design->blocks_max = max;
    if (min < max)
        design->blocks_min = design_next_end(design, bound);
}
