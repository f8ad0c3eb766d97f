/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats inside a run and runs (METHOD 4.3): which of the two the scatter
 * comes from, and how many repeats a run are worth their time.  Only a CSV
 * file tells repeats apart; a sweep of ours sums them up in the guest.
 */
#pragma once

#include "report/model.h"
#include "stats/precision.h"

typedef struct ReportLevels {
    guint metric, cell; /* places in Report.metrics and .cells */
    guint runs, iterations;
    Levels levels;
    double half_width; /* of the mean, from the runs: the iterations are no
                          replicates */
    guint best;        /* iterations a run; 0: no costs were given */
} ReportLevels;

/* A line for each primary metric of the baseline cell. */
void report_levels_text(const Report *report, GString *out);
