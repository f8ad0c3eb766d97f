/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a plan that was made before: a sweep that goes on measures the
 * cells it began with, whatever the planner would choose today (METHOD 3.3).
 */
#include <string.h>
#include "plan/design-make.h"
#include "plan/matrix-parse.h"

static const char *
record_level(const CellRecord *record, const char *setting)
{
    for (guint i = 0; i < record->settings->len; i++)
        if (strcmp(record->settings->pdata[i], setting) == 0)
            return record->levels->pdata[i];
    return NULL;
}

/* Which of the names a word is; -1 for none. */
static int
name_index(const char *(*name)(int index), int last, const char *word)
{
    for (int i = 0; i <= last; i++)
        if (strcmp(name(i), word) == 0)
            return i;
    return -1;
}

static const char *
kind_name(int kind)
{
    return cell_kind_name((CellKind) kind);
}

static const char *
state_name(int state)
{
    return cell_state_name((CellState) state);
}

static bool
restore_levels(const Matrix *matrix, const CellRecord *record, Cell *cell,
               GError **err)
{
    cell->levels = design_baseline_levels(matrix);
    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];
        const char *level = record_level(record, factor->setting->name);
        int index = level ? factor_level(factor, level) : -1;

        if (index < 0)
            return vs_usage(
                err, "cell '%s' has %s=%s, which is not in the matrix",
                record->name, factor->setting->name, level ? level : "?");
        cell->levels[i] = (guint) index;
    }
    return true;
}

/* Settings at a level that neither the matrix nor the defaults give them. */
static bool
restore_extra(const Matrix *matrix, const CellRecord *record, Cell *cell,
              GError **err)
{
    g_autoptr(Rule) extra = rule_new();

    for (guint i = 0; i < record->settings->len; i++) {
        const char *name = record->settings->pdata[i];
        const char *level = record->levels->pdata[i];
        const Setting *setting = setting_find(name);
        const char *held = setting ? rule_level(matrix->fixed, setting) : NULL;

        if (!setting)
            return vs_usage(err,
                            "cell '%s' has the setting %s, which this version "
                            "does not know",
                            record->name, name);
        if (!matrix_factor(matrix, setting, NULL) &&
            !level_same(setting, held ? held : setting->levels[0], level))
            rule_add(extra, setting, level);
    }
    if (extra->settings->len)
        cell->extra = g_steal_pointer(&extra);
    return true;
}

static bool
restore_cell(Design *design, const CellRecord *record, GError **err)
{
    int kind = name_index(kind_name, CELL_HOST_MATCHED, record->kind);
    int state = name_index(state_name, CELL_UNSUPPORTED, record->state);
    Cell *cell = NULL;

    if (kind < 0 || state < 0)
        return vs_usage(err, "cell '%s' is a %s that is %s: unknown words",
                        record->name, record->kind, record->state);
    cell = design_add_cell(design, (CellKind) kind);
    cell->name = g_strdup(record->name);
    cell->state = (CellState) state;
    cell->why = g_strdup(record->why);
    cell->baseline = record->baseline;
    cell->best = record->best;
    return !cell_is_guest(cell) ||
           (restore_levels(design->matrix, record, cell, err) &&
            restore_extra(design->matrix, record, cell, err));
}

static bool
same_cell(const Design *a, const Cell *x, const Design *b, const Cell *y)
{
    if (x->kind != y->kind || strcmp(x->name, y->name) != 0)
        return false;
    for (const Setting *s = setting_table; s->name; s++)
        if (g_strcmp0(design_level(a, x, s), design_level(b, y, s)) != 0)
            return false;
    return true;
}

static bool
same_cells(const Design *a, const Design *b)
{
    if (a->cells->len != b->cells->len)
        return false;
    for (guint i = 0; i < a->cells->len; i++)
        if (!same_cell(a, a->cells->pdata[i], b, b->cells->pdata[i]))
            return false;
    return true;
}

bool
design_restore(Design *design, const CellRecord *records, guint n,
               bool *ret_changed, GError **err)
{
    g_autoptr(Design) before = design_new(design->matrix, design->kind);

    for (guint i = 0; i < n; i++)
        if (!restore_cell(before, &records[i], err))
            return false;
    *ret_changed = !same_cells(before, design);
    if (!*ret_changed)
        return true;
    g_ptr_array_unref(design->cells);
    design->cells = g_steal_pointer(&before->cells);
    before->cells = g_ptr_array_new();
    design->comparisons = design_count_comparisons(design);
    return true;
}
