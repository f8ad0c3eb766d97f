/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From records to values: see results.h. */
#include <math.h>
#include <string.h>
#include "base/clock.h"
#include "run/latency.h"
#include "run/results.h"
#include "stats/histogram.h"

const WorkloadInfo results_boot = {
    .name = "boot",
    .summary = "from the start of the guest's CPUs to its first word",
    .metrics = {{.id = "boot.ready", .unit = "ms", .better = BETTER_LOWER}},
};

void
results_keep_line(Attempt *attempt, const Record *record, const char *line)
{
    static const RecordType kept[] = {RECORD_NOTE, RECORD_SAMPLE, RECORD_HIST,
                                      RECORD_ERROR};

    for (gsize i = 0; i < G_N_ELEMENTS(kept); i++)
        if (record->type == kept[i])
            g_ptr_array_add(attempt->lines, g_strdup(line));
}

void
results_merge_facts(Attempt *attempt, GHashTable *facts)
{
    GHashTableIter iter = {0};
    gpointer key = NULL, value = NULL;

    if (!facts)
        return;
    g_hash_table_iter_init(&iter, facts);
    while (g_hash_table_iter_next(&iter, &key, &value))
        g_hash_table_replace(attempt->facts, g_strdup(key), g_strdup(value));
}

static const WorkloadInfo *
used_workload(const Matrix *matrix, const char *name)
{
    for (guint i = 0; i < matrix->workloads->len; i++) {
        const WorkloadUse *use = matrix->workloads->pdata[i];

        if (strcmp(use->info->name, name) == 0)
            return use->info;
    }
    return NULL;
}

void
results_add_value(Attempt *attempt, const char *workload,
                  const MetricInfo *metric, double value, gint64 n,
                  char *reason)
{
    AttemptValue *row = g_new0(AttemptValue, 1);

    row->workload = g_strdup(workload);
    row->metric = g_strdup(metric->id);
    row->unit = g_strdup(metric->unit);
    row->higher_better = metric->better == BETTER_HIGHER;
    row->value = value;
    row->n = n;
    row->valid = !reason;
    row->reason = reason;
    g_ptr_array_add(attempt->values, row);
}

static bool
unknown_metric(Attempt *attempt, const Record *record)
{
    attempt_fail(attempt, OUTCOME_RUBBISH,
                 "sent metric '%s' for workload '%s', which has none of that "
                 "name",
                 record->metric, record->workload);
    return false;
}

bool
results_add_sample(Attempt *attempt, const Matrix *matrix, const Record *record)
{
    const WorkloadInfo *owner = NULL;
    const MetricInfo *metric = catalogue_metric(record->metric, &owner);

    if (!metric || metric->percentile > 0 ||
        owner != used_workload(matrix, record->workload))
        return unknown_metric(attempt, record);
    results_add_value(attempt, owner->name, metric, record->value, record->n,
                      record->value > 0 ? NULL : g_strdup("not positive"));
    return true;
}

static AttemptHist *
find_hist(Attempt *attempt, const Record *record)
{
    AttemptHist *hist = NULL;

    for (guint i = 0; i < attempt->hists->len; i++) {
        hist = attempt->hists->pdata[i];
        if (strcmp(hist->workload, record->workload) == 0 &&
            strcmp(hist->metric, record->metric) == 0)
            return hist;
    }
    hist = g_new0(AttemptHist, 1);
    hist->workload = g_strdup(record->workload);
    hist->metric = g_strdup(record->metric);
    hist->bins = g_array_new(FALSE, FALSE, sizeof(HistBin));
    g_ptr_array_add(attempt->hists, hist);
    return hist;
}

bool
results_add_hist(Attempt *attempt, const Matrix *matrix, const Record *record)
{
    g_autofree char *expected = g_strconcat(record->workload, ".lat", NULL);

    if (!used_workload(matrix, record->workload) ||
        strcmp(record->metric, expected) != 0)
        return unknown_metric(attempt, record);
    latency_merge(find_hist(attempt, record), record->bins);
    return true;
}

static void
add_percentiles(Attempt *attempt, const AttemptHist *hist)
{
    const WorkloadInfo *info = catalogue_workload(hist->workload);

    for (guint m = 0; info->metrics[m].id; m++) {
        const MetricInfo *metric = &info->metrics[m];
        double us = 0;
        char *reason = NULL;

        if (metric->percentile <= 0)
            continue;
        us = latency_percentile_us(hist, metric->percentile);
        if (!histogram_supports(hist->n, metric->percentile))
            reason = g_strdup_printf(
                "too few operations (%" G_GINT64_FORMAT ")", hist->n);
        results_add_value(attempt, hist->workload, metric, us, hist->n, reason);
    }
}

static bool
has_value(const Attempt *attempt, const char *metric)
{
    for (guint i = 0; i < attempt->values->len; i++) {
        const AttemptValue *value = attempt->values->pdata[i];

        if (strcmp(value->metric, metric) == 0)
            return true;
    }
    return false;
}

/* A workload that was asked for and yielded nothing has not done its work. */
static void
check_complete(Attempt *attempt, const Matrix *matrix)
{
    for (guint i = 0; i < matrix->workloads->len; i++) {
        const WorkloadUse *use = matrix->workloads->pdata[i];

        for (guint m = 0; use->info->metrics[m].id; m++)
            if (!has_value(attempt, use->info->metrics[m].id))
                attempt_fail(attempt, OUTCOME_GUEST_ERROR, "%s yielded no %s",
                             use->info->name, use->info->metrics[m].id);
    }
}

void
results_finish(Attempt *attempt, const Matrix *matrix)
{
    for (guint i = 0; i < attempt->hists->len; i++)
        add_percentiles(attempt, attempt->hists->pdata[i]);
    if (attempt->t_resume && attempt->t_ready)
        results_add_value(attempt, results_boot.name, &results_boot.metrics[0],
                          (double) (attempt->t_ready - attempt->t_resume) /
                              CLOCK_NS_PER_MS,
                          1, NULL);
    check_complete(attempt, matrix);
}

const char *
results_first_mismatch(const Attempt *attempt)
{
    static char text[256];

    for (guint i = 0; i < attempt->proofs->len; i++) {
        const AttemptProof *proof = attempt->proofs->pdata[i];

        if (proof->ok)
            continue;
        g_snprintf(text, sizeof(text), "%s: %s asked, %s found (%s)",
                   proof->setting, proof->requested,
                   proof->effective ? proof->effective : "nothing",
                   proof->source);
        return text;
    }
    return "a setting did not take effect";
}
