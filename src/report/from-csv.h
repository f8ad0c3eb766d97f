/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report from anyone's CSV file in long form (one line per run) instead of
 * results.db: the same model, so that everything that follows is the same.
 * vsweep(1) describes the format.
 */
#pragma once

#include "report/model.h"

/* Lists are comma-separated names, "all" standing for every one; NULL: not
 * given. */
typedef struct CsvOptions {
    const char *metrics, *settings;
    const char *baseline; /* a cell's name, or setting=level,... */
    const char *best;     /* the tuned cell, the same way */
    const char *lower, *higher, *primary;
    double delta;                    /* 0: each metric's default */
    double run_cost, iteration_cost; /* of time, in one unit; 0: not given */
    bool unblocked; /* what shares a block was not run together */
    char delimiter; /* 0: found out */
} CsvOptions;

Report *report_from_csv(const char *path, const CsvOptions *options,
                        GError **err);
