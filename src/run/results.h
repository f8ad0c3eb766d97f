/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From records to the attempt's values: samples as they come, percentiles
 * from merged histograms, facts, and the lines themselves.
 */
#pragma once

#include "data/attempt.h"
#include "data/record.h"
#include "plan/design.h"

/* What every boot yields, beside the workloads of the catalogue: boot.ready. */
extern const WorkloadInfo results_boot;

/* Adds a value of the attempt; `reason` says why it is not valid, NULL: it is.
 * Takes `reason`. */
void results_add_value(Attempt *attempt, const char *workload,
                       const MetricInfo *metric, double value, gint64 n,
                       char *reason);
/* Keeps the text of a result line (sample, hist, error, note). */
void results_keep_line(Attempt *attempt, const Record *record,
                       const char *line);
void results_merge_facts(Attempt *attempt, GHashTable *facts);
/* False (attempt has its outcome) for a metric that the matrix's workloads do
 * not have. */
bool results_add_sample(Attempt *attempt, const Matrix *matrix,
                        const Record *record);
bool results_add_hist(Attempt *attempt, const Matrix *matrix,
                      const Record *record);
/* After DONE: percentiles of every histogram, boot.ready, and a check that
 * each workload yielded each of its metrics. */
void results_finish(Attempt *attempt, const Matrix *matrix);
/* "disk.cache: none asked, writeback found"; static until the next call. */
const char *results_first_mismatch(const Attempt *attempt);
