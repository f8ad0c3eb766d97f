/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The faces of a report: terminal text, summary.md, runs.csv,
 * contrasts.csv, interactions.csv, report.json. */
#pragma once

#include "report/model.h"

/* The report for a terminal: plain numbers first, then the deltas of primary
 * metrics. */
void report_text(const Report *report, GString *out);
/* The same with the deltas of all metrics. */
void report_text_all(const Report *report, GString *out);
/* One setting and one metric in one screen (`vsweep compare`). `levels`
 * NULL: all; the error names what the sweep has. */
bool report_compare(const Report *report, const char *setting,
                    const char *const *levels, const char *metric, GString *out,
                    GError **err);
/* The same as JSON. */
bool report_compare_json(const Report *report, const char *setting,
                         const char *const *levels, const char *metric,
                         GString *out, GError **err);
/* Two sweeps, each cell as a ratio to the baseline of its own (METHOD 7.8):
 * sweeps.h.  `metric` NULL: the primary ones. */
bool report_compare_sweeps(const Report *old, const Report *new,
                           const char *metric, bool anyway, GString *out,
                           GError **err);
bool report_compare_sweeps_json(const Report *old, const Report *new,
                                const char *metric, bool anyway, GString *out,
                                GError **err);
void report_markdown(const Report *report, GString *out);
void report_runs_csv(const Report *report, GString *out);
void report_contrasts_csv(const Report *report, GString *out);
void report_interactions_csv(const Report *report, GString *out);
void report_json(const Report *report, GString *out);
/* "time: prepare 12s  boot ..." (one line). */
void report_times(const Report *report, GString *out);
/* Writes these files beside the database; *ret_paths (char *, owned) lists
 * them. */
bool report_write_files(const Report *report, GPtrArray *ret_paths,
                        GError **err);
