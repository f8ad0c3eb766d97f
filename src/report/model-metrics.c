/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics: what the sweep measured and what the catalogue knows about it, the
 * table of values behind each, and the plain numbers of every cell.
 */
#include "report/parts.h"

#include <math.h>
#include <string.h>
#include "guest-payload/catalogue.h"
#include "stats/signedrank.h"

/* Equivalence band of a metric nobody set one for (a user's own program). */
#define DELTA_DEFAULT 0.02

/* Metrics that the host makes, so that no workload has them. */
static const struct {
    const char *id;
    double delta;
} host_metrics[] = {{"boot.ready", 0.05}};

/* Named by the sweep; by the catalogue where the sweep names none. */
static bool
is_primary(const Report *report, const char *id, const MetricInfo *info)
{
    const char *fact = report_fact(report, "primary");
    g_auto(GStrv) words = g_strsplit(fact ? fact : "", " ", -1);

    if (!fact || !*fact)
        return info && info->primary;
    return g_strv_contains((const char *const *) words, id);
}

static double
default_delta(const char *id)
{
    for (gsize i = 0; i < G_N_ELEMENTS(host_metrics); i++)
        if (strcmp(host_metrics[i].id, id) == 0)
            return host_metrics[i].delta;
    return DELTA_DEFAULT;
}

/* The catalogue decides what a metric means; values speak for themselves only
 * where it knows nothing. */
static void
add_metric(Report *report, const StoreValue *value)
{
    const WorkloadInfo *workload = NULL;
    const MetricInfo *info = catalogue_metric(value->metric, &workload);
    ReportMetric *metric = g_new0(ReportMetric, 1);

    metric->id = g_strdup(value->metric);
    metric->workload = g_strdup(info ? workload->name : value->workload);
    metric->unit = g_strdup(info ? info->unit : value->unit);
    metric->higher_better =
        info ? info->better == BETTER_HIGHER : value->higher_better;
    metric->delta = info ? info->delta : default_delta(value->metric);
    metric->primary = is_primary(report, value->metric, info);
    metric->write_path = info && workload->write_path;
    metric->needs_disk = info && workload->needs_disk;
    g_ptr_array_add(report->metrics, metric);
}

static const StoreValue *
first_value(const GPtrArray *values, const char *id)
{
    for (guint i = 0; i < values->len; i++) {
        const StoreValue *value = values->pdata[i];

        if (strcmp(value->metric, id) == 0)
            return value;
    }
    return NULL;
}

/* Catalogue order first, then as the sweep met them. */
static void
list_metrics(Report *report)
{
    for (const WorkloadInfo *w = workload_catalogue; w->name; w++)
        for (const MetricInfo *m = w->metrics; m->id; m++) {
            const StoreValue *value = first_value(report->values, m->id);

            if (value)
                add_metric(report, value);
        }
    for (guint i = 0; i < report->values->len; i++) {
        const StoreValue *value = report->values->pdata[i];

        if (report_metric(report, value->metric) < 0)
            add_metric(report, value);
    }
}

static int
cell_place(const Report *report, guint index)
{
    for (guint i = 0; i < report->cells->len; i++)
        if (((StoreCell *) report->cells->pdata[i])->index == index)
            return (int) i;
    return -1;
}

Blocks *
report_grid(const Report *report, guint metric)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    Blocks *grid = blocks_new(report->cells->len, report->last_block);
    g_autoptr(Blocks) order =
        blocks_new(report->cells->len, report->last_block);

    for (guint i = 0; i < report->values->len; i++) {
        const StoreValue *value = report->values->pdata[i];
        int cell = cell_place(report, value->cell);

        if (!value->valid || cell < 0 || value->block < 1 ||
            value->block > grid->n_blocks ||
            strcmp(value->metric, info->id) != 0)
            continue;
        double before = blocks_get(order, (guint) cell, value->block - 1);
        if (isnan(before) || (double) value->try >= before) {
            blocks_set(order, (guint) cell, value->block - 1, value->try);
            blocks_set(grid, (guint) cell, value->block - 1, value->value);
        }
    }
    return grid;
}

Blocks *
report_logs(const Report *report, guint metric)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    Blocks *logs = report_grid(report, metric);

    for (guint i = 0; i < logs->n_cells * logs->n_blocks; i++)
        logs->y[i] = contrast_log(logs->y[i], info->higher_better);
    return logs;
}

static void
add_cell_values(Report *report, guint metric)
{
    g_autoptr(Blocks) grid = report_grid(report, metric);
    g_autofree double *x = g_new(double, grid->n_blocks + 1);

    for (guint c = 0; c < grid->n_cells; c++) {
        guint n = 0;

        for (guint b = 0; b < grid->n_blocks; b++)
            if (!isnan(blocks_get(grid, c, b)))
                x[n++] = blocks_get(grid, c, b);
        if (n == 0)
            continue;
        Interval interval = median_interval(x, n, REPORT_ALPHA);
        ReportCellMetric *value = g_new(ReportCellMetric, 1);
        *value = (ReportCellMetric){
            .cell = ((StoreCell *) report->cells->pdata[c])->index,
            .metric = metric,
            .n = n,
            .median = interval.est,
            .lo = interval.lo,
            .hi = interval.hi,
            .confidence = interval.confidence};
        g_ptr_array_add(report->cell_values, value);
    }
}

void
report_add_metrics(Report *report)
{
    list_metrics(report);
    for (guint i = 0; i < report->metrics->len; i++)
        add_cell_values(report, i);
}
