/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of squares of a balanced design from its marginal means.
 */
#include "stats/shares.h"

#include <math.h>

typedef struct Design {
    const double *means;
    const guint *n_levels;
    guint n_settings;
    gsize n_cells;
} Design;

/* The index of a cell in the table of means over the settings not in `set`. */
static gsize
margin_of(const Design *design, gsize cell, guint set)
{
    gsize index = 0, stride = 1;
    for (guint s = design->n_settings; s-- > 0;) {
        gsize level = cell % design->n_levels[s];
        cell /= design->n_levels[s];
        if (!(set >> s & 1))
            continue;
        index += level * stride;
        stride *= design->n_levels[s];
    }
    return index;
}

/* What the settings in `set` and all their interactions make: the squares of
 * their marginal means about the grand mean, summed over cells. */
static double
squares_between(const Design *design, guint set, double grand)
{
    g_autofree double *sum = g_new0(double, design->n_cells);
    g_autofree guint *count = g_new0(guint, design->n_cells);
    for (gsize cell = 0; cell < design->n_cells; cell++) {
        gsize margin = margin_of(design, cell, set);
        sum[margin] += design->means[cell] - grand;
        count[margin]++;
    }
    double squares = 0;
    for (gsize i = 0; i < design->n_cells && count[i] > 0; i++)
        squares += sum[i] * sum[i] / count[i];
    return squares;
}

/* Leaves of each set what none of its subsets makes. */
static void
subtract_subsets(double *squares, guint n_sets)
{
    for (guint set = 1; set < n_sets; set++) {
        for (guint part = (set - 1) & set; part > 0; part = (part - 1) & set)
            squares[set] -= squares[part];
        squares[set] = MAX(0.0, squares[set]); /* rounding */
    }
}

/* Not to be judged by the squares: rounding of the grand mean leaves some. */
static gboolean
differs(const Design *design)
{
    for (gsize cell = 1; cell < design->n_cells; cell++)
        if (design->means[cell] != design->means[0])
            return TRUE;
    return FALSE;
}

static double
grand_mean(const Design *design)
{
    double sum = 0;
    for (gsize cell = 0; cell < design->n_cells; cell++)
        sum += design->means[cell];
    return sum / (double) design->n_cells;
}

gboolean
shares_of_variance(const double *means, const guint *n_levels, guint n_settings,
                   double *shares)
{
    g_assert(n_settings <= SHARES_MAX_SETTINGS);
    Design design = {means, n_levels, n_settings, 1};
    for (guint s = 0; s < n_settings; s++)
        design.n_cells *= n_levels[s];
    double grand = grand_mean(&design);
    guint n_sets = 1u << n_settings;
    g_autofree double *squares = g_new0(double, n_sets);
    for (guint set = 1; set < n_sets; set++)
        squares[set] = squares_between(&design, set, grand);
    double total = squares[n_sets - 1];
    if (!differs(&design) || !isfinite(total))
        return FALSE;
    subtract_subsets(squares, n_sets);
    for (guint set = 0; set < n_sets; set++)
        shares[set] = squares[set] / total;
    return TRUE;
}
