/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeats inside runs, for people and for programs: see levels.h. */
#include "report/levels.h"

#include <math.h>
#include "report/format.h"
#include "report/json.h"
#include "report/parts.h"

static void
add_line(const Report *report, const ReportLevels *l, GString *out)
{
    const ReportMetric *metric = report->metrics->pdata[l->metric];
    g_autofree char *id = format_safe(metric->id);
    g_autofree char *unit = format_safe(metric->unit);
    g_autofree char *mean = format_number(l->levels.mean);
    g_autofree char *half = format_value(l->half_width, unit);
    g_autofree char *between = format_number(sqrt(l->levels.between));
    g_autofree char *within = format_value(sqrt(l->levels.within), unit);
    g_autofree char *best =
        l->best > 0 ? g_strdup_printf("; %u iteration%s a run %s the time best",
                                      l->best, l->best == 1 ? "" : "s",
                                      l->best == 1 ? "uses" : "use")
                    : g_strdup("");

    format_line(out, 2, 4,
                "%s of the baseline: %s ± %s (95 %%, %u runs of %u iterations: "
                "the runs are the replicates); standard deviation between runs "
                "%s, inside them %s%s",
                id, mean, half, l->runs, l->iterations, between, within, best);
}

void
report_levels_text(const Report *report, GString *out)
{
    bool begun = false;

    for (guint i = 0; i < report->levels->len; i++) {
        const ReportLevels *l = &g_array_index(report->levels, ReportLevels, i);
        const StoreCell *cell = report->cells->pdata[l->cell];
        const ReportMetric *metric = report->metrics->pdata[l->metric];

        if (!cell->baseline || !metric->primary)
            continue;
        if (!begun)
            g_string_append(out, "\nIterations inside runs\n");
        begun = true;
        add_line(report, l, out);
    }
}

json_t *
json_levels(const Report *report)
{
    json_t *array = json_array();

    for (guint i = 0; i < report->levels->len; i++) {
        const ReportLevels *l = &g_array_index(report->levels, ReportLevels, i);
        const ReportMetric *metric = report->metrics->pdata[l->metric];
        const StoreCell *cell = report->cells->pdata[l->cell];

        json_array_append_new(
            array,
            json_pack("{s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}",
                      "metric", json_text(metric->id), "cell",
                      json_text(cell->name), "runs", (json_int_t) l->runs,
                      "iterations", (json_int_t) l->iterations, "mean",
                      json_number(l->levels.mean), "half_width",
                      json_number(l->half_width), "variance_within_run",
                      json_number(l->levels.within), "variance_of_run_means",
                      json_number(l->levels.of_boot), "variance_between_runs",
                      json_number(l->levels.between), "best_iterations",
                      l->best > 0 ? json_integer(l->best) : json_null()));
    }
    return array;
}
