/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a design: the product of all levels, the baseline with one
 * level changed at a time, or the cells that are listed; then those of
 * include, the A/A twin and the host.
 */
#include <string.h>
#include "plan/design-make.h"
#include "plan/matrix-parse.h"

static void
cell_free(Cell *cell)
{
    g_free(cell->name);
    g_free(cell->why);
    g_free(cell->levels);
    rule_free(cell->extra);
    g_free(cell);
}

void
design_free(Design *design)
{
    if (!design)
        return;
    g_ptr_array_unref(design->cells);
    g_free(design);
}

Design *
design_new(const Matrix *matrix, DesignKind kind)
{
    Design *design = g_new0(Design, 1);

    design->matrix = matrix;
    design->kind = kind;
    design->cells = g_ptr_array_new_with_free_func((GDestroyNotify) cell_free);
    return design;
}

/* ------------------------------------------------------------------ cells */

/* How a level stands in a cell's name; only guest.cmdline has ''. */
static const char *
level_name(const char *level)
{
    return *level ? level : "default";
}

/* "raw/none", and "raw/none+disk.prealloc=off" with further settings. */
static char *
cell_levels_name(const Design *design, const Cell *cell)
{
    const GPtrArray *factors = design->matrix->factors;
    GString *name = g_string_new(NULL);

    for (guint i = 0; i < factors->len; i++) {
        const Factor *factor = factors->pdata[i];
        const char *level = factor->levels->pdata[cell->levels[i]];

        g_string_append_printf(name, "%s%s", i ? "/" : "", level_name(level));
    }
    if (!factors->len)
        g_string_append(name, "base");
    for (guint i = 0; cell->extra && i < cell->extra->settings->len; i++) {
        const Setting *setting = cell->extra->settings->pdata[i];

        g_string_append_printf(name, "+%s=%s", setting->name,
                               level_name(cell->extra->levels->pdata[i]));
    }
    return g_string_free(name, FALSE);
}

static Cell *
new_cell(const Design *design, CellKind kind, const guint *levels)
{
    Cell *cell = g_new0(Cell, 1);
    guint n = design->matrix->factors->len;

    cell->kind = kind;
    cell->state = CELL_PLANNED;
    if (levels) { /* one more: the array of no factors is not NULL */
        cell->levels = g_new0(guint, n + 1);
        memcpy(cell->levels, levels, n * sizeof(*levels));
    }
    return cell;
}

static Cell *
add_cell(Design *design, Cell *cell)
{
    cell->index = design->cells->len;
    g_ptr_array_add(design->cells, cell);
    return cell;
}

Cell *
design_add_cell(Design *design, CellKind kind)
{
    return add_cell(design, new_cell(design, kind, NULL));
}

static bool
is_baseline(const Design *design, const guint *levels)
{
    for (guint i = 0; i < design->matrix->factors->len; i++) {
        const Factor *factor = design->matrix->factors->pdata[i];

        if (levels[i] != factor->baseline)
            return false;
    }
    return true;
}

void
design_add_levels(Design *design, const guint *levels)
{
    Cell *cell = add_cell(design, new_cell(design, CELL_CELL, levels));

    cell->name = cell_levels_name(design, cell);
    cell->baseline = is_baseline(design, levels);
    cell->why = design_exclusion(design, cell);
    if (cell->why)
        cell->state = CELL_EXCLUDED;
}

guint *
design_baseline_levels(const Matrix *matrix)
{
    guint *levels = g_new0(guint, matrix->factors->len + 1);

    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];

        levels[i] = factor->baseline;
    }
    return levels;
}

/* ---------------------------------------------------------------- designs */

/* Counts up like an odometer: the first factor is the slowest. */
static bool
add_full(Design *design, GError **err)
{
    const GPtrArray *factors = design->matrix->factors;
    g_autofree guint *levels = g_new0(guint, factors->len + 1);

    (void) err;
    for (guint64 n = design_size(design->matrix, DESIGN_FULL); n > 0; n--) {
        design_add_levels(design, levels);
        for (guint i = factors->len; i > 0; i--) {
            const Factor *factor = factors->pdata[i - 1];

            if (++levels[i - 1] < factor->levels->len)
                break;
            levels[i - 1] = 0;
        }
    }
    return true;
}

static bool
add_list(Design *design, GError **err)
{
    g_autofree guint *levels = design_baseline_levels(design->matrix);

    (void) err;
    design_add_levels(design, levels);
    return true;
}

static bool
add_ofat(Design *design, GError **err)
{
    g_autofree guint *levels = design_baseline_levels(design->matrix);

    (void) err;
    design_add_levels(design, levels);
    for (guint i = 0; i < design->matrix->factors->len; i++) {
        const Factor *factor = design->matrix->factors->pdata[i];

        for (guint j = 0; j < factor->levels->len; j++) {
            levels[i] = j;
            if (j != factor->baseline)
                design_add_levels(design, levels);
        }
        levels[i] = factor->baseline;
    }
    return true;
}

static bool
add_star_pairs(Design *design, GError **err)
{
    add_ofat(design, err);
    design_add_corners(design);
    return true;
}

/* With one setting there are no pairs: all its levels are the array. */
static bool
add_pairwise(Design *design, GError **err)
{
    return design->matrix->factors->len < 2 ? add_ofat(design, err)
                                            : design_add_pairwise(design, err);
}

/* ---------------------------------------------------------------- include */

/* The settings of a rule that do not vary in the matrix and are not held at
 * that level anyway; NULL when there is none. */
static Rule *
extra_settings(const Matrix *matrix, const Rule *rule)
{
    Rule *extra = NULL;

    for (guint i = 0; i < rule->settings->len; i++) {
        const Setting *setting = rule->settings->pdata[i];
        const char *level = rule->levels->pdata[i];
        const char *held = rule_level(matrix->fixed, setting);

        if (matrix_factor(matrix, setting, NULL) ||
            level_same(setting, held ? held : setting->levels[0], level))
            continue;
        if (!extra)
            extra = rule_new();
        rule_add(extra, setting, level);
    }
    return extra;
}

static Cell *
include_cell(const Design *design, const Rule *rule)
{
    const Matrix *matrix = design->matrix;
    g_autofree guint *levels = design_baseline_levels(matrix);
    Cell *cell = NULL;

    for (guint i = 0; i < rule->settings->len; i++) {
        guint index = 0;
        const Factor *factor =
            matrix_factor(matrix, rule->settings->pdata[i], &index);

        if (factor)
            levels[index] =
                (guint) factor_level(factor, rule->levels->pdata[i]);
    }
    cell = new_cell(design, CELL_CELL, levels);
    cell->extra = extra_settings(matrix, rule);
    cell->baseline = !cell->extra && is_baseline(design, levels);
    cell->name = cell_levels_name(design, cell);
    return cell;
}

/* The cells by what they consist of, whatever they are called. */
static GHashTable *
index_levels(const Design *design)
{
    GHashTable *by_levels =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < design->cells->len; i++) {
        Cell *cell = design->cells->pdata[i];

        g_hash_table_insert(by_levels, cell_levels_name(design, cell), cell);
    }
    return by_levels;
}

/* The cell of a rule; one with the same levels that is there takes the label.
 */
static Cell *
add_include(Design *design, const Rule *rule, GHashTable *by_levels)
{
    Cell *wanted = include_cell(design, rule);
    Cell *cell = g_hash_table_lookup(by_levels, wanted->name);

    if (cell) {
        cell_free(wanted);
    } else {
        cell = add_cell(design, wanted);
        g_hash_table_insert(by_levels, g_strdup(cell->name), cell);
    }
    if (rule->label) {
        g_free(cell->name);
        cell->name = g_strdup(rule->label);
    }
    g_free(cell->why);
    cell->why = design_constraint(design, cell);
    cell->state = cell->why ? CELL_EXCLUDED : CELL_PLANNED;
    return cell;
}

bool
design_add_best(Design *design, GError **err)
{
    g_autoptr(GHashTable) by_levels = NULL;
    Cell *cell = NULL;

    if (!design->matrix->best)
        return true;
    by_levels = index_levels(design);
    cell = add_include(design, design->matrix->best, by_levels);
    cell->best = true;
    if (cell->baseline)
        return vs_usage(err,
                        "best is the baseline %s: name a level that is "
                        "better, or remove the key best",
                        cell->name);
    if (cell->state == CELL_EXCLUDED)
        return vs_usage(err,
                        "the best cell %s cannot be (%s): name another "
                        "one with the key best",
                        cell->name, cell->why);
    return true;
}

void
design_add_includes(Design *design)
{
    g_autoptr(GHashTable) by_levels = index_levels(design);

    for (guint i = 0; i < design->matrix->includes->len; i++)
        add_include(design, design->matrix->includes->pdata[i], by_levels);
}

static bool (*const add_cells[])(Design *design, GError **err) = {
    [DESIGN_OFAT] = add_ofat, [DESIGN_STAR_PAIRS] = add_star_pairs,
    [DESIGN_FULL] = add_full, [DESIGN_PAIRWISE] = add_pairwise,
    [DESIGN_LIST] = add_list,
};

bool
design_add_cells(Design *design, GError **err)
{
    return add_cells[design->kind](design, err);
}

static bool
wants_host(const Matrix *matrix, CellKind kind)
{
    return kind == CELL_HOST ? matrix->host != HOST_NONE
                             : matrix->host == HOST_LADDER;
}

void
design_add_specials(Design *design)
{
    g_autofree guint *levels = design_baseline_levels(design->matrix);
    Cell *twin = add_cell(design, new_cell(design, CELL_AA, levels));

    twin->name = g_strdup("aa");
    for (CellKind kind = CELL_HOST; kind <= CELL_HOST_MATCHED; kind++) {
        Cell *host = NULL;

        if (!wants_host(design->matrix, kind))
            continue;
        host = add_cell(design, new_cell(design, kind, NULL));
        host->name = g_strdup(cell_kind_name(kind));
    }
}
