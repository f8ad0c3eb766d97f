/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One setting, one metric, one screen: the answer first, then its grounds. */
#include "report/compare.h"

#include <math.h>
#include <string.h>
#include "base/table.h"
#include "report/format.h"
#include "report/json.h"
#include "report/parts.h"
#include "report/text.h"
#include "report/write.h"

enum { LEVEL, MEDIAN, RATIO, SAMPLE, P, BETTER, VERDICT, COLUMNS };

/* Levels are cut so that a row fits the page, but not below the one. */
#define LEVEL_MAX 40
#define LEVEL_MIN 8

static char *
level_label(const char *name, guint width, bool marked)
{
    g_autofree char *safe = format_safe(name);
    g_autofree char *cut = format_cut(safe, width);

    return g_strdup_printf("%s%s", cut, marked ? " ‡" : "");
}

/* "786 [745, 860]": order statistics, or the median alone. */
static char *
median_text(double median, double lo, double hi, guint n)
{
    g_autofree char *value = format_number(median);
    g_autofree char *low = format_number(lo);
    g_autofree char *high = format_number(hi);

    if (n < 2)
        return g_strdup(value);
    return g_strdup_printf("%s [%s, %s]", value, low, high);
}

static char *
ratio_text(const ReportContrast *c)
{
    if (isnan(c->ratio))
        return g_strdup("-");
    if (isnan(c->ratio_lo))
        return g_strdup_printf("%.3f", c->ratio);
    return g_strdup_printf("%.3f [%.3f, %.3f]", c->ratio, c->ratio_lo,
                           c->ratio_hi);
}

/* What the ratios are ratios to. */
static void
add_base(const ReportContrast *c, guint width, Table *table)
{
    g_autofree char *label =
        level_label(c->base, width, strcmp(c->class_base, "N") == 0);
    g_autofree char *median =
        median_text(c->median_base, c->base_lo, c->base_hi, c->estimate.n);
    g_autofree char *n = g_strdup_printf("%u", c->estimate.n);
    const char *const cells[COLUMNS] = {
        [LEVEL] = label, [MEDIAN] = median, [RATIO] = "1", [SAMPLE] = n};

    table_add(table, cells);
}

static void
add_level(const Comparands *comparands, const ReportContrast *c, guint width,
          Table *table)
{
    const ReportMetric *metric =
        comparands->report->metrics->pdata[comparands->metric];
    g_autofree char *label = level_label(c->level, width, c->ignores_flushes);
    g_autofree char *median =
        median_text(c->median_level, c->level_lo, c->level_hi, c->estimate.n);
    g_autofree char *ratio = ratio_text(c);
    g_autofree char *n = g_strdup_printf("%u", c->estimate.n);
    g_autofree char *p = format_p(c->p_adjusted);
    g_autofree char *marked =
        g_strdup_printf("%s%s", p, c->estimate.p_method == METHOD_T ? "t" : "");
    const char *const cells[COLUMNS] = {
        [LEVEL] = label,
        [MEDIAN] = median,
        [RATIO] = ratio,
        [SAMPLE] = n,
        [P] = marked,
        [BETTER] = format_better(metric->higher_better),
        [VERDICT] = c->not_comparable ? "not comparable" : c->word};

    table_add(table, cells);
}

static void
format_levels(const Comparands *comparands, guint width, GString *out)
{
    const ReportContrast *first = comparands->rows->pdata[0];
    const ReportMetric *metric =
        comparands->report->metrics->pdata[comparands->metric];
    g_autofree char *unit = format_safe(metric->unit);
    g_autofree char *medians = g_strdup_printf("median, %s", unit);
    const char *const headings[COLUMNS] = {[LEVEL] = "level",
                                           [MEDIAN] = medians,
                                           [RATIO] = "ratio [interval]",
                                           [SAMPLE] = "n",
                                           [P] = first->exploratory ? "p"
                                                                    : "Holm p",
                                           [VERDICT] = "verdict"};
    static const TableAlign align[COLUMNS] = {
        [SAMPLE] = TABLE_RIGHT, [P] = TABLE_RIGHT};
    g_autoptr(Table) table = table_new(COLUMNS, headings, align);

    add_base(first, width, table);
    for (guint i = 0; i < comparands->rows->len; i++)
        add_level(comparands, comparands->rows->pdata[i], width, table);
    table_format(table, 0, out);
}

static void
add_levels(const Comparands *comparands, GString *out)
{
    g_autoptr(GString) table = g_string_new(NULL);
    guint width = LEVEL_MAX;

    format_levels(comparands, width, table);
    while (format_widest(table->str) > FORMAT_WIDTH && width > LEVEL_MIN) {
        g_string_truncate(table, 0);
        format_levels(comparands, --width, table);
    }
    g_string_append(out, table->str);
}

/* In how many combinations of the other settings a row was seen. */
static void
add_contexts(const ReportContrast *c, GString *out)
{
    g_autofree char *level = format_safe(c->level);
    g_autofree char *lo = report_percent(c->simple_lo);
    g_autofree char *hi = report_percent(c->simple_hi);

    if (c->contexts_total < 2)
        return;
    if (c->contexts > 1)
        format_line(out, 0, 2, "%s: mean over %u of %u contexts (%s to %s)",
                    level, c->contexts, c->contexts_total, lo, hi);
    else
        format_line(out, 0, 2, "%s: from %u of %u contexts", level, c->contexts,
                    c->contexts_total);
}

/* "flush class: none D, writethrough D+" where writes are flushed. */
static void
add_classes(const Comparands *comparands, GString *out)
{
    const ReportContrast *first = comparands->rows->pdata[0];
    const ReportMetric *metric =
        comparands->report->metrics->pdata[comparands->metric];
    g_autofree char *base = format_safe(first->base);
    g_autoptr(GString) line = g_string_new(NULL);

    if (!metric->write_path || !*first->class_base || !*first->class_level)
        return;
    g_string_append_printf(line, "flush class: %s %s", base, first->class_base);
    for (guint i = 0; i < comparands->rows->len; i++) {
        const ReportContrast *c = comparands->rows->pdata[i];
        g_autofree char *level = format_safe(c->level);

        g_string_append_printf(line, ", %s %s", level, c->class_level);
    }
    format_wrap(out, 0, 2, line->str);
}

/* How the figures were come by, and how fine the rig is. */
static void
add_grounds(const Comparands *comparands, GString *out)
{
    const Report *report = comparands->report;
    double resolution = report_resolution(report, comparands->metric);
    const ReportContrast *aa =
        report_contrast(report, comparands->metric, "aa", "aa");
    const ReportContrast *most = comparands->rows->pdata[0];
    g_autoptr(GString) line = g_string_new(NULL);
    bool by_t = false;

    for (guint i = 0; i < comparands->rows->len; i++) {
        const ReportContrast *c = comparands->rows->pdata[i];

        most = c->estimate.n > most->estimate.n ? c : most;
        by_t = by_t || c->estimate.p_method == METHOD_T;
    }
    if (most->estimate.n >= 3) {
        g_autofree char *confidence =
            format_confidence(most->estimate.confidence);

        g_string_append_printf(line, "%s %% intervals%s", confidence,
                               by_t ? ", t: p by t test on logs" : "");
    }
    if (!isnan(resolution))
        g_string_append_printf(
            line, "%sthis rig resolves ±%.1f %% here: %s, n %u",
            line->len ? "; " : "", resolution * 100, aa->word, aa->estimate.n);
    if (line->len > 0)
        format_wrap(out, 0, 2, line->str);
}

static void
add_footnote(const Comparands *comparands, GString *out)
{
    for (guint i = 0; i < comparands->rows->len; i++) {
        const ReportContrast *c = comparands->rows->pdata[i];

        if (!c->ignores_flushes)
            continue;
        format_line(out, 0, 2, "%s", REPORT_UNSAFE);
        return;
    }
}

/* Conclusive rows each, the others in one: it is to fit a screen. */
static void
add_answer(const Comparands *comparands, GString *out)
{
    const Report *report = comparands->report;
    bool any = report_metric_compared(report, comparands->metric);
    g_autofree char *others =
        any ? report_sum_up(report, comparands->rows)
            : report_no_data_text(report, comparands->metric);
    g_autofree char *safe = format_safe(others);

    for (guint i = 0; i < comparands->rows->len; i++) {
        const ReportContrast *c = comparands->rows->pdata[i];

        if (!report_conclusive(report, c))
            continue;
        g_autofree char *sentence = report_sentence(report, c);
        g_autofree char *said = format_safe(sentence);
        format_wrap(out, 0, 2, said);
    }
    if (others)
        format_wrap(out, 0, 2, safe);
}

bool
report_compare(const Report *report, const char *setting,
               const char *const *levels, const char *metric, GString *out,
               GError **err)
{
    g_auto(Comparands) comparands = {0};

    if (!comparands_resolve(report, setting, levels, metric, &comparands, err))
        return false;
    add_answer(&comparands, out);
    g_string_append_c(out, '\n');
    add_levels(&comparands, out);
    for (guint i = 0; i < comparands.rows->len; i++)
        add_contexts(comparands.rows->pdata[i], out);
    add_classes(&comparands, out);
    add_grounds(&comparands, out);
    add_footnote(&comparands, out);
    g_autoptr(GPtrArray) limits = comparands_limits(&comparands);
    g_string_append(out, "\nThis does not tell:\n");
    for (guint i = 0; i < limits->len; i++)
        format_line(out, 2, 4, "- %s", (char *) limits->pdata[i]);
    return true;
}

bool
report_compare_json(const Report *report, const char *setting,
                    const char *const *levels, const char *metric, GString *out,
                    GError **err)
{
    g_auto(Comparands) comparands = {0};

    if (!comparands_resolve(report, setting, levels, metric, &comparands, err))
        return false;
    const ReportMetric *info = report->metrics->pdata[comparands.metric];
    g_autoptr(GPtrArray) limits = comparands_limits(&comparands);
    json_t *rows = json_array(), *open = json_array();
    for (guint i = 0; i < comparands.rows->len; i++)
        json_array_append_new(rows,
                              json_contrast(report, comparands.rows->pdata[i]));
    for (guint i = 0; i < limits->len; i++)
        json_array_append_new(open, json_text(limits->pdata[i]));
    json_finish(
        json_pack("{s:o, s:o, s:o, s:s, s:b, s:b, s:o, s:o, s:o}", "setting",
                  json_text(setting), "metric", json_text(info->id), "unit",
                  json_text(info->unit), "better",
                  info->higher_better ? "higher" : "lower", "emulated",
                  report->emulated, "simulated", report->simulated,
                  "resolution",
                  json_number(report_resolution(report, comparands.metric)),
                  "rows", rows, "does_not_tell", open),
        out);
    return true;
}
