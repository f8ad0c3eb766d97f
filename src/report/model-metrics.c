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

/* The first value of every metric, in the order the sweep met them. */
static GPtrArray *
first_values(const GPtrArray *values)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *firsts = g_ptr_array_new();

    for (guint i = 0; i < values->len; i++) {
        StoreValue *value = values->pdata[i];

        if (g_hash_table_add(seen, value->metric))
            g_ptr_array_add(firsts, value);
    }
    return firsts;
}

static const StoreValue *
value_of(const GPtrArray *firsts, const char *id)
{
    for (guint i = 0; i < firsts->len; i++) {
        const StoreValue *value = firsts->pdata[i];

        if (strcmp(value->metric, id) == 0)
            return value;
    }
    return NULL;
}

/* Catalogue order first, then as the sweep met them. */
static void
list_metrics(Report *report)
{
    g_autoptr(GPtrArray) firsts = first_values(report->values);

    for (const WorkloadInfo *w = NULL; (w = catalogue_next(w));)
        for (const MetricInfo *m = w->metrics; m->id; m++) {
            const StoreValue *value = value_of(firsts, m->id);

            if (value)
                add_metric(report, value);
        }
    for (guint i = 0; i < firsts->len; i++) {
        const StoreValue *value = firsts->pdata[i];

        if (report_metric(report, value->metric) < 0)
            add_metric(report, value);
    }
}

/* Where a value belongs: the place of its cell, the number of its metric;
 * both from 1, 0 is none. */
typedef struct Places {
    GHashTable *cells, *metrics;
} Places;

static void
places_clear(Places *places)
{
    g_hash_table_unref(places->cells);
    g_hash_table_unref(places->metrics);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Places, places_clear)

static Places
places_of(const Report *report)
{
    Places places = {g_hash_table_new(NULL, NULL),
                     g_hash_table_new(g_str_hash, g_str_equal)};

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        g_hash_table_insert(places.cells, GUINT_TO_POINTER(cell->index),
                            GUINT_TO_POINTER(i + 1));
    }
    for (guint i = 0; i < report->metrics->len; i++) {
        const ReportMetric *metric = report->metrics->pdata[i];

        g_hash_table_insert(places.metrics, metric->id,
                            GUINT_TO_POINTER(i + 1));
    }
    return places;
}

static Blocks *
empty_grid(const Report *report)
{
    return blocks_new(report->cells->len, report->last_block);
}

/* The last valid try wins. */
static void
put_value(Report *report, const Places *places, const StoreValue *value,
          GPtrArray *tries)
{
    guint cell = GPOINTER_TO_UINT(
        g_hash_table_lookup(places->cells, GUINT_TO_POINTER(value->cell)));
    guint metric =
        GPOINTER_TO_UINT(g_hash_table_lookup(places->metrics, value->metric));

    if (!value->valid || cell == 0 || metric == 0 || value->block < 1 ||
        value->block > report->last_block)
        return;
    Blocks *of_try = tries->pdata[metric - 1];
    double before = blocks_get(of_try, cell - 1, value->block - 1);
    if (!isnan(before) && (double) value->try < before)
        return;
    blocks_set(of_try, cell - 1, value->block - 1, value->try);
    blocks_set(report->grids->pdata[metric - 1], cell - 1, value->block - 1,
               value->value);
}

static void
fill_grids(Report *report)
{
    g_auto(Places) places = places_of(report);
    g_autoptr(GPtrArray) tries =
        g_ptr_array_new_with_free_func((GDestroyNotify) blocks_free);

    for (guint i = 0; i < report->metrics->len; i++) {
        g_ptr_array_add(report->grids, empty_grid(report));
        g_ptr_array_add(tries, empty_grid(report));
    }
    for (guint i = 0; i < report->values->len; i++)
        put_value(report, &places, report->values->pdata[i], tries);
}

void
report_take_logs(Report *report)
{
    g_ptr_array_set_size(report->logs, 0);
    for (guint m = 0; m < report->metrics->len; m++) {
        const ReportMetric *info = report->metrics->pdata[m];
        const Blocks *grid = report->grids->pdata[m];
        Blocks *logs = empty_grid(report);

        for (gsize i = 0; i < (gsize) grid->n_cells * grid->n_blocks; i++)
            logs->y[i] = contrast_log(grid->y[i], info->higher_better);
        g_ptr_array_add(report->logs, logs);
    }
}

const Blocks *
report_grid(const Report *report, guint metric)
{
    return report->grids->pdata[metric];
}

const Blocks *
report_logs(const Report *report, guint metric)
{
    return report->logs->pdata[metric];
}

static void
add_cell_value(Report *report, guint metric, guint place, const double *x,
               guint n)
{
    Interval interval = median_interval(x, n, REPORT_ALPHA);
    ReportCellMetric *value = g_new(ReportCellMetric, 1);

    *value = (ReportCellMetric){
        .cell = ((StoreCell *) report->cells->pdata[place])->index,
        .metric = metric,
        .n = n,
        .median = interval.est,
        .lo = interval.lo,
        .hi = interval.hi,
        .confidence = interval.confidence};
    g_ptr_array_add(report->cell_values, value);
}

void
report_add_cell_values(Report *report)
{
    g_autofree double *x = g_new(double, report->last_block + 1);

    for (guint m = 0; m < report->metrics->len; m++) {
        const Blocks *grid = report_grid(report, m);

        for (guint c = 0; c < grid->n_cells; c++) {
            guint n = 0;

            for (guint b = 0; b < grid->n_blocks; b++)
                if (!isnan(blocks_get(grid, c, b)))
                    x[n++] = blocks_get(grid, c, b);
            if (n > 0)
                add_cell_value(report, m, c, x, n);
        }
    }
}

void
report_add_metrics(Report *report)
{
    list_metrics(report);
    fill_grids(report);
}
