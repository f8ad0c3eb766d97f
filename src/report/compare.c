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

/* Width of a level's name. */
#define LEVEL_WIDTH 40

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
add_ratio(const Comparands *comparands, const ReportContrast *c, GString *out)
{
    const ReportMetric *metric =
        comparands->report->metrics->pdata[comparands->metric];
    g_autofree char *level = format_safe(c->level);
    g_autofree char *base = format_safe(c->base);
    g_autofree char *percent = report_percent(c->ratio);
    g_autofree char *confidence = format_confidence(c->estimate.confidence);
    g_autofree char *p = format_p(c->p_adjusted);

    if (c->estimate.n == 0)
        format_line(out, 2, 4, "%s / %s: no block has both", level, base);
    else if (c->estimate.n < 3)
        format_line(out, 2, 4, "%s / %s = %.3f, %s; n %u, %s; %s", level, base,
                    c->ratio, percent, c->estimate.n,
                    format_better(metric->higher_better), c->word);
    else
        format_line(out, 2, 4,
                    "%s / %s = %.3f [%.3f, %.3f], %s; %s %% interval, n %u, "
                    "%s p %s%s, %s; %s",
                    level, base, c->ratio, c->ratio_lo, c->ratio_hi, percent,
                    confidence, c->estimate.n,
                    c->exploratory ? "unadjusted" : "Holm", p,
                    c->estimate.p_method == METHOD_T ? " (t test on logs)" : "",
                    format_better(metric->higher_better), c->word);
    if (c->contexts_total > 1)
        format_line(out, 4, 6, "in %u of %u contexts", c->contexts,
                    c->contexts_total);
    if (c->contexts > 1) {
        g_autofree char *lo = report_percent(c->simple_lo);
        g_autofree char *hi = report_percent(c->simple_hi);

        format_line(out, 4, 6, "from %s to %s by context", lo, hi);
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
        format_line(out, 0, 2, "This rig resolves ±%.1f %% here: %s, n %u.",
                    resolution * 100, aa->word, aa->estimate.n);
}

static void
add_durability(const Comparands *comparands, GString *out)
{
    const ReportMetric *metric =
        comparands->report->metrics->pdata[comparands->metric];
    bool marked = false;

    for (guint i = 0; metric->write_path && i < comparands->rows->len; i++) {
        const ReportContrast *c = comparands->rows->pdata[i];
        g_autofree char *level = format_safe(c->level);
        g_autofree char *base = format_safe(c->base);

        marked = marked || c->ignores_flushes;
        if (*c->class_level && *c->class_base)
            format_line(out, 0, 2, "Flush class: %s %s, %s %s.", level,
                        c->class_level, base, c->class_base);
    }
    if (marked)
        format_line(out, 0, 2, "%s", REPORT_UNSAFE);
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
    for (guint i = 0; i < comparands.rows->len; i++)
        add_ratio(&comparands, comparands.rows->pdata[i], out);
    g_string_append_c(out, '\n');
    add_resolution(&comparands, out);
    add_durability(&comparands, out);
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
