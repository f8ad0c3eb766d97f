/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report for a terminal.  The first screen is plain numbers and what they
 * come to; tables of deltas, trouble and where the time went follow.
 */
#include "report/text.h"

#include <math.h>
#include <string.h>
#include "base/table.h"
#include "base/units.h"
#include "report/format.h"
#include "report/parts.h"
#include "report/write.h"

/* Sentences on the first screen; the rest is in summary.md. */
#define HEADLINES_SHOWN 6
/* Width of a cell's name among its medians. */
#define NAME_MAX_WIDTH 32
/* Narrowest column of medians: "higher is better". */
#define MEDIAN_MIN_WIDTH 16

/* What a person asks of a storage host before anything else. */
static const char *const lead_metrics[] = {"fs.fsync.p50", "fs.seqwrite.bw",
                                           "fs.seqread.cold"};

static char *
join(const GPtrArray *texts)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < texts->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               (char *) texts->pdata[i]);
    return g_strdup(out->str);
}

static void
add_header(const Report *report, GString *out)
{
    g_autoptr(GPtrArray) circumstances = report_circumstances(report);
    g_autofree char *name = format_safe(report_fact(report, "matrix.name"));
    g_autofree char *question = format_safe(report_fact(report, "question"));
    g_autoptr(GPtrArray) origins = report_origins(report);
    g_autofree char *joined = join(circumstances);
    g_autofree char *from = join(origins);
    g_autofree char *grade = report_grade_text(report);
    g_autofree char *baseline = report_baseline_text(report);
    bool given = g_strcmp0(report_fact(report, "baseline.given"), "no") != 0;

    format_line(out, 0, 2, "%s%s%s", *name ? name : "sweep",
                *question ? ": " : "", question);
    if (report->emulated)
        format_line(out, 0, 2, "%s", REPORT_EMULATED);
    format_wrap(out, 0, 2, joined);
    if (origins->len > 0)
        format_wrap(out, 0, 2, from);
    format_line(out, 0, 2, "baseline %s%s", baseline,
                given ? "" : " (none was given: first level of each setting)");
    format_line(out, 0, 2, "grade %s", grade);
}

static void
add_host_row(const Report *report, Table *table, guint cell, guint metric)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    const ReportCellMetric *value = report_cell_value(report, cell, metric);

    if (!value)
        return;
    g_autofree char *id = format_safe(info->id);
    g_autofree char *unit = format_safe(info->unit);
    g_autofree char *median = format_value(value->median, unit);
    g_autofree char *n = g_strdup_printf("%u", value->n);
    const char *const cells[] = {id, median, n,
                                 format_better(info->higher_better)};
    table_add(table, cells);
}

/* fsync latency and sequential throughput of the host come first. */
static void
add_host(const Report *report, GString *out)
{
    static const char *const headings[] = {"this host, no guest", "median", "n",
                                           ""};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_RIGHT, TABLE_RIGHT,
                                       TABLE_LEFT};
    int place = report_cell_of(report, "host");

    if (place < 0 || report->metrics->len == 0)
        return;
    g_autoptr(Table) table = table_new(4, headings, align);
    guint cell = ((StoreCell *) report->cells->pdata[place])->index;
    for (gsize i = 0; i < G_N_ELEMENTS(lead_metrics); i++) {
        int metric = report_metric(report, lead_metrics[i]);

        if (metric >= 0)
            add_host_row(report, table, cell, (guint) metric);
    }
    for (guint i = 0; i < report->metrics->len; i++) {
        const ReportMetric *metric = report->metrics->pdata[i];

        if (metric->primary &&
            !g_strv_contains((const char *const[]){lead_metrics[0],
                                                   lead_metrics[1],
                                                   lead_metrics[2], NULL},
                             metric->id))
            add_host_row(report, table, cell, i);
    }
    g_string_append_c(out, '\n');
    table_format(table, 0, out);
}

/* One table of medians: cells down, some metrics across. */
typedef struct Medians {
    const Report *report;
    const guint *metrics;
    guint count;
    Table *table;
} Medians;

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
add_median_row(Medians *m, const StoreCell *cell)
{
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *label = report_cell_label(cell);
    g_autofree char *named = g_strdup_printf(
        "%s%s", label,
        cell->baseline && strcmp(cell->kind, "cell") == 0 ? " (baseline)" : "");
    guint least = G_MAXUINT, most = 0;

    g_ptr_array_add(cells, format_cut(named, NAME_MAX_WIDTH));
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

static void
add_medians_table(const Report *report, const guint *metrics, guint count,
                  GString *out)
{
    g_autofree const char **headings = g_new0(const char *, count + 2);
    g_autofree TableAlign *align = g_new(TableAlign, count + 2);
    g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);

    headings[0] = "cell, medians";
    align[0] = TABLE_LEFT;
    for (guint i = 0; i < count; i++) {
        const ReportMetric *metric = report->metrics->pdata[metrics[i]];

        g_ptr_array_add(ids, format_safe(metric->id));
        headings[i + 1] = ids->pdata[i];
        align[i + 1] = TABLE_RIGHT;
    }
    headings[count + 1] = "n";
    align[count + 1] = TABLE_RIGHT;
    g_autoptr(Table) table = table_new(count + 2, headings, align);
    Medians medians = {report, metrics, count, table};
    add_directions(&medians);
    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        if (report_cell_planned(cell) && strcmp(cell->kind, "host") != 0)
            add_median_row(&medians, cell);
    }
    g_string_append_c(out, '\n');
    table_format(table, 0, out);
}

static guint
median_column_width(const ReportMetric *metric)
{
    return 2 + MAX((guint) g_utf8_strlen(metric->id, -1), MEDIAN_MIN_WIDTH);
}

/* Primary metrics, as many side by side as a line holds. */
static void
add_medians(const Report *report, GString *out)
{
    g_autofree guint *metrics = g_new(guint, report->metrics->len + 1);
    guint count = 0;
    guint start = NAME_MAX_WIDTH + 6; /* and the column n */
    guint width = start;

    for (guint i = 0; i < report->metrics->len; i++) {
        const ReportMetric *metric = report->metrics->pdata[i];

        if (!metric->primary)
            continue;
        if (count > 0 && width + median_column_width(metric) > FORMAT_WIDTH) {
            add_medians_table(report, metrics, count, out);
            count = 0;
            width = start;
        }
        metrics[count++] = i;
        width += median_column_width(metric);
    }
    if (count > 0)
        add_medians_table(report, metrics, count, out);
}

static void
add_headlines(const Report *report, GString *out)
{
    guint shown = MIN(report->headlines->len, HEADLINES_SHOWN);

    if (shown > 0)
        g_string_append_c(out, '\n');
    for (guint i = 0; i < shown; i++) {
        g_autofree char *safe = format_safe(report->headlines->pdata[i]);

        format_line(out, 0, 2, "* %s", safe);
    }
    if (report->headlines->len > shown)
        format_line(out, 0, 2, "  (%u more in summary.md)",
                    report->headlines->len - shown);
}

static void
add_troubles(const Report *report, GString *out)
{
    g_autoptr(GPtrArray) troubles = report_troubles(report);

    if (troubles->len > 0)
        g_string_append(out, "\nNot measured, or not at the first try\n");
    for (guint i = 0; i < troubles->len; i++)
        format_wrap(out, 2, 4, troubles->pdata[i]);
}

static bool
any_contrast(const Report *report, bool (*holds)(const ReportContrast *))
{
    for (guint i = 0; i < report->contrasts->len; i++)
        if (holds(report->contrasts->pdata[i]))
            return true;
    return false;
}

static bool
by_t_test(const ReportContrast *contrast)
{
    return contrast->estimate.p_method == METHOD_T;
}

static bool
has_estimate(const ReportContrast *contrast)
{
    return contrast->estimate.n >= 3;
}

static bool
is_marked(const ReportContrast *contrast)
{
    return contrast->ignores_flushes;
}

static void
add_legend(const Report *report, GString *out)
{
    if (report->contrasts->len == 0)
        return;
    g_string_append_c(out, '\n');
    if (any_contrast(report, has_estimate))
        format_line(out, 0, 2,
                    "change: level against base, paired within blocks; "
                    "intervals hold 95 %% or more; n: blocks; p: Holm-adjusted "
                    "within a primary metric%s; band: smaller differences "
                    "count as none of practical relevance",
                    any_contrast(report, by_t_test)
                        ? ", t: by t test on logs (too few blocks for the "
                          "exact one)"
                        : "");
    else
        format_line(out, 0, 2,
                    "n: blocks; fewer than 3 give figures, no "
                    "verdicts");
    if (any_contrast(report, is_marked))
        format_line(out, 0, 2, "%s", REPORT_UNSAFE);
}

void
report_times(const Report *report, GString *out)
{
    gint64 total = 0;

    g_string_append(out, "time:");
    for (guint i = 0; i < PART_MAX; i++) {
        g_autofree char *text = units_format_duration(report->times[i]);

        g_string_append_printf(out, " %s %s ", part_name((Part) i), text);
        total += report->times[i];
    }
    g_string_append_printf(out, " (measured %.0f %%)\n",
                           total > 0
                               ? 100.0 * (double) report->times[PART_MEASURE] /
                                     (double) total
                               : 0.0);
}

static void
add_times(const Report *report, GString *out)
{
    g_autoptr(GString) line = g_string_new(NULL);

    report_times(report, line);
    g_strchomp(line->str);
    g_string_append_c(out, '\n');
    format_wrap(out, 0, 6, line->str);
}

void
report_text(const Report *report, GString *out)
{
    add_header(report, out);
    if (report->runs->len == 0)
        format_line(out, 0, 2, "no attempts yet: nothing has been measured");
    add_host(report, out);
    add_medians(report, out);
    add_headlines(report, out);
    text_deltas(report, out);
    add_troubles(report, out);
    add_legend(report, out);
    add_times(report, out);
}
