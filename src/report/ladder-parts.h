/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a ladder is made: model-ladder.c makes its rungs and steps,
 * model-ladder-split.c shares the configuration step out.
 */
#pragma once

#include "report/ladder.h"

#define STEP_FLOOR "virtualisation floor"
#define STEP_FLOOR_KERNEL "virtualisation floor + kernel difference"
#define STEP_CONFIGURATION "configuration"
#define STEP_HOST_TO_BEST "host to best guest"
#define STEP_TO_GUEST "matched host to guest"

typedef struct Rungs {
    const Blocks *logs; /* of the metric; the report owns it */
    Blocks *table;      /* y: a row for each Rung, then for each corner */
    bool is_there[RUNG_MAX];
    bool *complete; /* by block: every rung and corner has a value */
    guint baseline; /* places in Report.cells ... */
    guint best;     /* ... BEST_NO_CELL: none, or not the same in all blocks */
    GPtrArray *settings; /* const char *: what best and baseline differ in */
    guint *corner;       /* row of each set of settings at their best; NULL:
                            the step is not split */
} Rungs;

/* Estimate, mean and ratios of weights over the rows of the table. */
ReportStep ladder_infer(const Report *report, const ReportLadder *ladder,
                        const Rungs *rungs, const double *weights);
/* Adds the rows of the corners that were run. */
void ladder_find_corners(const Report *report, ReportLadder *ladder,
                         Rungs *rungs);
/* Fills parts and remainder. */
void ladder_split(const Report *report, ReportLadder *ladder,
                  const Rungs *rungs);
void ladder_part_free(ReportPart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ReportLadder, report_ladder_free)
