/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The effect of a level in each of its contexts: what the mean over them is
 * made of.
 */
#include "report/json.h"

#include "report/contexts.h"

/* More contexts are told by their range alone: a table of thousands is in
 * runs.csv. */
#define CONTEXTS_SHOWN 8u

static json_t *
json_simple(const Report *report, const ReportContrast *c, const Pair *pair)
{
    const ReportMetric *metric = report->metrics->pdata[c->metric];
    const Blocks *logs = report_logs(report, c->metric);
    const StoreCell *level = report->cells->pdata[pair->level];
    const StoreCell *base = report->cells->pdata[pair->base];
    g_autofree double *weights = g_new0(double, logs->n_cells);
    g_autofree double *d = g_new(double, logs->n_blocks + 1);
    double ratio, lo, hi;

    weights[pair->level] = 1;
    weights[pair->base] = -1;
    guint n = contrast_differences(logs, weights, d);
    Estimate estimate = contrast_infer(d, n, 1, REPORT_ALPHA);
    report_ratios(metric, &estimate, &ratio, &lo, &hi);
    return json_pack(
        "{s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "level", json_text(level->name),
        "base", json_text(base->name), "n", (json_int_t) n, "ratio",
        json_number(ratio), "ratio_interval", json_pair(lo, hi), "confidence",
        json_number(estimate.confidence), "y", json_estimate(&estimate));
}

json_t *
json_simple_effects(const Report *report, const ReportContrast *c)
{
    json_t *array = json_array();

    if (c->contexts < 2 || c->contexts > CONTEXTS_SHOWN)
        return array;
    g_auto(Contexts) contexts =
        contexts_of_levels(report, c->setting, c->level, c->base);
    g_autoptr(GArray) used =
        contexts_measured(&contexts, report_logs(report, c->metric));
    for (guint i = 0; i < used->len; i++)
        json_array_append_new(
            array, json_simple(report, c, &g_array_index(used, Pair, i)));
    return array;
}
