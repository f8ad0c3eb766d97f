/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking a setting up in a cell, and the rules that leave cells out: those
 * of the matrix, and those no hypervisor can get around (METHOD 3.2).
 */
#include <string.h>
#include "plan/design-make.h"
#include "plan/matrix-parse.h"

/* `setting` at `level` needs `other` at one of the levels in `allowed`. */
typedef struct Constraint {
    const char *setting, *level;
    const char *other, *allowed;
    const char *why;
} Constraint;

static const Constraint constraints[] = {
    {"disk.io", "native", "disk.cache", "none directsync",
     "QEMU refuses aio=native without O_DIRECT (cache.direct=on)"},
    {"disk.prealloc", "metadata", "disk.format", "qcow2",
     "a raw image has no metadata to allocate"},
};

const char *
design_level(const Design *design, const Cell *cell, const Setting *setting)
{
    const Matrix *matrix = design->matrix;
    const char *level = NULL;
    guint index = 0;

    if (cell->kind == CELL_HOST)
        return NULL;
    if (cell->extra)
        level = rule_level(cell->extra, setting);
    if (!level) {
        const Factor *factor = matrix_factor(matrix, setting, &index);

        if (factor)
            level = factor->levels->pdata[cell->levels[index]];
    }
    if (!level)
        level = rule_level(matrix->fixed, setting);
    return level ? level : setting->levels[0];
}

char *
design_constraint(const Design *design, const Cell *cell)
{
    for (gsize i = 0; i < G_N_ELEMENTS(constraints); i++) {
        const Constraint *rule = &constraints[i];
        g_auto(GStrv) allowed = g_strsplit(rule->allowed, " ", -1);
        g_autofree char *any = g_strjoinv(" or ", allowed);
        const char *level =
            design_level(design, cell, setting_find(rule->setting));
        const char *other =
            design_level(design, cell, setting_find(rule->other));

        if (strcmp(level, rule->level) == 0 &&
            !g_strv_contains((const char *const *) allowed, other))
            return g_strdup_printf("%s %s needs %s %s: %s", rule->setting,
                                   rule->level, rule->other, any, rule->why);
    }
    return NULL;
}

static bool
matches(const Design *design, const Cell *cell, const Rule *rule)
{
    for (guint i = 0; i < rule->settings->len; i++) {
        const Setting *setting = rule->settings->pdata[i];

        if (!level_same(setting, rule->levels->pdata[i],
                        design_level(design, cell, setting)))
            return false;
    }
    return true;
}

char *
design_exclusion(const Design *design, const Cell *cell)
{
    char *why = design_constraint(design, cell);

    for (guint i = 0; !why && i < design->matrix->excludes->len; i++) {
        const Rule *rule = design->matrix->excludes->pdata[i];

        if (matches(design, cell, rule))
            why = g_strdup(rule->why ? rule->why : "excluded by the matrix");
    }
    return why;
}

const Cell *
design_cell(const Design *design, const char *name)
{
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (strcmp(cell->name, name) == 0)
            return cell;
    }
    return NULL;
}

/* ------------------------------------------------------------------ names */

static const char *const design_names[] = {
    [DESIGN_AUTO] = "auto",
    [DESIGN_OFAT] = "ofat",
    [DESIGN_FULL] = "full",
    [DESIGN_LIST] = "list",
};
static const char *const kind_names[] = {
    [CELL_CELL] = "cell",
    [CELL_AA] = "aa",
    [CELL_HOST] = "host",
};
static const char *const state_names[] = {
    [CELL_PLANNED] = "planned",
    [CELL_EXCLUDED] = "excluded",
    [CELL_UNSUPPORTED] = "unsupported",
};

const char *
design_kind_name(DesignKind kind)
{
    return design_names[kind];
}

const char *
cell_kind_name(CellKind kind)
{
    return kind_names[kind];
}

const char *
cell_state_name(CellState state)
{
    return state_names[state];
}
