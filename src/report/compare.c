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

/* Widths of a level's name, and of two of them. */
#define LEVEL_WIDTH 40
#define RATIO_WIDTH 28

static void
add_level(Table *table, const char *name, bool marked, const char *unit,
          double median, double lo, double hi, guint n)
{
    g_autofree char *safe = format_safe(name);
    g_autofree char *cut = format_cut(safe, LEVEL_WIDTH);
    g_autofree char *label = g_strdup_printf("%s%s", cut, marked ? " ‡" : "");
    g_autofree char *value = format_value(median, unit);
    g_autofree char *low = format_number(lo);
    g_autofree char *high = format_number(hi);
    g_autofree char *range = g_strdup_printf("%s ... %s", low, high);
    g_autofree char *count = g_strdup_printf("%u", n);
    const char *const cells[] = {label, value, n > 1 ? range : "-", count};

    table_add(table, cells);
}

static void
add_levels(const Comparands *comparands, GString *out)
{
    static const char *const headings[] = {"level", "median", "interval", "n"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_RIGHT, TABLE_RIGHT,
                                       TABLE_RIGHT};
    const ReportMetric *metric =
        comparands->report->metrics->pdata[comparands->metric];
    g_autoptr(Table) table = table_new(4, headings, align);
    g_autofree char *unit = format_safe(metric->unit);

    for (guint i = 0; i < comparands->rows->len; i++) {
        const ReportContrast *c = comparands->rows->pdata[i];

        if (i == 0)
            add_level(table, c->base, strcmp(c->class_base, "N") == 0, unit,
                      c->median_base, c->base_lo, c->base_hi, c->estimate.n);
        add_level(table, c->level, c->ignores_flushes, unit, c->median_level,
                  c->level_lo, c->level_hi, c->estimate.n);
    }
    table_format(table, 2, out);
}

static void
add_ratio(const Comparands *comparands, const ReportContrast *c, Table *table)
{
    const ReportMetric *metric =
        comparands->report->metrics->pdata[comparands->metric];
    g_autofree char *level = format_safe(c->level);
    g_autofree char *base = format_safe(c->base);
    g_autofree char *label = g_strdup_printf("%s / %s", level, base);
    g_autofree char *cut = format_cut(label, RATIO_WIDTH);
    g_autofree char *ratio =
        isnan(c->ratio)      ? g_strdup("-")
        : isnan(c->ratio_lo) ? g_strdup_printf("%.3f", c->ratio)
                             : g_strdup_printf("%.3f [%.3f, %.3f]", c->ratio,
                                               c->ratio_lo, c->ratio_hi);
    g_autofree char *n = g_strdup_printf("%u", c->estimate.n);
    g_autofree char *p = format_p(c->p_adjusted);
    g_autofree char *marked =
        g_strdup_printf("%s%s", p, c->estimate.p_method == METHOD_T ? "t" : "");
    const char *const cells[] = {cut,
                                 ratio,
                                 n,
                                 marked,
                                 format_better(metric->higher_better),
                                 c->not_comparable ? "not comparable"
                                                   : c->word};

    table_add(table, cells);
}

static void
add_ratios(const Comparands *comparands, GString *out)
{
    const ReportContrast *first = comparands->rows->pdata[0];
    const char *const headings[] = {
        "ratio of", "ratio [interval]",
        "n",        first->exploratory ? "p" : "Holm p",
        "",         "verdict"};
    static const TableAlign align[] = {TABLE_LEFT,  TABLE_LEFT, TABLE_RIGHT,
                                       TABLE_RIGHT, TABLE_LEFT, TABLE_LEFT};
    g_autoptr(Table) table = table_new(6, headings, align);

    for (guint i = 0; i < comparands->rows->len; i++)
        add_ratio(comparands, comparands->rows->pdata[i], table);
    table_format(table, 2, out);
}

/* In how many combinations of the other settings each row was seen. */
static void
add_contexts(const Comparands *comparands, GString *out)
{
    const ReportMetric *metric =
        comparands->report->metrics->pdata[comparands->metric];

    for (guint i = 0; i < comparands->rows->len; i++) {
        const ReportContrast *c = comparands->rows->pdata[i];
        g_autofree char *level = format_safe(c->level);
        g_autofree char *base = format_safe(c->base);
        g_autofree char *confidence = format_confidence(c->estimate.confidence);
        g_autoptr(GString) line = g_string_new(NULL);

        g_string_append_printf(line, "%s / %s: %u of %u contexts", level, base,
                               c->contexts, c->contexts_total);
        if (c->contexts > 1) {
            g_autofree char *lo = report_percent(c->simple_lo);
            g_autofree char *hi = report_percent(c->simple_hi);

            g_string_append_printf(line, " (%s to %s)", lo, hi);
        }
        if (c->estimate.n >= 3)
            g_string_append_printf(line, ", %s %% interval%s", confidence,
                                   c->estimate.p_method == METHOD_T
                                       ? ", p by t test on logs"
                                       : "");
        if (metric->write_path && *c->class_level && *c->class_base)
            g_string_append_printf(line, ", flush class %s against %s",
                                   c->class_level, c->class_base);
        format_wrap(out, 2, 4, line->str);
    }
}

static void
add_resolution(const Comparands *comparands, GString *out)
{
    double resolution =
        report_resolution(comparands->report, comparands->metric);
    const ReportContrast *aa =
        report_contrast(comparands->report, comparands->metric, "aa", "aa");

    if (!isnan(resolution))
        format_line(out, 2, 4, "this rig resolves ±%.1f %% here: %s, n %u",
                    resolution * 100, aa->word, aa->estimate.n);
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

bool
report_compare(const Report *report, const char *setting,
               const char *const *levels, const char *metric, GString *out,
               GError **err)
{
    g_auto(Comparands) comparands = {0};

    if (!comparands_resolve(report, setting, levels, metric, &comparands, err))
        return false;
    for (guint i = 0; i < comparands.rows->len; i++) {
        g_autofree char *sentence =
            report_sentence(report, comparands.rows->pdata[i]);
        g_autofree char *safe = format_safe(sentence);

        format_wrap(out, 0, 2, safe);
    }
    g_string_append_c(out, '\n');
    add_levels(&comparands, out);
    g_string_append_c(out, '\n');
    add_ratios(&comparands, out);
    g_string_append_c(out, '\n');
    add_contexts(&comparands, out);
    add_resolution(&comparands, out);
    add_footnote(&comparands, out);
    g_autoptr(GPtrArray) limits = comparands_limits(&comparands);
    g_string_append(out, "This does not tell:\n");
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
        json_pack("{s:o, s:o, s:o, s:s, s:b, s:o, s:o, s:o}", "setting",
                  json_text(setting), "metric", json_text(info->id), "unit",
                  json_text(info->unit), "better",
                  info->higher_better ? "higher" : "lower", "emulated",
                  report->emulated, "resolution",
                  json_number(report_resolution(report, comparands.metric)),
                  "rows", rows, "does_not_tell", open),
        out);
    return true;
}
