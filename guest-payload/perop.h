/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the workloads share that time one operation of the system: the same
 * operation again and again on one thread until the time is over.  The clock
 * is read once a batch, so that reading it does not count.
 */
#pragma once

#include "guest-payload/workload.h"

typedef struct PerOp {
    uint64_t expected; /* what an operation must give; known from elsewhere */
    int64_t ops;       /* of the window */
    int64_t right;     /* of these, the ones that gave it */
} PerOp;

/* Does `count` operations and adds to `right`. */
typedef void (*PerOpBatch)(PerOp *state, unsigned count);

bool perop_setup(Run *run, uint64_t expected, Fail *fail);
bool perop_warm_up(Run *run, PerOpBatch batch, unsigned count, Fail *fail);
/* One window; its result is nanoseconds an operation. */
bool perop_measure(Run *run, PerOpBatch batch, unsigned count,
                   const char *metric, Fail *fail);
/* Every operation gave what was expected. */
bool perop_check(Run *run, Fail *fail);
void perop_teardown(Run *run);
/* Nanoseconds an operation in the last window. */
double perop_ns(const Run *run, int64_t ops);
