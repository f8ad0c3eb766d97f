/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of designs that are made of pairs: star+pairs, where two settings
 * leave the baseline together, and pairwise, where any two levels meet
 * (METHOD 3.1, 3.3).
 */
#include "plan/design-make.h"

/* Any number: a matrix has the same cells whenever it is planned, so that an
 * interrupted sweep goes on with them. */
#define PAIRWISE_SEED 1
/* So many rules still fit a message. */
#define RULES_NAMED 5

bool
design_crosses(const Matrix *matrix, guint a, guint b)
{
    if (!matrix->pairs->len)
        return matrix->factors->len <= DESIGN_ALL_PAIRS_MAX;
    for (guint i = 0; i < matrix->pairs->len; i++) {
        const FactorPair *pair = &g_array_index(matrix->pairs, FactorPair, i);

        if (pair->a == MIN(a, b) && pair->b == MAX(a, b))
            return true;
    }
    return false;
}

static void
add_corners(Design *design, guint a, guint b)
{
    const Factor *f = design->matrix->factors->pdata[a];
    const Factor *g = design->matrix->factors->pdata[b];
    g_autofree guint *levels = design_baseline_levels(design->matrix);

    for (guint i = 0; i < f->levels->len; i++)
        for (guint j = 0; j < g->levels->len; j++) {
            levels[a] = i;
            levels[b] = j;
            if (i != f->baseline && j != g->baseline)
                design_add_levels(design, levels);
        }
}

void
design_add_corners(Design *design)
{
    const Matrix *matrix = design->matrix;

    for (guint a = 0; a < matrix->factors->len; a++)
        for (guint b = a + 1; b < matrix->factors->len; b++)
            if (design_crosses(matrix, a, b))
                add_corners(design, a, b);
}

/* The rules that people can do something about, the first few of them. */
static bool
complain_puzzle(const Matrix *matrix, GError **err)
{
    g_autoptr(GString) rules = g_string_new(NULL);
    guint n = matrix->excludes->len;

    for (guint i = 0; i < MIN(n, RULES_NAMED); i++) {
        g_autofree char *text = matrix_rule_text(matrix->excludes->pdata[i]);

        g_string_append_printf(rules, "%s{%s}", i ? ", " : "", text);
    }
    if (n > RULES_NAMED)
        g_string_append_printf(rules, " and %u more", n - RULES_NAMED);
    return vs_usage(err,
                    "no pairwise design was found in the time there is: the "
                    "rules of exclude are too entangled (%s); remove some, "
                    "or choose design: ofat",
                    rules->str);
}

/* Made once for a matrix: it takes up to a second or two. */
static GPtrArray *
array_of(const Matrix *matrix, const PairModel *model, const guint *baseline)
{
    bool allowed = !pair_row_forbidden(model, baseline);

    if (!matrix->memo->array)
        matrix->memo->array =
            pairwise_rows(model, allowed ? baseline : NULL, PAIRWISE_SEED);
    return matrix->memo->array;
}

bool
design_add_pairwise(Design *design, GError **err)
{
    g_autoptr(PairModel) model = design_pair_model(design);
    g_autofree guint *baseline = design_baseline_levels(design->matrix);
    const GPtrArray *rows = array_of(design->matrix, model, baseline);

    if (!rows)
        return complain_puzzle(design->matrix, err);
    design_add_levels(design, baseline);
    for (guint i = 0; i < rows->len; i++)
        design_add_levels(design, rows->pdata[i]);
    return true;
}
