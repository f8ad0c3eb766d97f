/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a sweep knows enough to end (METHOD 4.4), by the very numbers the
 * report prints: half the width of every interval against the width wanted.
 * Neither p-values nor verdicts are asked.
 *
 * Waited for are the contrasts of primary metrics that further blocks can
 * make more precise.  Never waited for are
 * - the A/A twin and the host, which nobody can choose;
 * - a contrast without any value, or one behind which is a cell that was given
 *   up: it will get no further value;
 * - a cell that ignores flushes (class N) against one that does not: it is
 *   not comparable;
 * - under emulation the metrics it leaves figures only.
 * A level whose cells are unsupported has no contrast at all, and
 * interactions are not waited for.
 */
#pragma once

#include "report/model.h"

typedef struct ReportPrecision {
    guint waited, resolved;
    /* Of those not resolved the one that needs the most blocks; NULL: there is
     * none, or none whose need is known. */
    const ReportContrast *farthest;
} ReportPrecision;

ReportPrecision report_precision(const Report *report);
/* METHOD 4.4: h <= max(half-width wanted, a tenth of the effect). */
bool report_resolved(const Report *report, const ReportContrast *contrast);
/* The half-width wanted, on the log scale: ln(1 + precision) where the matrix
 * has one, else half the metric's equivalence band, ln(1 + delta) / 2. */
double report_half_width(const Report *report, const ReportMetric *metric);
/* The same as people say it: 2 for "±2 %". */
double report_half_percent(const Report *report, const ReportMetric *metric);
/* "3 of 4 contrasts resolved to ±2 %"; NULL when none is waited for.  Caller
 * frees. */
char *report_precision_text(const Report *report);
/* "disk.cache=writeback, fs.fsync.p50".  Caller frees. */
char *report_contrast_label(const Report *report,
                            const ReportContrast *contrast);
