/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to choose instead of a design that has too many cells. */
#include "plan/design-make.h"
#include "plan/matrix-parse.h"

/* Settings that are proposed for full:..., the first ones of the matrix. */
#define CROSSED_MAX 3

/* The planned cells of a design, or 0 when it is too large too. */
static guint
count_planned(const Matrix *matrix, DesignKind kind)
{
    g_autoptr(Design) design = design_new(matrix, kind);
    guint n = 0;

    if (design_size(matrix, kind) > DESIGN_CELLS_MAX ||
        !design_add_cells(design, NULL))
        return 0;
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        n += cell->state == CELL_PLANNED;
    }
    return n <= DESIGN_CELLS_MAX ? n : 0;
}

static void
advise(GString *advice, const char *design, guint cells)
{
    if (cells)
        g_string_append_printf(advice, "%s%s (%u cells)",
                               advice->len ? ", " : "", design, cells);
}

static const char *
name_at(const Matrix *matrix, guint factor)
{
    const Factor *f = matrix->factors->pdata[factor];

    return f->setting->name;
}

/* star+pairs as it is, or with one pair where there are too many to take all
 * of them. */
static void
advise_star_pairs(const Matrix *matrix, GString *advice)
{
    const FactorPair first = {0, 1};
    Matrix copy = *matrix;
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(FactorPair));
    g_autofree char *text = NULL;

    if (matrix->pairs->len || matrix->factors->len <= DESIGN_ALL_PAIRS_MAX) {
        advise(advice, "star+pairs", count_planned(matrix, DESIGN_STAR_PAIRS));
        return;
    }
    g_array_append_val(pairs, first);
    copy.pairs = pairs;
    text = g_strdup_printf("star+pairs with pairs: [[%s, %s]]",
                           name_at(matrix, 0), name_at(matrix, 1));
    advise(advice, text, count_planned(&copy, DESIGN_STAR_PAIRS));
}

/* The full design over the first settings, as many as fit. */
static void
advise_crossed(const Matrix *matrix, GString *advice)
{
    g_autoptr(GString) text = g_string_new("full:");
    g_autoptr(GPtrArray) factors = g_ptr_array_new();
    g_autoptr(Rule) fixed = rule_new();
    Matrix copy = *matrix;

    copy.factors = factors;
    copy.fixed = fixed;
    for (guint i = 0; i < matrix->fixed->settings->len; i++)
        rule_add(fixed, matrix->fixed->settings->pdata[i],
                 matrix->fixed->levels->pdata[i]);
    for (guint i = 0; i < matrix->factors->len; i++) {
        Factor *factor = matrix->factors->pdata[i];
        bool small = design_size(&copy, DESIGN_FULL) * factor->levels->len <=
                     DESIGN_CELLS_MAX;

        if (small && factors->len < CROSSED_MAX) {
            g_ptr_array_add(factors, factor);
            g_string_append_printf(text, "%s%s", factors->len > 1 ? "," : "",
                                   factor->setting->name);
        } else {
            rule_add(fixed, factor->setting,
                     factor->levels->pdata[factor->baseline]);
        }
    }
    if (factors->len > 1)
        advise(advice, text->str, count_planned(&copy, DESIGN_FULL));
}

char *
design_advice(const Matrix *matrix)
{
    g_autoptr(GString) advice = g_string_new(NULL);

    advise(advice, "ofat", count_planned(matrix, DESIGN_OFAT));
    if (matrix->factors->len > 1) {
        advise_star_pairs(matrix, advice);
        advise(advice, "pairwise", count_planned(matrix, DESIGN_PAIRWISE));
        advise_crossed(matrix, advice);
    }
    if (!advice->len)
        return g_strdup("give the settings fewer levels");
    return g_strdup_printf("choose design: %s", advice->str);
}
