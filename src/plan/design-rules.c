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

    if (!cell_is_guest(cell))
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

static char *
constraint_why(const Constraint *rule)
{
    g_auto(GStrv) allowed = g_strsplit(rule->allowed, " ", -1);
    g_autofree char *any = g_strjoinv(" or ", allowed);

    return g_strdup_printf("%s %s needs %s %s: %s", rule->setting, rule->level,
                           rule->other, any, rule->why);
}

static const char *
rule_why(const Rule *rule)
{
    return rule->why ? rule->why : "excluded by the matrix";
}

char *
design_constraint(const Design *design, const Cell *cell)
{
    for (gsize i = 0; i < G_N_ELEMENTS(constraints); i++) {
        const Constraint *rule = &constraints[i];
        g_auto(GStrv) allowed = g_strsplit(rule->allowed, " ", -1);
        const char *level =
            design_level(design, cell, setting_find(rule->setting));
        const char *other =
            design_level(design, cell, setting_find(rule->other));

        if (strcmp(level, rule->level) == 0 &&
            !g_strv_contains((const char *const *) allowed, other))
            return constraint_why(rule);
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
            why = g_strdup(rule_why(rule));
    }
    return why;
}

/* ------------------------------------------------------- rules as sets */

/* Adds setting = level to a set: nothing when it holds in every cell.  False
 * when it holds in none. */
static bool
add_member(const Design *design, const Setting *setting, const char *level,
           GArray *set)
{
    const Matrix *matrix = design->matrix;
    PairLevel member = {0};
    const Factor *factor = matrix_factor(matrix, setting, &member.factor);
    const char *held = rule_level(matrix->fixed, setting);
    int index = 0;

    if (!factor)
        return level_same(setting, held ? held : setting->levels[0], level);
    index = factor_level(factor, level);
    if (index < 0)
        return false;
    member.level = (guint) index;
    g_array_append_val(set, member);
    return true;
}

static void
forbid_rule(const Design *design, const Rule *rule, const char *why,
            PairModel *model)
{
    g_autoptr(GArray) set = g_array_new(FALSE, FALSE, sizeof(PairLevel));

    for (guint i = 0; i < rule->settings->len; i++)
        if (!add_member(design, rule->settings->pdata[i],
                        rule->levels->pdata[i], set))
            return;
    pair_model_forbid(model, (const PairLevel *) set->data, set->len, why);
}

/* The level of the first setting with each one of the other that it cannot
 * have: those of the matrix, or the one that is held. */
static void
forbid_constraint(const Design *design, const Constraint *constraint,
                  PairModel *model)
{
    const Matrix *matrix = design->matrix;
    const Setting *setting = setting_find(constraint->setting);
    const Setting *other = setting_find(constraint->other);
    const Factor *factor = matrix_factor(matrix, other, NULL);
    const char *held = rule_level(matrix->fixed, other);
    g_auto(GStrv) allowed = g_strsplit(constraint->allowed, " ", -1);
    g_autofree char *why = constraint_why(constraint);
    guint n = factor ? factor->levels->len : 1;

    for (guint i = 0; i < n; i++) {
        const char *level = factor ? factor->levels->pdata[i]
                            : held ? held
                                   : other->levels[0];
        g_autoptr(Rule) rule = NULL;

        if (g_strv_contains((const char *const *) allowed, level))
            continue;
        rule = rule_new();
        rule_add(rule, setting, constraint->level);
        rule_add(rule, other, level);
        forbid_rule(design, rule, why, model);
    }
}

PairModel *
design_pair_model(const Design *design)
{
    const Matrix *matrix = design->matrix;
    g_autofree guint *levels = g_new0(guint, matrix->factors->len + 1);
    PairModel *model = NULL;

    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];

        levels[i] = factor->levels->len;
    }
    model = pair_model_new(levels, matrix->factors->len);
    for (gsize i = 0; i < G_N_ELEMENTS(constraints); i++)
        forbid_constraint(design, &constraints[i], model);
    for (guint i = 0; i < matrix->excludes->len; i++) {
        const Rule *rule = matrix->excludes->pdata[i];

        forbid_rule(design, rule, rule_why(rule), model);
    }
    return model;
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

const Cell *
design_baseline(const Design *design)
{
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (cell->baseline)
            return cell;
    }
    return NULL;
}

const Cell *
design_best(const Design *design)
{
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (cell->best)
            return cell;
    }
    return NULL;
}

bool
cell_is_guest(const Cell *cell)
{
    return cell->kind == CELL_CELL || cell->kind == CELL_AA;
}

/* ------------------------------------------------------------------ names */

static const char *const design_names[] = {
    [DESIGN_AUTO] = "auto",
    [DESIGN_OFAT] = "ofat",
    [DESIGN_STAR_PAIRS] = "star+pairs",
    [DESIGN_FULL] = "full",
    [DESIGN_PAIRWISE] = "pairwise",
    [DESIGN_LIST] = "list",
};
static const char *const kind_names[] = {
    [CELL_CELL] = "cell",
    [CELL_AA] = "aa",
    [CELL_HOST] = "host",
    [CELL_HOST_MATCHED] = "host-matched",
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
