/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings from the names of cells: a file with a column `cell` and no column
 * of settings may write "cpu=host/disk=tuned" in it.  What a name leaves out
 * is at the baseline, and so is everything in the one cell that may have a
 * name of another form ("base").
 */
#include "report/csv-input.h"

#include <string.h>

/* "a=1/b=2" as its parts; NULL: not of that form.  (GStrv) */
static GStrv
split_name(const char *name)
{
    for (const char *separator = "/"; separator;
         separator = *separator == '/' ? "," : NULL) {
        g_auto(GStrv) parts = g_strsplit(name, separator, -1);
        bool good = parts[0];

        for (guint i = 0; parts[i]; i++) {
            const char *equal = strchr(g_strstrip(parts[i]), '=');

            good = good && equal && equal > parts[i] && equal[1];
        }
        if (good)
            return g_steal_pointer(&parts);
    }
    return NULL;
}

/* How many names of real cells have another form; *ret_other is the last. */
static guint
count_others(const Report *report, const StoreCell **ret_other)
{
    guint others = 0;

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];
        g_auto(GStrv) parts = split_name(cell->name);

        if (strcmp(cell->kind, "cell") != 0 || parts)
            continue;
        others++;
        *ret_other = cell;
    }
    return others;
}

static void
set_level(StoreCell *cell, const char *setting, const char *level)
{
    g_ptr_array_add(cell->settings, g_strdup(setting));
    g_ptr_array_add(cell->levels, g_strdup(level));
}

static void
take_levels(StoreCell *cell, GPtrArray *settings)
{
    g_auto(GStrv) parts = split_name(cell->name);

    for (guint i = 0; parts && parts[i]; i++) {
        g_auto(GStrv) pair = g_strsplit(parts[i], "=", 2);

        if (!report_cell_level(cell, pair[0]))
            set_level(cell, pair[0], pair[1]);
        if (!g_ptr_array_find_with_equal_func(settings, pair[0], g_str_equal,
                                              NULL))
            g_ptr_array_add(settings, g_strdup(pair[0]));
    }
}

/* What the name leaves out. */
static void
complete_levels(StoreCell *cell, const GPtrArray *settings, const char *base)
{
    for (guint i = 0; i < settings->len; i++)
        if (!report_cell_level(cell, settings->pdata[i]))
            set_level(cell, settings->pdata[i], base);
}

void
csv_cells_split_names(CsvInput *input)
{
    Report *report = input->report;
    const StoreCell *other = NULL;
    g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);

    if (input->settings->len > 0 || !input->role[ROLE_CELL] ||
        count_others(report, &other) > 1)
        return;
    for (guint i = 0; i < report->cells->len; i++) {
        StoreCell *cell = report->cells->pdata[i];

        if (strcmp(cell->kind, "cell") == 0)
            take_levels(cell, settings);
    }
    for (guint i = 0; i < report->cells->len; i++) {
        StoreCell *cell = report->cells->pdata[i];

        if (strcmp(cell->kind, "cell") == 0)
            complete_levels(cell, settings, other ? other->name : "(none)");
    }
}
