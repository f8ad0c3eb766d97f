/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two sweeps against each other (METHOD 7.8).  They share no block, so that
 * what drifted between them would be in any difference of plain values: cells
 * are compared as ratios to the baseline of their own sweep.
 */
#pragma once

#include "report/model.h"

/* One cell of both sweeps on one metric. */
typedef struct SweepRow {
    guint metric;  /* in the old report */
    guint place;   /* in Report.cells of the old one */
    bool absolute; /* the baseline itself: values, not ratios */
    guint runs_old, runs_new;
    double old, new;   /* medians: value ratios to the baseline, or values */
    Estimate estimate; /* on y, new less old: better is up */
    double ratio, ratio_lo, ratio_hi; /* new against old */
    double p_adjusted;                /* Holm within the metric */
    const char *word;
} SweepRow;

typedef struct SweepComparison {
    const Report *old, *new;
    GPtrArray *differences; /* char *: facts of host and programs that differ */
    GArray *rows;           /* SweepRow */
} SweepComparison;

void sweep_comparison_clear(SweepComparison *comparison);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SweepComparison, sweep_comparison_clear)

/* Of one metric, or of the primary ones (NULL).  Sweeps that cannot be
 * compared are refused: one emulated and one not, other baselines, no common
 * metric; and those of another host or other programs unless `anyway`. */
bool sweeps_compare(const Report *old, const Report *new, const char *metric,
                    bool anyway, SweepComparison *ret_comparison, GError **err);
/* "version.qemu: QEMU 7.2.22 against QEMU 10.0.0" (char *, owned). */
GPtrArray *sweeps_differences(const Report *old, const Report *new);
/* Whether two cells have the same level of every setting. */
bool sweeps_same_cell(const StoreCell *a, const StoreCell *b);
