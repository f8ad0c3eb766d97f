/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a CSV file with their kinds, levels and names, the baseline,
 * and the settings that vary.
 */
#include "report/csv-input.h"

#include <string.h>
#include "base/suggest.h"

/* A column `cell` with one of these names means the kind. */
static const char *const kinds[] = {"cell",         "aa",        "host",
                                    "host-matched", "host-loop", NULL};

/* NULL after a complaint. */
static const char *
kind_of(const CsvInput *input, guint row)
{
    const LongColumn *kind = input->role[ROLE_KIND];
    const LongColumn *cell = input->role[ROLE_CELL];
    const char *text = kind ? long_text(kind, row) : NULL;

    if (!text && cell && !kind) {
        text = long_text(cell, row);
        return text && g_strv_contains(kinds, text) ? text : "cell";
    }
    if (!text || g_strv_contains(kinds, text))
        return text ? text : "cell";
    csv_problems_add(input->problems, longform_line(input->form, row),
                     kind->name,
                     "'%s' is no kind: cell, aa (the baseline again), host, "
                     "host-matched, host-loop",
                     text);
    return NULL;
}

static bool
varies(const LongColumn *column)
{
    return column->levels->len > 1;
}

/* Levels of what varies: "none/native". */
static char *
name_by_levels(const CsvInput *input, guint row)
{
    g_autoptr(GString) name = g_string_new(NULL);

    for (guint i = 0; i < input->settings->len; i++) {
        const LongColumn *column = input->settings->pdata[i];
        const char *level = long_text(column, row);

        if (varies(column))
            g_string_append_printf(name, "%s%s", name->len ? "/" : "",
                                   level ? level : "");
    }
    return g_strdup(name->len ? name->str : "all");
}

static char *
name_of(const CsvInput *input, guint row, const char *kind)
{
    const LongColumn *cell = input->role[ROLE_CELL];
    const char *text = cell ? long_text(cell, row) : NULL;

    if (text)
        return g_strdup(text);
    return strcmp(kind, "cell") == 0 ? name_by_levels(input, row)
                                     : g_strdup(kind);
}

static void
add_levels(const CsvInput *input, StoreCell *cell, guint row)
{
    for (guint i = 0; i < input->settings->len; i++) {
        const LongColumn *column = input->settings->pdata[i];
        const char *level = long_text(column, row);

        if (level) {
            g_ptr_array_add(cell->settings, g_strdup(column->name));
            g_ptr_array_add(cell->levels, g_strdup(level));
        } else if (strcmp(cell->kind, "cell") == 0) {
            csv_problems_add(input->problems, longform_line(input->form, row),
                             column->name, "no level of this setting");
        }
    }
}

static void
add_cell(const CsvInput *input, guint index)
{
    guint row = input->cell_row[index];
    const char *kind = kind_of(input, row);
    StoreCell *cell = g_new0(StoreCell, 1);

    cell->index = index;
    cell->kind = g_strdup(kind ? kind : "cell");
    cell->name = name_of(input, row, cell->kind);
    cell->state = g_strdup("planned");
    cell->settings = g_ptr_array_new_with_free_func(g_free);
    cell->levels = g_ptr_array_new_with_free_func(g_free);
    add_levels(input, cell, row);
    g_ptr_array_add(input->report->cells, cell);
}

/* One name cannot have two sets of levels. */
static void
check_names(const CsvInput *input)
{
    const GPtrArray *cells = input->report->cells;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; input->role[ROLE_CELL] && i < cells->len; i++) {
        StoreCell *cell = cells->pdata[i];
        const StoreCell *other = g_hash_table_lookup(seen, cell->name);
        guint line = longform_line(input->form, input->cell_row[i]);

        if (other)
            csv_problems_add(
                input->problems, line, input->role[ROLE_CELL]->name,
                "cell '%s' has other levels or another kind here "
                "than in line %u",
                cell->name,
                longform_line(input->form, input->cell_row[other->index]));
        else if (!long_text(input->role[ROLE_CELL], input->cell_row[i]))
            csv_problems_add(input->problems, line,
                             input->role[ROLE_CELL]->name, "no cell");
        g_hash_table_insert(seen, cell->name, cell);
    }
}

static int
cell_named(const Report *report, const char *name)
{
    for (guint i = 0; i < report->cells->len; i++)
        if (strcmp(((StoreCell *) report->cells->pdata[i])->name, name) == 0)
            return (int) i;
    return -1;
}

static bool
has_levels(const StoreCell *cell, const StoreCell *like)
{
    for (guint i = 0; i < like->settings->len; i++)
        if (g_strcmp0(report_cell_level(cell, like->settings->pdata[i]),
                      like->levels->pdata[i]) != 0)
            return false;
    return true;
}

static bool
is_candidate(const StoreCell *cell)
{
    return strcmp(cell->kind, "cell") == 0;
}

/* The first cell that the twin has the levels of, or simply the first. */
static int
default_baseline(const Report *report)
{
    int twin = report_cell_of(report, "aa"), first = -1;
    const StoreCell *like = twin < 0 ? NULL : report->cells->pdata[twin];

    for (guint i = report->cells->len; i-- > 0;)
        if (is_candidate(report->cells->pdata[i]))
            first = (int) i;
    for (guint i = 0; like && like->settings->len > 0 && i < report->cells->len;
         i++)
        if (is_candidate(report->cells->pdata[i]) &&
            has_levels(report->cells->pdata[i], like))
            return (int) i;
    return first;
}

static void
complain_cell(const CsvInput *input, const char *what, const char *wanted)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < input->report->cells->len; i++) {
        const StoreCell *cell = input->report->cells->pdata[i];

        if (is_candidate(cell))
            g_ptr_array_add(names, cell->name);
    }
    g_ptr_array_add(names, NULL);
    const char *near = suggest_name(wanted, (const char *const *) names->pdata);
    csv_problems_add(input->problems, 0, NULL,
                     "no cell is the %s '%s'; did you mean '%s'?", what, wanted,
                     near ? near : (const char *) names->pdata[0]);
}

/* "disk=raw,cache=none": the first cell that has these levels, and those of
 * the default baseline where they leave a choice. */
static int
cell_by_levels(const CsvInput *input, const char *wanted)
{
    const Report *report = input->report;
    g_auto(GStrv) words = csv_words(wanted);
    const StoreCell *usual = report->cells->pdata[default_baseline(report)];
    int found = -1;
    guint best = 0;

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];
        guint alike = 1;
        bool fits = is_candidate(cell);

        for (guint k = 0; fits && words[k]; k++) {
            g_auto(GStrv) pair = g_strsplit(words[k], "=", 2);
            fits = pair[0] && pair[1] &&
                   g_strcmp0(report_cell_level(cell, pair[0]), pair[1]) == 0;
        }
        for (guint k = 0; fits && k < cell->settings->len; k++)
            alike +=
                g_strcmp0(report_cell_level(usual, cell->settings->pdata[k]),
                          cell->levels->pdata[k]) == 0;
        if (fits && alike > best) {
            best = alike;
            found = (int) i;
        }
    }
    return found;
}

/* A cell by its name or its levels; negative after a complaint. */
static int
find_cell(const CsvInput *input, const char *what, const char *wanted)
{
    int place = cell_named(input->report, wanted);

    if (place < 0)
        place = cell_by_levels(input, wanted);
    if (place < 0)
        complain_cell(input, what, wanted);
    return place;
}

/* False after a complaint. */
static bool
find_best(const CsvInput *input, int origin)
{
    const char *wanted = input->options->best;
    int place = wanted ? find_cell(input, "best", wanted) : -1;
    const StoreCell *cell = NULL;

    if (place < 0)
        return !wanted;
    cell = input->report->cells->pdata[place];
    if (place == origin || !is_candidate(cell)) {
        csv_problems_add(
            input->problems, 0, NULL, "the best cell cannot be %s '%s'",
            place == origin ? "the baseline" : "what is no guest,", cell->name);
        return false;
    }
    g_hash_table_insert(input->report->facts, g_strdup("best"),
                        g_strdup(cell->name));
    return true;
}

/* The settings that vary among real cells, levels by first appearance. */
static void
make_factors(Report *report, const StoreCell *baseline)
{
    for (guint s = 0; s < baseline->settings->len; s++) {
        const char *setting = baseline->settings->pdata[s];
        const char *base = baseline->levels->pdata[s];
        StoreFactor *factor = g_new0(StoreFactor, 1);
        guint place = 0;

        factor->setting = g_strdup(setting);
        factor->levels = g_ptr_array_new_with_free_func(g_free);
        for (guint i = 0; i < report->cells->len; i++) {
            const StoreCell *cell = report->cells->pdata[i];
            const char *level = report_cell_level(cell, setting);

            if (is_candidate(cell) && level &&
                !g_ptr_array_find_with_equal_func(factor->levels, level,
                                                  g_str_equal, &place))
                g_ptr_array_add(factor->levels, g_strdup(level));
        }
        g_ptr_array_find_with_equal_func(factor->levels, base, g_str_equal,
                                         &factor->baseline);
        if (factor->levels->len > 1)
            g_ptr_array_add(report->factors, factor);
        else
            store_factor_free(factor);
    }
}

bool
csv_cells_make(CsvInput *input)
{
    Report *report = input->report;
    guint before = input->problems->lines->len;
    int origin = -1;

    for (guint i = 0; i < input->n_cells; i++)
        add_cell(input, i);
    check_names(input);
    if (default_baseline(report) < 0)
        csv_problems_add(input->problems, 0, NULL,
                         "no cell but hosts and twins: nothing to compare");
    if (input->problems->lines->len > before)
        return false;
    csv_cells_split_names(input);
    origin = input->options->baseline
                 ? find_cell(input, "baseline", input->options->baseline)
                 : default_baseline(report);
    if (origin < 0 || !find_best(input, origin))
        return false;
    ((StoreCell *) report->cells->pdata[origin])->baseline = true;
    make_factors(report, report->cells->pdata[origin]);
    return true;
}
