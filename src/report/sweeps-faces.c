/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sweeps against each other, on a page and as JSON. */
#include "report/sweeps.h"

#include <math.h>
#include <string.h>
#include "base/table.h"
#include "report/format.h"
#include "report/json.h"
#include "report/parts.h"
#include "report/text.h"
#include "report/write.h"

enum { CELL, VALUES, CHANGE, RUNS, P, BETTER, VERDICT, COLUMNS };

/* A cell's name is cut to it. */
#define NAME_WIDTH 24

static char *
name_of(const SweepComparison *comparison, const SweepRow *row)
{
    const StoreCell *cell = comparison->old->cells->pdata[row->place];
    g_autofree char *label = report_cell_label(cell);
    g_autofree char *name = strcmp(cell->kind, "host") == 0
                                ? g_strdup("this host, no guest")
                                : g_strdup(label);

    return format_cut(name, NAME_WIDTH);
}

static char *
values_text(const SweepRow *row)
{
    g_autofree char *old = format_number(row->old);
    g_autofree char *new = format_number(row->new);

    return g_strdup_printf("%s → %s", old, new);
}

static char *
change_text(const SweepRow *row)
{
    g_autofree char *percent = report_percent(row->ratio);
    g_autofree char *interval = format_interval(row->ratio_lo, row->ratio_hi);

    if (isnan(row->ratio_lo))
        return g_strdup(percent);
    return g_strdup_printf("%7s %s", percent, interval);
}

static void
add_row(const SweepComparison *comparison, const SweepRow *row, Table *table)
{
    const ReportMetric *metric = comparison->old->metrics->pdata[row->metric];
    g_autofree char *name = name_of(comparison, row);
    g_autofree char *values = values_text(row);
    g_autofree char *change = change_text(row);
    g_autofree char *runs =
        g_strdup_printf("%u, %u", row->runs_old, row->runs_new);
    g_autofree char *p = format_p(row->p_adjusted);
    const char *const cells[COLUMNS] = {
        [CELL] = name,
        [VALUES] = values,
        [CHANGE] = change,
        [RUNS] = runs,
        [P] = p,
        [BETTER] = format_better(metric->higher_better),
        [VERDICT] = g_str_has_prefix(row->word, "not comparable")
                        ? "not comparable"
                        : row->word};

    table_add(table, cells);
}

/* The rows of one metric that are absolute, or those that are ratios. */
static void
add_table(const SweepComparison *comparison, guint metric, bool absolute,
          GString *out)
{
    static const TableAlign align[COLUMNS] = {
        TABLE_LEFT,  TABLE_RIGHT, TABLE_LEFT, TABLE_RIGHT,
        TABLE_RIGHT, TABLE_LEFT,  TABLE_LEFT};
    const char *const headings[COLUMNS] = {absolute ? "the baseline itself"
                                                    : "ratio to baseline",
                                           "old → new",
                                           "change [interval] %",
                                           "runs",
                                           "p",
                                           "",
                                           "verdict"};
    g_autoptr(Table) table = table_new(COLUMNS, headings, align);
    guint rows = 0;

    for (guint i = 0; i < comparison->rows->len; i++) {
        const SweepRow *row = &g_array_index(comparison->rows, SweepRow, i);

        if (row->metric != metric || row->absolute != absolute)
            continue;
        add_row(comparison, row, table);
        rows++;
    }
    if (rows > 0)
        table_format(table, 0, out);
}

static void
add_metric(const SweepComparison *comparison, guint metric, GString *out)
{
    const ReportMetric *info = comparison->old->metrics->pdata[metric];
    g_autofree char *id = format_safe(info->id);
    g_autofree char *unit = format_safe(info->unit);

    g_string_append_c(out, '\n');
    format_line(out, 0, 2, "%s in %s, %s, band ±%g %%", id, unit,
                format_better(info->higher_better), info->delta * 100);
    add_table(comparison, metric, false, out);
    add_table(comparison, metric, true, out);
}

static void
add_sweep(const char *which, const Report *report, GString *out)
{
    g_autofree char *name = format_safe(report_fact(report, "matrix.name"));
    g_autofree char *db = format_safe(report->db_path);
    g_autofree char *grade = report_grade_text(report);

    format_line(out, 0, 5, "%s  %s (%s), %u blocks, grade %s", which, name, db,
                report->blocks, grade);
}

static void
add_head(const SweepComparison *comparison, GString *out)
{
    add_sweep("old", comparison->old, out);
    add_sweep("new", comparison->new, out);
    if (comparison->old->emulated)
        format_line(out, 0, 2, "%s", REPORT_EMULATED);
    format_line(out, 0, 2, "%s", REPORT_UNBLOCKED);
    for (guint i = 0; i < comparison->differences->len; i++)
        format_line(out, 0, 2, "differs: %s",
                    (char *) comparison->differences->pdata[i]);
}

bool
report_compare_sweeps(const Report *old, const Report *new, const char *metric,
                      bool anyway, GString *out, GError **err)
{
    g_auto(SweepComparison) comparison = {0};

    if (!sweeps_compare(old, new, metric, anyway, &comparison, err))
        return false;
    add_head(&comparison, out);
    for (guint m = 0; m < old->metrics->len; m++)
        for (guint i = 0; i < comparison.rows->len; i++)
            if (g_array_index(comparison.rows, SweepRow, i).metric == m) {
                add_metric(&comparison, m, out);
                break;
            }
    g_string_append_c(out, '\n');
    format_line(out, 0, 2,
                "change: new against old, runs of each; p: Holm-adjusted "
                "within a metric. A ratio to the baseline of its own sweep "
                "leaves out what changed for all cells alike; what changed "
                "for the baseline itself is in its values, with everything "
                "else that changed on the host in between");
    return true;
}

static json_t *
json_row(const SweepComparison *comparison, const SweepRow *row)
{
    const Report *old = comparison->old;
    const ReportMetric *metric = old->metrics->pdata[row->metric];
    const StoreCell *cell = old->cells->pdata[row->place];
    json_t *object = json_pack(
        "{s:o, s:o, s:s, s:s, s:I, s:I, s:o, s:o}", "metric",
        json_text(metric->id), "cell", json_text(cell->name), "better",
        metric->higher_better ? "higher" : "lower", "of",
        row->absolute ? "value" : "ratio_to_baseline", "runs_old",
        (json_int_t) row->runs_old, "runs_new", (json_int_t) row->runs_new,
        "old", json_number(row->old), "new", json_number(row->new));

    json_object_update_new(
        object, json_pack("{s:o, s:o, s:o, s:o, s:o, s:s}", "ratio",
                          json_number(row->ratio), "ratio_interval",
                          json_pair(row->ratio_lo, row->ratio_hi), "confidence",
                          json_number(row->estimate.confidence), "y",
                          json_estimate(&row->estimate), "p_adjusted",
                          json_number(row->p_adjusted), "verdict", row->word));
    return object;
}

bool
report_compare_sweeps_json(const Report *old, const Report *new,
                           const char *metric, bool anyway, GString *out,
                           GError **err)
{
    g_auto(SweepComparison) comparison = {0};

    if (!sweeps_compare(old, new, metric, anyway, &comparison, err))
        return false;
    json_t *rows = json_array(), *differences = json_array();
    for (guint i = 0; i < comparison.rows->len; i++)
        json_array_append_new(
            rows, json_row(&comparison,
                           &g_array_index(comparison.rows, SweepRow, i)));
    for (guint i = 0; i < comparison.differences->len; i++)
        json_array_append_new(differences,
                              json_text(comparison.differences->pdata[i]));
    json_finish(json_pack("{s:o, s:o, s:b, s:s, s:o, s:o}", "old",
                          json_text(old->db_path), "new",
                          json_text(new->db_path), "emulated", old->emulated,
                          "comparison", REPORT_UNBLOCKED, "differences",
                          differences, "rows", rows),
                out);
    return true;
}
