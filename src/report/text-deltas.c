/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of deltas in the terminal report: one per metric, its rows
 * grouped by setting, with what a row cannot hold in a line under it.
 */
#include "report/text.h"

#include <math.h>
#include <string.h>
#include "base/table.h"
#include "report/format.h"
#include "report/parts.h"

enum { LEVEL, MEDIANS, CHANGE, SAMPLE, P, BETTER, VERDICT, COLUMNS };

/* A level's name is cut to make a table fit, but not below this. */
#define LEVEL_MIN 8

typedef struct Row {
    char *cells[COLUMNS];
    const ReportContrast *contrast;
} Row;

static void
row_clear(Row *row)
{
    for (guint i = 0; i < COLUMNS; i++)
        g_free(row->cells[i]);
}

/* Settings have levels; the other comparisons have a name of their own. */
static char *
level_text(const ReportContrast *contrast)
{
    g_autofree char *level = format_safe(contrast->level);

    return g_strdup_printf("%s%s%s", level, contrast->screening ? " scr" : "",
                           contrast->ignores_flushes ? " ‡" : "");
}

static char *
p_text(const ReportContrast *contrast)
{
    g_autofree char *p = format_p(contrast->p_adjusted);

    return g_strdup_printf("%s%s", p,
                           contrast->estimate.p_method == METHOD_T ? "t" : "");
}

static char *
change_text(const ReportContrast *contrast)
{
    g_autofree char *percent = report_percent(contrast->ratio);
    g_autofree char *interval =
        format_interval(contrast->ratio_lo, contrast->ratio_hi);

    if (isnan(contrast->ratio_lo))
        return g_strdup(percent);
    return g_strdup_printf("%7s %s", percent, interval);
}

static Row
make_row(const Report *report, const ReportContrast *contrast)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];
    g_autofree char *base = format_number(contrast->median_base);
    g_autofree char *level = format_number(contrast->median_level);
    Row row = {.contrast = contrast};

    row.cells[LEVEL] = level_text(contrast);
    row.cells[MEDIANS] = contrast->estimate.n == 0
                             ? g_strdup("-")
                             : g_strdup_printf("%s → %s", base, level);
    row.cells[CHANGE] = change_text(contrast);
    row.cells[SAMPLE] = g_strdup_printf("%u", contrast->estimate.n);
    row.cells[P] = p_text(contrast);
    row.cells[BETTER] = g_strdup(format_better(metric->higher_better));
    /* The rest of the wording is in the footnote: REPORT_UNSAFE.  A host is
     * no setting: its figures speak for themselves. */
    row.cells[VERDICT] =
        g_strdup(contrast->not_comparable                 ? "not comparable"
                 : strcmp(contrast->setting, "host") == 0 ? ""
                                                          : contrast->word);
    return row;
}

/* The A/A twin is a sentence; a host does not do everything a guest does. */
static bool
is_row(const ReportContrast *contrast)
{
    return strcmp(contrast->setting, "aa") != 0 &&
           (strcmp(contrast->setting, "host") != 0 || contrast->estimate.n > 0);
}

static GArray *
make_rows(const Report *report, guint metric)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));

    g_array_set_clear_func(rows, (GDestroyNotify) row_clear);
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *contrast = report->contrasts->pdata[i];

        if (contrast->metric != metric || !is_row(contrast))
            continue;
        Row row = make_row(report, contrast);
        g_array_append_val(rows, row);
    }
    return rows;
}

/* `tight` takes the air out of the medians. */
static void
format_rows(const GArray *rows, guint level_width, bool tight, GString *out)
{
    static const char *const headings[COLUMNS] = {
        "  level", "base → level", "change [interval] %", "n", "p",
        "",        "verdict"};
    static const TableAlign align[COLUMNS] = {
        TABLE_LEFT,  TABLE_RIGHT, TABLE_LEFT, TABLE_RIGHT,
        TABLE_RIGHT, TABLE_LEFT,  TABLE_LEFT};
    g_autoptr(Table) table = table_new(COLUMNS, headings, align);

    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        const char *cells[COLUMNS];
        g_autofree char *cut = format_cut(row->cells[LEVEL], level_width);
        g_autofree char *level = g_strdup_printf("  %s", cut);
        g_autoptr(GString) medians = g_string_new(row->cells[MEDIANS]);

        if (tight)
            g_string_replace(medians, " ", "", 0);
        memcpy(cells, row->cells, sizeof cells);
        cells[LEVEL] = level;
        cells[MEDIANS] = medians->str;
        table_add(table, cells);
    }
    table_format(table, 0, out);
}

/* The table as lines that fit the page: first without air, then with levels
 * cut. */
static GStrv
fit_rows(const GArray *rows)
{
    guint longest = LEVEL_MIN, width = 0;
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);

        longest = MAX(longest, (guint) g_utf8_strlen(row->cells[LEVEL], -1));
    }
    format_rows(rows, longest, false, out);
    for (width = longest;
         format_widest(out->str) > FORMAT_WIDTH && width >= LEVEL_MIN;
         width--) {
        g_string_truncate(out, 0);
        format_rows(rows, width, true, out);
    }
    return g_strsplit(out->str, "\n", -1);
}

static void
add_group(const ReportContrast *contrast, GString *out)
{
    g_autofree char *setting = format_safe(contrast->setting);
    g_autofree char *base = format_safe(contrast->base);

    if (strcmp(setting, "host") == 0)
        format_line(out, 1, 3, "without a guest, against the baseline guest");
    else if (strcmp(setting, "cell") == 0)
        format_line(out, 1, 3, "whole cells, against %s", base);
    else
        format_line(out, 1, 3, "%s, against %s", setting, base);
}

/* What a full design adds: how much of it is behind a row, and how far the
 * contexts are apart. */
static void
add_contexts(const ReportContrast *contrast, GString *out)
{
    g_autofree char *lo = report_percent(contrast->simple_lo);
    g_autofree char *hi = report_percent(contrast->simple_hi);

    if (contrast->contexts_total < 2)
        return;
    if (contrast->contexts > 1)
        format_line(out, 4, 6, "mean over %u of %u contexts: from %s to %s",
                    contrast->contexts, contrast->contexts_total, lo, hi);
    else
        format_line(out, 4, 6, "from %u of %u contexts", contrast->contexts,
                    contrast->contexts_total);
}

/* What biases a screening row. */
static void
add_alias(const ReportContrast *contrast, GString *out)
{
    g_autofree char *alias = report_alias_text(contrast);
    g_autofree char *safe = format_safe(alias);

    if (alias)
        format_wrap(out, 4, 6, safe);
}

static void
add_table(const GArray *rows, GString *out)
{
    g_auto(GStrv) lines = fit_rows(rows);
    const char *setting = "";

    g_string_append_printf(out, "%s\n", lines[0]);
    for (guint i = 0; i < rows->len; i++) {
        const ReportContrast *contrast = g_array_index(rows, Row, i).contrast;

        if (strcmp(setting, contrast->setting) != 0)
            add_group(contrast, out);
        setting = contrast->setting;
        g_string_append_printf(out, "%s\n", lines[i + 1]);
        add_contexts(contrast, out);
        add_alias(contrast, out);
    }
}

/* METHOD 7.7: the rig's own resolution, or that it cannot be trusted. */
static void
add_twin(const Report *report, guint metric, GString *out)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    const ReportContrast *aa = report_contrast(report, metric, "aa", "aa");
    double resolution = report_resolution(report, metric);

    if (!aa || aa->estimate.n == 0)
        return;
    g_autofree char *change = change_text(aa);
    g_strstrip(change);
    if (aa->estimate.n < 3) {
        format_line(out, 2, 7,
                    "A/A: %s, n %u: too few blocks to know the "
                    "rig's resolution",
                    change, aa->estimate.n);
        return;
    }
    bool failed = strcmp(aa->word, "A/A failed") == 0;
    bool coarse = resolution > info->delta;
    g_autofree char *n = g_strdup_printf(", n %u", aa->estimate.n);
    g_autofree char *remark =
        g_strdup_printf("; this rig cannot resolve ±%g %% with %u blocks",
                        info->delta * 100, aa->estimate.n);
    format_line(
        out, 2, 7, "A/A: %s%s: %s; resolution ±%.*f %%%s", change,
        coarse ? "" : n, failed ? "A/A FAILED, rig not trustworthy" : "pass",
        resolution < 0.1 ? 1 : 0, resolution * 100, coarse ? remark : "");
}

/* What all the cells together say. */
static void
add_wholes(const Report *report, guint metric, GString *out)
{
    const ReportShares *shares = report_shares(report, metric);
    const ReportBest *best = report_best(report, metric);
    g_autofree char *share_text =
        shares ? report_shares_text(report, shares) : NULL;
    g_autofree char *best_text = best ? report_best_text(report, best) : NULL;
    const char *const texts[] = {share_text, best_text};

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *safe = format_safe(texts[i]);

        if (texts[i])
            format_wrap(out, 2, 4, safe);
    }
}

static void
add_title(const Report *report, guint metric, GString *out)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    g_autofree char *id = format_safe(info->id);
    g_autofree char *unit = format_safe(info->unit);

    g_string_append_c(out, '\n');
    format_line(out, 0, 2, "%s%s%s, %s, band ±%g %%%s%s", id,
                *unit ? " in " : "", unit, format_better(info->higher_better),
                info->delta * 100,
                info->primary ? "" : "; exploratory: p not adjusted",
                report_figures_only(report, info)
                    ? "; harness check: no verdicts under emulation"
                    : "");
}

static void
add_metric(const Report *report, guint metric, GString *out)
{
    g_autoptr(GArray) rows = make_rows(report, metric);

    if (rows->len == 0)
        return;
    if (!report_metric_compared(report, metric)) {
        g_autofree char *reason = report_no_data_text(report, metric);

        g_string_append_c(out, '\n');
        format_wrap(out, 0, 2, reason);
        return;
    }
    add_title(report, metric, out);
    add_table(rows, out);
    add_twin(report, metric, out);
    add_wholes(report, metric, out);
}

static guint
add_metrics(const Report *report, bool primary, GString *out)
{
    guint count = 0;

    for (guint i = 0; i < report->metrics->len; i++) {
        const ReportMetric *metric = report->metrics->pdata[i];

        if (metric->primary != primary)
            continue;
        count++;
        if (out)
            add_metric(report, i, out);
    }
    return count;
}

void
text_deltas(const Report *report, bool all, GString *out)
{
    guint others = 0;

    add_metrics(report, true, out);
    others = add_metrics(report, false, all ? out : NULL);
    if (others == 0 || all)
        return;
    g_string_append_c(out, '\n');
    format_line(out, 0, 2,
                "%u more metric%s, exploratory: vsweep report --all, "
                "summary.md",
                others, others == 1 ? "" : "s");
}
