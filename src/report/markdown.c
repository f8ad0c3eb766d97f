/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.md: the rows of the terminal report, to be kept and passed on. */
#include "report/markdown.h"

#include <math.h>
#include <string.h>
#include "base/table.h"
#include "report/format.h"
#include "report/ladder.h"
#include "report/parts.h"
#include "report/text.h"
#include "report/write.h"

static void
add_bullet(GString *out, const char *text)
{
    g_autofree char *safe = format_markdown(text);

    g_string_append_printf(out, "- %s\n", safe);
}

void
markdown_bullets(GString *out, const char *title, const GPtrArray *texts)
{
    if (texts->len == 0)
        return;
    g_string_append_printf(out, "\n## %s\n\n", title);
    for (guint i = 0; i < texts->len; i++)
        add_bullet(out, texts->pdata[i]);
}

static void
add_head(const Report *report, GString *out)
{
    g_autoptr(GPtrArray) circumstances = report_circumstances(report);
    g_autoptr(GPtrArray) origins = report_origins(report, false);
    g_autofree char *accel = report_accel_text(report);
    g_autofree char *disturbed = report_disturbed_text(report);
    g_autofree char *name = format_markdown(report_fact(report, "matrix.name"));
    g_autofree char *question =
        format_markdown(report_fact(report, "question"));
    g_autofree char *baseline = report_baseline_text(report);
    g_autofree char *safe_baseline = format_markdown(baseline);
    g_autofree char *grade = report_grade_text(report);
    g_autofree char *safe_grade = format_markdown(grade);
    const char *why = report_baseline_why(report);

    g_string_append_printf(out, "# %s\n\n", *name ? name : "sweep");
    if (*question)
        g_string_append_printf(out, "%s\n\n", question);
    if (report->emulated || report->simulated)
        g_string_append_printf(out, "**%s**\n\n", accel);
    g_string_append_printf(out, "- grade %s\n- baseline %s%s%s%s\n", safe_grade,
                           safe_baseline, why ? " (none was given: " : "",
                           why ? why : "", why ? ")" : "");
    if (disturbed) {
        g_autofree char *text = g_strdup_printf("disturbed: %s", disturbed);
        add_bullet(out, text);
    }
    if (accel && !report->emulated && !report->simulated)
        add_bullet(out, accel);
    for (guint i = 0; i < circumstances->len; i++)
        add_bullet(out, circumstances->pdata[i]);
    for (guint i = 0; i < origins->len; i++)
        add_bullet(out, origins->pdata[i]);
}

/* Host first, then cells in the order of the design. */
static void
add_cell_rows(const Report *report, Table *table, bool hosts)
{
    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];
        g_autofree char *label = report_cell_label(cell);
        g_autofree char *name = format_markdown(label);

        if (report_cell_is_host(cell) != hosts)
            continue;
        for (guint m = 0; m < report->metrics->len; m++) {
            const ReportMetric *metric = report->metrics->pdata[m];
            const ReportCellMetric *v =
                report_cell_value(report, cell->index, m);

            if (!v)
                continue;
            g_autofree char *escaped = format_markdown(metric->id);
            g_autofree char *id = g_strdup_printf(
                "%s%s", escaped, report_drifted(report, m) ? " (drifted)" : "");
            g_autofree char *unit = format_markdown(metric->unit);
            g_autofree char *median = format_number(v->median);
            g_autofree char *lo = format_number(v->lo);
            g_autofree char *hi = format_number(v->hi);
            g_autofree char *range = g_strdup_printf("%s ... %s", lo, hi);
            g_autofree char *confidence = format_confidence(v->confidence);
            g_autofree char *n = g_strdup_printf("%u", v->n);
            const char *const cells[] = {name,
                                         id,
                                         median,
                                         v->n > 1 ? range : "-",
                                         v->n > 1 ? confidence : "-",
                                         n,
                                         unit,
                                         format_better(metric->higher_better)};
            table_add(table, cells);
        }
    }
}

static void
add_cells(const Report *report, GString *out)
{
    static const char *const headings[] = {"cell",     "metric",  "median",
                                           "interval", "conf. %", "n",
                                           "unit",     "better"};
    static const TableAlign align[] = {TABLE_LEFT,  TABLE_LEFT,  TABLE_RIGHT,
                                       TABLE_RIGHT, TABLE_RIGHT, TABLE_RIGHT,
                                       TABLE_LEFT,  TABLE_LEFT};
    g_autoptr(Table) table = table_new(8, headings, align);

    if (report->cell_values->len == 0)
        return;
    add_cell_rows(report, table, true);
    add_cell_rows(report, table, false);
    g_string_append(out, "\n## Cells\n\n");
    table_format_markdown(table, out);
}

enum {
    COL_METRIC,
    COL_SETTING,
    COL_LEVEL,
    COL_BASE,
    COL_MEDIAN,
    COL_MEDIAN_BASE,
    COL_CHANGE,
    COL_INTERVAL,
    COL_CONFIDENCE,
    COL_N,
    COL_P,
    COL_VERDICT,
    COL_BETTER,
    COL_CONTEXTS,
    COL_NOTE,
    COLUMNS
};

static void
add_row(const Report *report, const ReportContrast *c, Table *table)
{
    const ReportMetric *metric = report->metrics->pdata[c->metric];
    g_autofree char *id = format_markdown(metric->id);
    g_autofree char *setting = format_markdown(c->setting);
    g_autofree char *level = format_markdown(c->level);
    g_autofree char *marked =
        g_strdup_printf("%s%s%s", level, c->screening ? " scr" : "",
                        c->ignores_flushes ? " ‡" : "");
    g_autofree char *base = format_markdown(c->base);
    g_autofree char *unit = format_markdown(metric->unit);
    g_autofree char *median = format_value(c->median_level, unit);
    g_autofree char *median_base = format_value(c->median_base, unit);
    g_autofree char *change = report_percent(c->ratio);
    g_autofree char *interval = format_interval(c->ratio_lo, c->ratio_hi);
    g_autofree char *confidence = format_confidence(c->estimate.confidence);
    g_autofree char *n = g_strdup_printf("%u", c->estimate.n);
    g_autofree char *p = format_p(c->p_adjusted);
    g_autofree char *contexts =
        c->contexts_total > 0
            ? g_strdup_printf("%u/%u", c->contexts, c->contexts_total)
            : g_strdup("-");
    g_autofree char *note = format_markdown(c->note);
    const char *const cells[COLUMNS] = {
        [COL_METRIC] = id,
        [COL_SETTING] = setting,
        [COL_LEVEL] = marked,
        [COL_BASE] = base,
        [COL_MEDIAN] = median,
        [COL_MEDIAN_BASE] = median_base,
        [COL_CHANGE] = change,
        [COL_INTERVAL] = interval,
        [COL_CONFIDENCE] = c->estimate.n < 3 ? "-" : confidence,
        [COL_N] = n,
        [COL_P] = p,
        [COL_VERDICT] = c->word,
        [COL_BETTER] = format_better(metric->higher_better),
        [COL_CONTEXTS] = contexts,
        [COL_NOTE] = note,
    };

    table_add(table, cells);
}

/* Metrics without any data: a line each instead of empty rows. */
static void
add_without_data(const Report *report, GString *out)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < report->metrics->len; i++)
        if (report->contrasts->len > 0 && !report_metric_compared(report, i))
            g_ptr_array_add(texts, report_no_data_text(report, i));
    markdown_bullets(out, "Metrics without a comparison", texts);
}

static void
add_contrasts(const Report *report, bool primary, GString *out)
{
    static const char *const headings[COLUMNS] = {
        "metric",      "setting", "level",      "base",     "median level",
        "median base", "change",  "interval %", "conf. %",  "n",
        "p",           "verdict", "better",     "contexts", "note"};
    static const TableAlign align[COLUMNS] = {
        [COL_MEDIAN] = TABLE_RIGHT,     [COL_MEDIAN_BASE] = TABLE_RIGHT,
        [COL_CHANGE] = TABLE_RIGHT,     [COL_INTERVAL] = TABLE_RIGHT,
        [COL_CONFIDENCE] = TABLE_RIGHT, [COL_N] = TABLE_RIGHT,
        [COL_P] = TABLE_RIGHT};
    g_autoptr(Table) table = table_new(COLUMNS, headings, align);
    guint rows = 0;

    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];

        if (c->exploratory == primary ||
            !report_metric_compared(report, c->metric))
            continue;
        add_row(report, c, table);
        rows++;
    }
    if (rows == 0)
        return;
    g_string_append(out, primary
                             ? "\n## Deltas: primary metrics (p Holm-adjusted "
                               "within a metric)\n\n"
                             : "\n## Exploratory deltas (p unadjusted)\n\n");
    table_format_markdown(table, out);
}

static bool
any_screening(const Report *report)
{
    for (guint i = 0; i < report->contrasts->len; i++)
        if (((ReportContrast *) report->contrasts->pdata[i])->screening)
            return true;
    return false;
}

static bool
any_marked(const Report *report)
{
    for (guint i = 0; i < report->contrasts->len; i++)
        if (((ReportContrast *) report->contrasts->pdata[i])->ignores_flushes)
            return true;
    return false;
}

void
report_markdown(const Report *report, GString *out)
{
    g_autoptr(GPtrArray) troubles = report_troubles(report);

    add_head(report, out);
    if (report->runs->len == 0)
        g_string_append(out, "\nNo attempts yet: nothing has been measured.\n");
    markdown_bullets(out, "Findings", report->findings);
    add_cells(report, out);
    add_contrasts(report, true, out);
    markdown_ladders(report, out);
    /* As many findings as sentences: they are the same. */
    if (report->headlines->len != report->findings->len)
        markdown_bullets(out, "Primary metrics in words", report->headlines);
    markdown_findings(report, out);
    add_contrasts(report, false, out);
    add_without_data(report, out);
    if (any_screening(report))
        g_string_append_printf(out, "\n%s.\n", REPORT_SCREENING);
    if (any_marked(report))
        g_string_append_printf(out, "\n%s\n", REPORT_UNSAFE);
    markdown_bullets(out, "Not measured, or not at the first try", troubles);
    if (report_is_csv(report))
        return;
    g_string_append(out, "\n## Time\n\n");
    report_times(report, out);
}
