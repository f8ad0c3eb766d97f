/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums over the corners of a cube, collected as one weight per cell.
 */
#include "stats/ladder.h"

#include <string.h>

/* Adds factor * (y(to) - y(from)).  FALSE: a corner is missing. */
static gboolean
add_step(guint n_cells, guint from, guint to, double factor, double *weights)
{
    if (from == LADDER_NO_CELL || to == LADDER_NO_CELL)
        return FALSE;
    g_assert(from < n_cells && to < n_cells);
    weights[to] += factor;
    weights[from] -= factor;
    return TRUE;
}

static gboolean
add_edge(const Ladder *ladder, guint from, guint to, double factor,
         double *weights)
{
    return add_step(ladder->n_cells, ladder->cell[from], ladder->cell[to],
                    factor, weights);
}

static guint
best(const Ladder *ladder)
{
    g_assert(ladder->n_settings > 0 &&
             ladder->n_settings <= LADDER_MAX_SETTINGS);
    return (1u << ladder->n_settings) - 1;
}

static guint
bit(const Ladder *ladder, guint setting)
{
    g_assert(setting < ladder->n_settings);
    return 1u << setting;
}

/* Nothing is written when a corner was missing. */
static gboolean
deliver(gboolean complete, guint n_cells, const double *sum, double *weights)
{
    if (complete && n_cells > 0)
        memcpy(weights, sum, n_cells * sizeof *weights);
    return complete;
}

gboolean
ladder_step(guint n_cells, guint from, guint to, double *weights)
{
    g_autofree double *sum = g_new0(double, n_cells);
    gboolean complete = add_step(n_cells, from, to, 1, sum);
    return deliver(complete, n_cells, sum, weights);
}

gboolean
ladder_first_in(const Ladder *ladder, guint setting, double *weights)
{
    return ladder_step(ladder->n_cells, ladder->cell[0],
                       ladder->cell[bit(ladder, setting)], weights);
}

gboolean
ladder_last_in(const Ladder *ladder, guint setting, double *weights)
{
    guint all = best(ladder);
    return ladder_step(ladder->n_cells,
                       ladder->cell[all & ~bit(ladder, setting)],
                       ladder->cell[all], weights);
}

/* |S|! (k - |S| - 1)! / k! = 1 / (k C(k-1, |S|)), with `size` = |S|. */
static double
shapley_factor(guint k, guint size)
{
    double ways = 1;
    for (guint i = 1; i <= size; i++)
        ways = ways * (k - i) / i;
    return 1 / (k * ways);
}

gboolean
ladder_shapley(const Ladder *ladder, guint setting, double *weights)
{
    g_autofree double *sum = g_new0(double, ladder->n_cells);
    guint own = bit(ladder, setting), all = best(ladder);
    gboolean complete = TRUE;
    for (guint set = 0; complete && set <= all; set++) {
        if (set & own)
            continue;
        guint size = (guint) __builtin_popcount(set);
        double factor = shapley_factor(ladder->n_settings, size);
        complete = add_edge(ladder, set, set | own, factor, sum);
    }
    return deliver(complete, ladder->n_cells, sum, weights);
}

gboolean
ladder_remainder(const Ladder *ladder, double *weights)
{
    g_autofree double *sum = g_new0(double, ladder->n_cells);
    gboolean complete = add_edge(ladder, 0, best(ladder), 1, sum);
    for (guint i = 0; complete && i < ladder->n_settings; i++)
        complete = add_edge(ladder, 0, bit(ladder, i), -1, sum);
    return deliver(complete, ladder->n_cells, sum, weights);
}
