/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the terminal report, and texts that its other faces share.  Only
 * src/report uses this.
 */
#pragma once

#include "report/model.h"

/* What was asked and under what circumstances: a labelled line each. */
void text_head(const Report *report, GString *out);
/* The plain numbers: the host, then every cell. */
void text_cells(const Report *report, GString *out);
/* A table of deltas for each metric of this sweep's findings; of the others
 * too when `all`. */
void text_deltas(const Report *report, bool all, GString *out);
/* Whether any comparison of a metric has data. */
bool report_metric_compared(const Report *report, guint metric);
/* "fs.fsync.p99.9: no data: needs 10000 operations an attempt". Caller
 * frees. */
char *report_no_data_text(const Report *report, guint metric);
/* Cells that failed, were left out or not measured: one sentence each (char *,
 * owned), worst first. */
GPtrArray *report_troubles(const Report *report);
/* "8 of 8 blocks", "6 of 6 cells", "seed 42" ...: (char *, owned). */
GPtrArray *report_circumstances(const Report *report);
/* Why and when the sweep ended; NULL: it has not.  Caller frees. */
char *report_stop_text(const Report *report);
/* "QEMU 7.2.22", "storage /srv (ext4)" ...: (char *, owned); the host and
 * its programs only when `brief`. */
GPtrArray *report_origins(const Report *report, bool brief);
/* The banner of METHOD 0.1 or "KVM", with the reason; NULL: not known yet.
 * Caller frees. */
char *report_accel_text(const Report *report);
/* "74 of 96 windows (steal 74): noted, ..."; NULL: none.  Caller frees. */
char *report_disturbed_text(const Report *report);
/* "B (nested, drift not tested)".  Caller frees. */
char *report_grade_text(const Report *report);
/* "fs.fsync.p50 +3.5 % from block 5 (2026-11-30T12:03:11Z) on".  Caller
 * frees. */
char *report_drift_text(const Report *report, const ReportDrift *drift);
/* What choosing the best cell gains; NULL: nothing is recommended here. Caller
 * frees. */
char *report_best_text(const Report *report, const ReportBest *best);
/* "differences between cells: disk.cache 63 %, ..."; NULL: there are none that
 * the data show.  Caller frees. */
char *report_shares_text(const Report *report, const ReportShares *shares);
/* "disk.cache x disk.iothread": the settings of a set.  Caller frees. */
char *report_shares_term(const Report *report, guint set);
/* "alias 0.55 with disk.cache=none x disk.io=native"; NULL: no interaction can
 * be in the estimate.  Caller frees. */
char *report_alias_text(const ReportContrast *contrast);
/* "disk.cache=none disk.io=native".  Caller frees. */
char *report_baseline_text(const Report *report);
/* Why it is that one, when nobody chose it; else NULL. */
const char *report_baseline_why(const Report *report);
/* A cell's name, marked when it ignores flushes.  Caller frees. */
char *report_cell_label(const StoreCell *cell);

/* The banner of METHOD 0.1. */
#define REPORT_EMULATED                            \
    "under emulation (TCG): not a measurement of " \
    "virtualization"
/* The label of METHOD 7.8. */
#define REPORT_UNBLOCKED "unblocked: drift between sweeps not controlled"
/* What drift leaves of a sweep. */
#define REPORT_DRIFTED \
    "absolute values drifted; deltas within blocks stay valid"
/* Why there may be no answer about drift: model-drift.c. */
#define REPORT_DRIFT_UNTESTED \
    "Not tested: with fewer than 16 runs not even a clean step can get there."
/* What the mark of a screening row means. */
#define REPORT_SCREENING                                                    \
    "scr: screening: a least-squares main effect over all cells, medians "  \
    "fitted at the baseline of the other settings; alias: the estimate is " \
    "off by so many times that interaction"
/* That of a sweep that booted nothing (METHOD 14.1). */
#define REPORT_SIMULATED                                     \
    "simulated, no measurement: every value was drawn from " \
    "a model"
/* The footnote of METHOD 6.4. */
#define REPORT_UNSAFE                                         \
    "‡ not comparable: flushes ignored. What the guest "    \
    "flushed is not on the disk when it is told so; a power " \
    "cut loses it."
