/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --only: the part of a design that is measured now.  A filter is cell names,
 * or setting=level terms, with ',' between them; terms of one setting are
 * alternatives, those of different settings must all hold.
 */
#include <string.h>
#include "base/suggest.h"
#include "plan/design-make.h"
#include "plan/matrix-parse.h"

typedef struct Filter {
    GPtrArray *names; /* char *, not owned: cells that are named */
    Rule *terms;      /* a setting may stand in it several times */
} Filter;

static void
filter_clear(Filter *filter)
{
    g_clear_pointer(&filter->names, g_ptr_array_unref);
    g_clear_pointer(&filter->terms, rule_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Filter, filter_clear)

/* "; did you mean 'x'?", or a list of what there is.  Caller frees. */
static char *
hint(const char *word, GPtrArray *known)
{
    const char *nearest = NULL;
    g_autofree char *all = NULL;

    g_ptr_array_add(known, NULL);
    nearest = suggest_name(word, (const char *const *) known->pdata);
    if (nearest)
        return g_strdup_printf("did you mean '%s'?", nearest);
    all = g_strjoinv(", ", (char **) known->pdata);
    return g_strdup_printf("there is %s", all);
}

static bool
add_name(const Design *design, Filter *filter, const char *name, GError **err)
{
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    g_autofree char *help = NULL;

    if (design_cell(design, name)) {
        g_ptr_array_add(filter->names, (gpointer) name);
        return true;
    }
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        g_ptr_array_add(known, cell->name);
    }
    help = hint(name, known);
    return vs_usage(err, "no cell '%s'; %s", name, help);
}

/* Whether any cell has this level; the error names those there are. */
static bool
check_term(const Design *design, const Setting *setting, const char *level,
           GError **err)
{
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    g_autofree char *help = NULL;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];
        const char *other = design_level(design, cell, setting);

        if (!other)
            continue;
        if (level_same(setting, level, other))
            return true;
        if (!g_ptr_array_find_with_equal_func(known, other, g_str_equal, NULL))
            g_ptr_array_add(known, (gpointer) other);
    }
    help = hint(level, known);
    return vs_usage(err, "no cell has %s=%s; %s", setting->name, level, help);
}

static bool
add_term(const Design *design, Filter *filter, const char *term, GError **err)
{
    const char *equals = strchr(term, '=');
    g_autofree char *name = g_strndup(term, (gsize) (equals - term));
    const Setting *setting = setting_find(name);
    g_autoptr(GPtrArray) known = NULL;
    g_autofree char *help = NULL;

    if (!setting) {
        known = g_ptr_array_new();
        for (gsize i = 0; setting_names()[i]; i++)
            g_ptr_array_add(known, (gpointer) setting_names()[i]);
        help = hint(name, known);
        return vs_usage(err, "unknown setting '%s'; %s", name, help);
    }
    if (!check_term(design, setting, equals + 1, err))
        return false;
    rule_add(filter->terms, setting, equals + 1);
    return true;
}

/* Whether the cell has one of the levels the filter has for a setting. */
static bool
has_level(const Design *design, const Cell *cell, const Filter *filter,
          const Setting *setting)
{
    for (guint i = 0; i < filter->terms->settings->len; i++)
        if (filter->terms->settings->pdata[i] == setting &&
            level_same(setting, filter->terms->levels->pdata[i],
                       design_level(design, cell, setting)))
            return true;
    return false;
}

static bool
selects(const Design *design, const Filter *filter, const Cell *cell)
{
    if (g_ptr_array_find_with_equal_func(filter->names, cell->name, g_str_equal,
                                         NULL))
        return true;
    for (guint i = 0; i < filter->terms->settings->len; i++)
        if (!has_level(design, cell, filter, filter->terms->settings->pdata[i]))
            return false;
    return filter->terms->settings->len > 0;
}

static bool
read_filter(const Design *design, char **parts, Filter *filter, GError **err)
{
    filter->names = g_ptr_array_new();
    filter->terms = rule_new();
    for (gsize i = 0; parts[i]; i++) {
        char *part = g_strstrip(parts[i]);
        bool term = strchr(part, '=') && !design_cell(design, part);

        if (!(term ? add_term(design, filter, part, err)
                   : add_name(design, filter, part, err)))
            return false;
    }
    return true;
}

bool
design_filter(Design *design, const char *filter, GError **err)
{
    g_auto(GStrv) parts = g_strsplit(filter, ",", -1);
    g_auto(Filter) wanted = {0};
    g_autoptr(GPtrArray) left_out = g_ptr_array_new();
    guint kept = 0;

    if (!read_filter(design, parts, &wanted, err))
        return false;
    for (guint i = 0; i < design->cells->len; i++) {
        Cell *cell = design->cells->pdata[i];

        if (cell->kind != CELL_CELL || cell->baseline ||
            cell->state != CELL_PLANNED)
            continue;
        if (selects(design, &wanted, cell))
            kept++;
        else
            g_ptr_array_add(left_out, cell);
    }
    if (!kept)
        return vs_usage(err, "'%s' leaves no planned cell besides the baseline",
                        filter);
    for (guint i = 0; i < left_out->len; i++) {
        Cell *cell = left_out->pdata[i];

        cell->state = CELL_EXCLUDED;
        cell->why = g_strdup_printf("left out by --only %s", filter);
    }
    design_settle(design);
    return true;
}
