/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What chance and the model give a simulated attempt: see simulate.h. */
#pragma once

#include "run/executor.h"
#include "run/model.h"

/* Everything an attempt is drawn for. */
typedef struct Drawn {
    const Model *model;
    const Design *design;
    const Cell *cell;
    const Slot *slot;
    double progress; /* of the planned runs: 0 the first, 1 the last */
} Drawn;

/* The first rule of a list that holds for the cell and whose chance strikes
 * this attempt; NULL: none.  `what` tells lists apart. */
const ModelRule *simulate_strikes(const Drawn *drawn, const GPtrArray *rules,
                                  const char *what);
/* A value of the attempt; `stolen`: the share of its CPU time. */
double simulate_value(const Drawn *drawn, const WorkloadInfo *workload,
                      const MetricInfo *metric, double stolen);
