/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows in which one operation is repeated for a time, on one thread or on
 * all of them.  Every operation says itself whether its result was right; a
 * wrong one fails the workload, so a loop cannot be fast by doing less.
 */
#pragma once

#include "guest-payload/workload.h"

typedef struct Loop Loop;

/* One operation of thread `thread` (0 is the caller's own when the window is
 * not for all); false when its result is wrong. */
typedef bool (*LoopOperation)(void *data, int thread);

typedef struct LoopWindow {
    const char *phase;
    LoopOperation operation;
    bool all; /* threads; else one */
    const char *metric;
    double units; /* of the metric in one operation */
} LoopWindow;

bool loop_make(int threads, void *data, Loop **ret_loop, Fail *fail);
/* Every window's operation for a moment on all threads, unmeasured. */
bool loop_warm_up(Loop *loop, const LoopWindow *list, Fail *fail);
/* The windows in order, up to the one without a phase.  The length of each is
 * the workload's parameter "time". */
bool loop_measure(Run *run, Loop *loop, const LoopWindow *list, Fail *fail);
void loop_free(Loop *loop);
