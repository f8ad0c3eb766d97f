/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How report_load() is put together: each part fills its fields of a Report
 * from those that the parts before it have filled.  Only src/report uses this.
 */
#pragma once

#include "report/model.h"

/* The raw values of a metric: the last valid one of each cell and block, NaN
 * where there is none.  Cells by their place in Report.cells, blocks from 0.
 * The report owns it. */
const Blocks *report_grid(const Report *report, guint metric);
/* The same as y = +-ln x, better up (METHOD 6.1). */
const Blocks *report_logs(const Report *report, guint metric);
/* Whether a cell has a value in any block. */
bool report_logs_any(const Blocks *logs, guint cell);

/* The level of a setting in a cell, or NULL. */
const char *report_cell_level(const StoreCell *cell, const char *setting);
bool report_cell_planned(const StoreCell *cell);
/* Whether it is measured without a guest: "host", "host-matched" ... */
bool report_cell_is_host(const StoreCell *cell);
/* The place of the first cell of that kind in Report.cells, or -1; kind
 * "baseline" is the baseline cell. */
int report_cell_of(const Report *report, const char *kind);
/* METHOD 6.4: "D", "D+" or "N" from the cell's cache mode; "" for a host. */
const char *report_cell_class(const StoreCell *cell);
bool report_allows_unsafe(const Report *report);

/* Value ratio of a y difference. */
double report_ratio(const ReportMetric *metric, double est);
/* The same with an interval in the right order. */
void report_ratios(const ReportMetric *metric, const Estimate *estimate,
                   double *ret_ratio, double *ret_lo, double *ret_hi);
bool report_design_is(const Report *report, const char *design);

/* An empty report, and what completes one whose facts, cells, factors, metrics
 * and grids (one of each metric) are there, wherever they came from. */
Report *report_new(const char *path);
void report_conclude(Report *report);

/* Fills .blocks, .last_block, .cells_planned, .cells_measured and .given_up
 * from the cells and runs. */
void report_count_progress(Report *report);
/* emulated and simulated, from the fact accel. */
void report_note_accel(Report *report);

/* From Report.values: .metrics and .grids. */
void report_add_metrics(Report *report);
/* Parts of report_conclude(): fill Report.logs, .cell_values, .contrasts,
 * .interactions, .drifts, .bests, .shares, .ladders, .grade, .headlines, in
 * this order. */
void report_take_logs(Report *report);
void report_add_cell_values(Report *report);
void report_add_contrasts(Report *report);
void report_add_interactions(Report *report);
void report_add_drifts(Report *report);
void report_add_bests(Report *report);
void report_add_shares(Report *report);
void report_add_ladders(Report *report);
void report_add_grade(Report *report);
void report_add_headlines(Report *report);
/* Whether it is made from someone's CSV file, not from a sweep of ours. */
bool report_is_csv(const Report *report);
/* "8 paired boots"; blocks where no one knows what was done in them.  Caller
 * frees. */
char *report_paired(const Report *report, guint n);
/* The same of a contrast, or "9 against 9 runs, unblocked".  Caller frees. */
char *report_replicates(const Report *report, const ReportContrast *contrast);
/* Holm within `count` contrasts, then verdict, word and note of each. */
void report_judge(const Report *report, ReportContrast *const *contrasts,
                  guint count);
/* Weights over Report.cells: what is level and what is base, each adding up to
 * 1, and their difference. */
typedef struct ContrastSides {
    double *level, *base, *weights;
} ContrastSides;
/* A contrast with its figures, but without names, durability and verdict. */
ReportContrast *report_contrast_weigh(const Report *report, guint metric,
                                      const ContrastSides *sides,
                                      guint comparisons);
/* The cells that may be the best of a metric (METHOD 8.3), `origin` being the
 * baseline: places in Report.cells, guint. */
GArray *report_best_candidates(const Report *report, guint metric,
                               guint origin);
void report_interaction_free(ReportInteraction *interaction);
void report_drift_free(ReportDrift *drift);
void report_best_free(ReportBest *best);
void report_shares_free(ReportShares *shares);
/* Those of a metric, or NULL. */
const ReportDrift *report_drift(const Report *report, guint metric);
const ReportBest *report_best(const Report *report, guint metric);
const ReportShares *report_shares(const Report *report, guint metric);
/* Whether the absolute values of a metric are not to be trusted. */
bool report_drifted(const Report *report, guint metric);
/* Whether every primary metric had runs enough to find a change. */
bool report_drift_tested(const Report *report);
/* The strongest flagged interaction a contrast takes part in, or NULL. */
const ReportInteraction *report_interaction_of(const Report *report,
                                               const ReportContrast *contrast);
/* Whether emulation leaves a metric figures only, without verdict words. */
bool report_figures_only(const Report *report, const ReportMetric *metric);
/* Half-width of the A/A interval as a value ratio minus 1; NaN: unknown. */
double report_resolution(const Report *report, guint metric);
/* "exact", "t-log", "descriptive" or "". */
const char *report_method(Method method);
