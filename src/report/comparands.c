/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the words of a question to the rows that answer it: see compare.h.
 * When one of the levels is the baseline's, the others are held against it, as
 * in the report; otherwise the first one named is the base.
 */
#include "report/compare.h"

#include <math.h>
#include <string.h>
#include "base/suggest.h"
#include "report/format.h"
#include "report/parts.h"
#include "report/regression.h"
#include "report/text.h"

void
comparands_clear(Comparands *comparands)
{
    g_clear_pointer(&comparands->rows, g_ptr_array_unref);
    g_clear_pointer(&comparands->owned, g_ptr_array_unref);
}

/* "no WHAT 'x' in this sweep (did you mean 'y'?); it has a, b, c" */
static bool
unknown_name(GError **err, const char *what, const char *word,
             const GPtrArray *names)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    g_autoptr(GString) has = g_string_new(NULL);
    g_autofree char *safe = format_safe(word);

    for (guint i = 0; i < names->len; i++) {
        g_autofree char *name = format_safe(names->pdata[i]);

        g_ptr_array_add(list, names->pdata[i]);
        g_string_append_printf(has, "%s%s", i ? ", " : "", name);
    }
    g_ptr_array_add(list, NULL);
    const char *nearest = suggest_name(word, (const char *const *) list->pdata);
    g_autofree char *hint =
        nearest ? g_strdup_printf(" (did you mean '%s'?)", nearest)
                : g_strdup("");
    return vs_usage(err, "no %s '%s' in this sweep%s; it has %s", what, safe,
                    hint, names->len ? has->str : "none yet");
}

static bool
resolve_metric(const Report *report, const char *id, guint *ret_metric,
               GError **err)
{
    int metric = report_metric(report, id);
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    if (metric >= 0) {
        *ret_metric = (guint) metric;
        return true;
    }
    for (guint i = 0; i < report->metrics->len; i++)
        g_ptr_array_add(names,
                        ((ReportMetric *) report->metrics->pdata[i])->id);
    return unknown_name(err, "metric", id, names);
}

static const StoreFactor *
find_factor(const Report *report, const char *setting)
{
    for (guint i = 0; i < report->factors->len; i++) {
        const StoreFactor *factor = report->factors->pdata[i];

        if (strcmp(factor->setting, setting) == 0)
            return factor;
    }
    return NULL;
}

static bool
unknown_setting(const Report *report, const char *setting, GError **err)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < report->factors->len; i++)
        g_ptr_array_add(names,
                        ((StoreFactor *) report->factors->pdata[i])->setting);
    for (guint i = 0; i < report->contrasts->len; i++) {
        ReportContrast *c = report->contrasts->pdata[i];

        if (!find_factor(report, c->setting) &&
            !g_ptr_array_find_with_equal_func(names, c->setting, g_str_equal,
                                              NULL))
            g_ptr_array_add(names, c->setting);
    }
    return unknown_name(err, "setting", setting, names);
}

static bool
has_level(const StoreFactor *factor, const char *level)
{
    return g_ptr_array_find_with_equal_func(factor->levels, level, g_str_equal,
                                            NULL);
}

static bool
check_levels(const StoreFactor *factor, const char *const *levels, GError **err)
{
    for (guint i = 0; levels && levels[i]; i++) {
        if (has_level(factor, levels[i]))
            continue;
        g_autofree char *setting = format_safe(factor->setting);
        g_autofree char *what = g_strdup_printf("level of %s", setting);
        return unknown_name(err, what, levels[i], factor->levels);
    }
    return true;
}

/* The level that the others are held against. */
static const char *
choose_base(const StoreFactor *factor, const char *const *levels)
{
    const char *baseline = factor->baseline < factor->levels->len
                               ? factor->levels->pdata[factor->baseline]
                               : NULL;

    if (levels && levels[0] && levels[1] && baseline &&
        !g_strv_contains(levels, baseline))
        return levels[0];
    return baseline;
}

/* The report's own row where it has one, so that both show the same p. */
static void
add_row(Comparands *comparands, const StoreFactor *factor, const char *level,
        const char *base)
{
    const ReportContrast *row = report_contrast(
        comparands->report, comparands->metric, factor->setting, level);

    if (strcmp(level, base) == 0)
        return;
    if (!row || strcmp(row->base, base) != 0) {
        ReportContrast *made =
            report_contrast_levels(comparands->report, comparands->metric,
                                   factor->setting, level, base);

        if (!made)
            return;
        g_ptr_array_add(comparands->owned, made);
        row = made;
    }
    g_ptr_array_add(comparands->rows, (gpointer) row);
}

static void
add_factor_rows(Comparands *comparands, const StoreFactor *factor,
                const char *const *levels)
{
    const char *base = choose_base(factor, levels);

    for (guint i = 0; base && i < factor->levels->len; i++) {
        const char *level = factor->levels->pdata[i];

        if (!levels || !levels[0] || g_strv_contains(levels, level))
            add_row(comparands, factor, level, base);
    }
}

/* "host", "aa" and "cell" are no settings, but rows of the report. */
static void
add_other_rows(Comparands *comparands, const char *setting,
               const char *const *levels)
{
    const Report *report = comparands->report;

    for (guint i = 0; i < report->contrasts->len; i++) {
        ReportContrast *c = report->contrasts->pdata[i];

        if (c->metric == comparands->metric &&
            strcmp(c->setting, setting) == 0 &&
            (!levels || !levels[0] || g_strv_contains(levels, c->level)))
            g_ptr_array_add(comparands->rows, c);
    }
}

static bool
nothing_to_compare(const Report *report, const char *setting,
                   const StoreFactor *factor, GError **err)
{
    g_autofree char *safe = format_safe(setting);

    if (!factor)
        return unknown_setting(report, setting, err);
    return vs_usage(err,
                    "no two measured cells differ in these levels of %s alone; "
                    "name two levels that the sweep has cells for",
                    safe);
}

bool
comparands_resolve(const Report *report, const char *setting,
                   const char *const *levels, const char *metric,
                   Comparands *ret_comparands, GError **err)
{
    const StoreFactor *factor = find_factor(report, setting);
    g_auto(Comparands) comparands = {.report = report,
                                     .rows = g_ptr_array_new(),
                                     .owned = g_ptr_array_new_with_free_func((
                                         GDestroyNotify) report_contrast_free)};

    if (!resolve_metric(report, metric, &comparands.metric, err) ||
        (factor && !check_levels(factor, levels, err)))
        return false;
    if (factor)
        add_factor_rows(&comparands, factor, levels);
    else
        add_other_rows(&comparands, setting, levels);
    if (comparands.rows->len == 0)
        return nothing_to_compare(report, setting, factor, err);
    *ret_comparands = comparands;
    comparands = (Comparands){0};
    return true;
}

static void
add_limit(GPtrArray *limits, bool holds, const char *text)
{
    if (holds)
        g_ptr_array_add(limits, g_strdup(text));
}

GPtrArray *
comparands_limits(const Comparands *comparands)
{
    const Report *report = comparands->report;
    const ReportMetric *metric = report->metrics->pdata[comparands->metric];
    const ReportContrast *first = comparands->rows->pdata[0];
    GPtrArray *limits = g_ptr_array_new_with_free_func(g_free);

    add_limit(limits, report->emulated, REPORT_EMULATED);
    add_limit(limits, report->simulated, REPORT_SIMULATED);
    add_limit(limits, g_strcmp0(report_fact(report, "status"), "finished") != 0,
              "what the rest of the sweep will say: it is not finished");
    add_limit(limits, first->estimate.n < 6,
              "few blocks: the interval rests on the t distribution of logs, "
              "or there is none");
    add_limit(limits, isnan(report_resolution(report, comparands->metric)),
              "how fine this rig resolves: there is no A/A result");
    add_limit(limits,
              report_design_is(report, "ofat") && report->factors->len > 1,
              "whether it holds at other levels of the other settings (design "
              "ofat)");
    if (report_fact(report, "design.uncrossed"))
        g_ptr_array_add(
            limits, g_strdup_printf("whether it holds at other levels of "
                                    "the settings that were held: %s",
                                    report_fact(report, "design.uncrossed")));
    add_limit(limits, report_is_screening(report),
              "how much of it is an interaction: this is screening, a fit to "
              "all cells");
    add_limit(limits, first->contexts < first->contexts_total,
              "the contexts that were not measured");
    add_limit(limits, metric->write_path,
              "whether flushed data survives a power cut: the class is "
              "inferred, not proven");
    add_limit(limits, true,
              "other hosts, disks and versions: one was "
              "measured");
    return limits;
}
