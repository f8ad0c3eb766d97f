/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From results.db to a Report: facts, cells and values, the plain numbers of
 * every cell, and look-ups.  What is concluded from them is in the other
 * model-*.c files.
 */
#include "report/model.h"

#include <string.h>
#include "report/ladder.h"
#include "report/lattice.h"
#include "report/levels.h"
#include "report/parts.h"

int
report_metric(const Report *report, const char *id)
{
    for (guint i = 0; i < report->metrics->len; i++) {
        const ReportMetric *metric = report->metrics->pdata[i];

        if (strcmp(metric->id, id) == 0)
            return (int) i;
    }
    return -1;
}

const char *
report_fact(const Report *report, const char *key)
{
    return g_hash_table_lookup(report->facts, key);
}

const StoreCell *
report_cell(const Report *report, guint index)
{
    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        if (cell->index == index)
            return cell;
    }
    return NULL;
}

const ReportCellMetric *
report_cell_value(const Report *report, guint cell, guint metric)
{
    for (guint i = 0; i < report->cell_values->len; i++) {
        const ReportCellMetric *value = report->cell_values->pdata[i];

        if (value->cell == cell && value->metric == metric)
            return value;
    }
    return NULL;
}

static void
metric_free(ReportMetric *metric)
{
    g_free(metric->workload);
    g_free(metric->id);
    g_free(metric->unit);
    g_free(metric);
}

/* What a discarded attempt measured: kept for runs.csv, marked as not valid. */
static void
keep_discarded(Report *report, const StoreRun *run, const Attempt *attempt)
{
    for (guint i = 0; i < attempt->values->len; i++) {
        const AttemptValue *from = attempt->values->pdata[i];
        StoreValue *value = g_new0(StoreValue, 1);

        value->attempt = run->id;
        value->block = run->block;
        value->pos = run->pos;
        value->try = run->try;
        value->cell = run->cell;
        value->outcome = run->outcome;
        value->workload = g_strdup(from->workload);
        value->metric = g_strdup(from->metric);
        value->unit = g_strdup(from->unit);
        value->higher_better = from->higher_better;
        value->value = from->value;
        value->n = from->n;
        value->reason = g_strdup("session");
        g_ptr_array_add(report->discarded, value);
    }
}

static void
span_clear(ReportSpan *span)
{
    g_clear_pointer(&span->started, g_free);
}

static bool
load_spans(Report *report, Store *store, GError **err)
{
    for (guint i = 0; i < report->runs->len; i++) {
        const StoreRun *run = report->runs->pdata[i];
        g_autoptr(Attempt) attempt = store_attempt(store, run->id, err);

        if (!attempt)
            return false;
        ReportSpan span = {attempt->t_begin, attempt->t_end,
                           g_strdup(attempt->started)};
        g_array_append_val(report->spans, span);
        if (run->discarded)
            keep_discarded(report, run, attempt);
    }
    return true;
}

static bool
load_tables(Report *report, Store *store, GError **err)
{
    report->facts = store_facts(store);
    report->cells = store_cells(store, err);
    if (!report->cells)
        return false;
    report->factors = store_factors(store, err);
    if (!report->factors)
        return false;
    report->runs = store_runs(store, err);
    if (!report->runs)
        return false;
    report->gates = store_gates(store, err);
    if (!report->gates)
        return false;
    report->values = store_values(store, err);
    return report->values && store_times(store, report->times, err) &&
           load_spans(report, store, err);
}

Report *
report_new(const char *path)
{
    Report *report = g_new0(Report, 1);

    report->db_path = g_strdup(path);
    report->metrics =
        g_ptr_array_new_with_free_func((GDestroyNotify) metric_free);
    report->grids =
        g_ptr_array_new_with_free_func((GDestroyNotify) blocks_free);
    report->logs = g_ptr_array_new_with_free_func((GDestroyNotify) blocks_free);
    report->cell_values = g_ptr_array_new_with_free_func(g_free);
    report->contrasts =
        g_ptr_array_new_with_free_func((GDestroyNotify) report_contrast_free);
    report->interactions = g_ptr_array_new_with_free_func(
        (GDestroyNotify) report_interaction_free);
    report->drifts =
        g_ptr_array_new_with_free_func((GDestroyNotify) report_drift_free);
    report->bests =
        g_ptr_array_new_with_free_func((GDestroyNotify) report_best_free);
    report->shares =
        g_ptr_array_new_with_free_func((GDestroyNotify) report_shares_free);
    report->ladders =
        g_ptr_array_new_with_free_func((GDestroyNotify) report_ladder_free);
    report->spans = g_array_new(FALSE, FALSE, sizeof(ReportSpan));
    g_array_set_clear_func(report->spans, (GDestroyNotify) span_clear);
    report->discarded =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_value_free);
    report->headlines = g_ptr_array_new_with_free_func(g_free);
    report->findings = g_ptr_array_new_with_free_func(g_free);
    report->grade_reasons = g_ptr_array_new_with_free_func(g_free);
    report->notes = g_ptr_array_new_with_free_func(g_free);
    report->levels = g_array_new(FALSE, FALSE, sizeof(ReportLevels));
    return report;
}

void
report_conclude(Report *report)
{
    report->lattice = lattice_new(report->cells);
    report_take_logs(report);
    report_add_cell_values(report);
    report_add_contrasts(report);
    report_add_interactions(report);
    report_add_drifts(report);
    report_add_bests(report);
    report_add_shares(report);
    report_add_ladders(report);
    report_add_grade(report);
    report_add_headlines(report);
}

Report *
report_load(const char *db_path, GError **err)
{
    g_autoptr(Store) store = store_open(db_path, false, err);
    g_autoptr(Report) report = NULL;

    if (!store)
        return NULL;
    report = report_new(db_path);
    if (!load_tables(report, store, err))
        return NULL;
    report_note_accel(report);
    report_count_progress(report);
    report_add_metrics(report);
    report_conclude(report);
    return g_steal_pointer(&report);
}

void
report_free(Report *report)
{
    if (!report)
        return;
    g_free(report->db_path);
    g_clear_pointer(&report->facts, g_hash_table_unref);
    g_clear_pointer(&report->cells, g_ptr_array_unref);
    g_clear_pointer(&report->factors, g_ptr_array_unref);
    g_clear_pointer(&report->runs, g_ptr_array_unref);
    g_clear_pointer(&report->values, g_ptr_array_unref);
    g_ptr_array_unref(report->metrics);
    g_ptr_array_unref(report->grids);
    g_ptr_array_unref(report->logs);
    lattice_free(report->lattice);
    g_ptr_array_unref(report->cell_values);
    g_ptr_array_unref(report->contrasts);
    g_ptr_array_unref(report->interactions);
    g_ptr_array_unref(report->drifts);
    g_ptr_array_unref(report->bests);
    g_ptr_array_unref(report->shares);
    g_ptr_array_unref(report->ladders);
    g_array_unref(report->spans);
    g_ptr_array_unref(report->discarded);
    g_ptr_array_unref(report->headlines);
    g_ptr_array_unref(report->findings);
    g_clear_pointer(&report->gates, g_ptr_array_unref);
    g_ptr_array_unref(report->grade_reasons);
    g_ptr_array_unref(report->notes);
    g_array_unref(report->levels);
    g_free(report->given_up);
    g_free(report);
}
