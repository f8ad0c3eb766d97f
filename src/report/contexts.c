/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of cells that differ in one setting: see contexts.h. */
#include "report/contexts.h"

#include <string.h>

/* A real cell that was to be measured and has this level. */
static bool
has_level(const StoreCell *cell, const char *setting, const char *level)
{
    return strcmp(cell->kind, "cell") == 0 && report_cell_planned(cell) &&
           g_strcmp0(report_cell_level(cell, setting), level) == 0;
}

static guint
combinations_of_others(const Report *report, const char *setting)
{
    guint64 product = 1;

    for (guint i = 0; i < report->factors->len; i++) {
        const StoreFactor *factor = report->factors->pdata[i];

        if (strcmp(factor->setting, setting) != 0)
            product = MIN(product * MAX(factor->levels->len, 1), G_MAXUINT);
    }
    return (guint) product;
}

void
contexts_clear(Contexts *contexts)
{
    g_clear_pointer(&contexts->pairs, g_array_unref);
}
Contexts
contexts_of_cells(guint level, guint base)
{
    Contexts contexts = {g_array_new(FALSE, FALSE, sizeof(Pair)), 1};
    Pair pair = {level, base};

    g_array_append_val(contexts.pairs, pair);
    return contexts;
}

/* Every pair of cells that differ in the setting alone.  In a one-factor
 * design the others must be at the baseline: included cells give no context
 * there (METHOD 3.1: effects hold at the baseline only). */
Contexts
contexts_of_levels(const Report *report, const char *setting, const char *level,
                   const char *base)
{
    Contexts contexts = {g_array_new(FALSE, FALSE, sizeof(Pair)), 0};
    int origin = report_cell_of(report, "baseline");
    const StoreCell *anchor = report_design_is(report, "ofat") && origin >= 0
                                  ? report->cells->pdata[origin]
                                  : NULL;

    for (guint a = 0; a < report->cells->len; a++) {
        const StoreCell *cell = report->cells->pdata[a];

        if (!has_level(cell, setting, level) ||
            (anchor && !report_cells_agree(cell, anchor, setting, NULL)))
            continue;
        for (guint b = 0; b < report->cells->len; b++) {
            const StoreCell *other = report->cells->pdata[b];
            Pair pair = {a, b};

            if (has_level(other, setting, base) &&
                report_cells_agree(cell, other, setting, NULL))
                g_array_append_val(contexts.pairs, pair);
        }
    }
    contexts.total = contexts.pairs->len;
    /* Cells of pairwise differ in one setting by chance: few contexts of all
     * there are, and the reader is told how few. */
    if (report_design_is(report, "full") ||
        report_design_is(report, "pairwise"))
        contexts.total =
            MAX(contexts.total, combinations_of_others(report, setting));
    return contexts;
}

GArray *
contexts_measured(const Contexts *contexts, const Blocks *logs)
{
    GArray *used = g_array_new(FALSE, FALSE, sizeof(Pair));

    for (guint i = 0; i < contexts->pairs->len; i++) {
        Pair pair = g_array_index(contexts->pairs, Pair, i);

        if (report_logs_any(logs, pair.level) &&
            report_logs_any(logs, pair.base))
            g_array_append_val(used, pair);
    }
    return used;
}

const char *
contexts_class(const Report *report, const Contexts *contexts, bool base_side)
{
    const char *class = NULL;

    for (guint i = 0; i < contexts->pairs->len; i++) {
        const Pair *pair = &g_array_index(contexts->pairs, Pair, i);
        guint place = base_side ? pair->base : pair->level;
        const char *own = report_cell_class(report->cells->pdata[place]);

        if (class && strcmp(class, own) != 0)
            return "mixed";
        class = own;
    }
    return class ? class : "";
}
