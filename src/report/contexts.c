/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of cells that differ in one setting: see contexts.h. */
#include "report/contexts.h"

#include <string.h>
#include "report/lattice.h"

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

/* The pair of a cell that has the level and the one that has the base instead.
 * In a one-factor design the others must be at the baseline: included cells
 * give no context there (METHOD 3.1: effects hold at the baseline only). */
static void
add_pair(const Report *report, guint place, Coordinate level, Coordinate base,
         GArray *pairs)
{
    const Lattice *lattice = report->lattice;
    int origin = report_cell_of(report, "baseline");
    Pair pair = {place, LATTICE_NO_CELL};

    if (!lattice_has(lattice, place, level) ||
        (report_design_is(report, "ofat") && origin >= 0 &&
         lattice_move(lattice, (guint) origin, &level, 1) != place))
        return;
    pair.base = lattice_move(lattice, place, &base, 1);
    if (pair.base != LATTICE_NO_CELL)
        g_array_append_val(pairs, pair);
}

Contexts
contexts_of_levels(const Report *report, const char *setting, const char *level,
                   const char *base)
{
    Contexts contexts = {g_array_new(FALSE, FALSE, sizeof(Pair)), 0};
    Coordinate at_level = {0}, at_base = {0};

    if (lattice_coordinate(report->lattice, setting, level, &at_level) &&
        lattice_coordinate(report->lattice, setting, base, &at_base))
        for (guint i = 0; i < report->cells->len; i++)
            add_pair(report, i, at_level, at_base, contexts.pairs);
    contexts.total = contexts.pairs->len;
    if (report_design_is(report, "full"))
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
