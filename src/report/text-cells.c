/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plain numbers of the terminal report: the host without a guest and every
 * cell, one row each, before anything is compared with anything.
 */
#include "report/text.h"

#include <math.h>
#include <string.h>
#include "base/table.h"
#include "report/format.h"
#include "report/parts.h"

/* A cell's name is cut to it. */
#define NAME_MAX_WIDTH 32
/* Narrowest column of medians: "higher is better". */
#define MEDIAN_MIN_WIDTH 16
/* Between columns. */
#define GAP 2
/* The column n, with a range such as "10-12". */
#define SAMPLE_WIDTH 5

/* What a person asks of a storage host before anything else: shown also where
 * the sweep is about something else. */
static const char *const lead_metrics[] = {"fs.fsync.p50", "fs.seqwrite.bw",
                                           "fs.seqread.cold", NULL};

/* One table of medians: cells down, some metrics across. */
typedef struct Medians {
    const Report *report;
    const guint *metrics;
    guint count;
    Table *table;
} Medians;

static char *
row_label(const StoreCell *cell)
{
    g_autofree char *label = report_cell_label(cell);

    if (strcmp(cell->kind, "host") == 0)
        return g_strdup("this host, no guest");
    if (strcmp(cell->kind, "host-matched") == 0)
        return g_strdup("this host, sized as the guest");
    if (strcmp(cell->kind, "aa") == 0)
        return g_strdup_printf("%s (baseline again)", label);
    return g_strdup_printf("%s%s", label, cell->baseline ? " (baseline)" : "");
}

static void
add_directions(Medians *m)
{
    g_autofree const char **cells = g_new0(const char *, m->count + 2);

    for (guint i = 0; i < m->count; i++) {
        const ReportMetric *metric = m->report->metrics->pdata[m->metrics[i]];

        cells[i + 1] = format_better(metric->higher_better);
    }
    table_add(m->table, cells);
}

static char *
sample_text(guint least, guint most)
{
    if (least == most)
        return g_strdup_printf("%u", least);
    return g_strdup_printf("%u-%u", least, most);
}

static void
add_row(Medians *m, const StoreCell *cell)
{
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *label = row_label(cell);
    guint least = G_MAXUINT, most = 0;

    g_ptr_array_add(cells, format_cut(label, NAME_MAX_WIDTH));
    for (guint i = 0; i < m->count; i++) {
        const ReportMetric *metric = m->report->metrics->pdata[m->metrics[i]];
        const ReportCellMetric *value =
            report_cell_value(m->report, cell->index, m->metrics[i]);
        g_autofree char *unit = format_safe(metric->unit);

        least = MIN(least, value ? value->n : 0);
        most = MAX(most, value ? value->n : 0);
        g_ptr_array_add(cells, format_value(value ? value->median : NAN, unit));
    }
    g_ptr_array_add(cells, sample_text(least, most));
    table_add(m->table, (const char *const *) cells->pdata);
}

/* The host leads: every guest is seen against it. */
static void
add_rows(Medians *m)
{
    const GPtrArray *all = m->report->cells;

    for (guint pass = 0; pass < 2; pass++)
        for (guint i = 0; i < all->len; i++) {
            const StoreCell *cell = all->pdata[i];

            if (report_cell_planned(cell) &&
                report_cell_is_host(cell) == (pass == 0))
                add_row(m, cell);
        }
}

/* The tag of METHOD 7.9 on absolute values. */
static char *
heading_of(const Report *report, guint metric)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    g_autofree char *id = format_safe(info->id);

    return g_strdup_printf("%s%s", id,
                           report_drifted(report, metric) ? " (drifted)" : "");
}

static void
add_table(const Report *report, const guint *metrics, guint count, GString *out)
{
    g_autofree const char **headings = g_new0(const char *, count + 2);
    g_autofree TableAlign *align = g_new(TableAlign, count + 2);
    g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);

    headings[0] = "medians";
    align[0] = TABLE_LEFT;
    for (guint i = 0; i < count; i++) {
        g_ptr_array_add(ids, heading_of(report, metrics[i]));
        headings[i + 1] = ids->pdata[i];
        align[i + 1] = TABLE_RIGHT;
    }
    headings[count + 1] = "n";
    align[count + 1] = TABLE_RIGHT;
    g_autoptr(Table) table = table_new(count + 2, headings, align);
    Medians medians = {report, metrics, count, table};
    add_directions(&medians);
    add_rows(&medians);
    g_string_append_c(out, '\n');
    table_format(table, 0, out);
}

static guint
names_width(const Report *report)
{
    guint width = 0;

    for (guint i = 0; i < report->cells->len; i++) {
        g_autofree char *label = row_label(report->cells->pdata[i]);

        if (report_cell_planned(report->cells->pdata[i]))
            width = MAX(width, (guint) g_utf8_strlen(label, -1));
    }
    return MIN(width, NAME_MAX_WIDTH);
}

static guint
column_width(const Report *report, guint metric)
{
    g_autofree char *heading = heading_of(report, metric);

    return GAP + MAX((guint) g_utf8_strlen(heading, -1), MEDIAN_MIN_WIDTH);
}

/* As many metrics side by side as a line holds. */
void
text_cells(const Report *report, GString *out)
{
    g_autofree guint *metrics = g_new(guint, report->metrics->len + 1);
    guint start = names_width(report) + GAP + SAMPLE_WIDTH;
    guint count = 0, width = start;

    for (guint i = 0; i < report->metrics->len; i++) {
        const ReportMetric *metric = report->metrics->pdata[i];

        if (!metric->primary && !g_strv_contains(lead_metrics, metric->id))
            continue;
        if (count > 0 && width + column_width(report, i) > FORMAT_WIDTH) {
            add_table(report, metrics, count, out);
            count = 0;
            width = start;
        }
        metrics[count++] = i;
        width += column_width(report, i);
    }
    if (count > 0)
        add_table(report, metrics, count, out);
}
