/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a design can compare: contexts of a contrast (METHOD 7.1) and the
 * number of comparisons.
 */
#include <string.h>
#include "plan/design-make.h"

/* A cell of the matrix proper, planned or not. */
static bool
is_plain(const Cell *cell)
{
    return cell->kind == CELL_CELL && !cell->extra;
}

/* ------------------------------------------------- cells by their levels */

/* The planned cells of the matrix proper, found by what they consist of. */
typedef struct Planned {
    const Design *design;
    GHashTable *levels; /* of GBytes: the levels of a cell */
    guint *wanted;      /* the cell that is looked for */
} Planned;

static GBytes *
levels_bytes(const Design *design, const guint *levels)
{
    return g_bytes_new_static(levels,
                              design->matrix->factors->len * sizeof(*levels));
}

static Planned
planned_new(const Design *design)
{
    Planned planned = {design,
                       g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
                                             (GDestroyNotify) g_bytes_unref,
                                             NULL),
                       design_baseline_levels(design->matrix)};

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (is_plain(cell) && cell->state == CELL_PLANNED)
            g_hash_table_add(planned.levels,
                             levels_bytes(design, cell->levels));
    }
    return planned;
}

static void
planned_clear(Planned *planned)
{
    g_clear_pointer(&planned->levels, g_hash_table_unref);
    g_clear_pointer(&planned->wanted, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Planned, planned_clear)

/* Whether a cell like `cell`, but with `level` of one factor (G_MAXUINT: of
 * none), is planned. */
static bool
has_partner(Planned *planned, const Cell *cell, guint factor, guint level)
{
    guint n = planned->design->matrix->factors->len;
    g_autoptr(GBytes) key = levels_bytes(planned->design, planned->wanted);

    memcpy(planned->wanted, cell->levels, n * sizeof(*cell->levels));
    if (factor < n)
        planned->wanted[factor] = level;
    return g_hash_table_contains(planned->levels, key);
}

/* --------------------------------------------------------------- contexts */

/* Adds a cell to the contexts of each of its levels. */
static void
count_contexts(Planned *planned, const Cell *cell, LevelContexts *contexts)
{
    const GPtrArray *factors = planned->design->matrix->factors;

    for (guint i = 0; i < factors->len; i++) {
        const Factor *factor = factors->pdata[i];
        LevelContexts *level = &contexts[cell->levels[i]];

        level->total++;
        level->planned += cell->state == CELL_PLANNED;
        level->used += cell->state == CELL_PLANNED &&
                       cell->levels[i] != factor->baseline &&
                       has_partner(planned, cell, i, factor->baseline);
        contexts += factor->levels->len;
    }
}

static GArray *
contexts_of(Planned *planned)
{
    const Design *design = planned->design;
    GArray *contexts = g_array_new(FALSE, TRUE, sizeof(LevelContexts));

    for (guint i = 0; i < design->matrix->factors->len; i++) {
        const Factor *factor = design->matrix->factors->pdata[i];

        for (guint level = 0; level < factor->levels->len; level++) {
            const LevelContexts none = {.factor = i, .level = level};

            g_array_append_val(contexts, none);
        }
    }
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (is_plain(cell))
            count_contexts(planned, cell, (LevelContexts *) contexts->data);
    }
    return contexts;
}

GArray *
design_contexts(const Design *design)
{
    g_auto(Planned) planned = planned_new(design);

    return contexts_of(&planned);
}

/* An included cell with further settings is compared with the one that is
 * like it without them, or whole where a fit compares the others. */
static guint
count_extras(Planned *planned)
{
    const Design *design = planned->design;
    guint n = 0;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        n += cell->extra && cell->state == CELL_PLANNED &&
             (design->kind == DESIGN_PAIRWISE ||
              has_partner(planned, cell, G_MAXUINT, 0));
    }
    return n;
}

guint
design_count_comparisons(const Design *design)
{
    g_auto(Planned) planned = planned_new(design);
    g_autoptr(GArray) contexts = contexts_of(&planned);
    guint n = count_extras(&planned);

    for (guint i = 0; i < contexts->len; i++) {
        const LevelContexts *level = &g_array_index(contexts, LevelContexts, i);
        const Factor *factor = design->matrix->factors->pdata[level->factor];

        /* The report's fit tells apart whatever levels occur:
         * report/regression.h. */
        n += design->kind == DESIGN_PAIRWISE
                 ? level->level != factor->baseline && level->planned > 0
                 : level->used > 0;
    }
    return n;
}

void
design_settle(Design *design)
{
    design->comparisons = design_count_comparisons(design);
    design_set_blocks(design);
}
