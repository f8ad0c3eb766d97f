/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured windows: counters before and after, validity, their time. */
#pragma once

#include "data/record.h"
#include "run/talk.h"

/* Opens the window of a phase record: takes the first snapshot. */
AttemptWindow *windows_open(Talk *talk, const Record *record);
/* Takes the second snapshot and judges the window (METHOD 5.5).  Under
 * hygiene `quick` a breach is only noted; otherwise the attempt is invalid. */
void windows_close(Talk *talk, const Record *record);
/* The machine a window was measured on. */
typedef struct WindowHost {
    guint vcpus; /* 0: a host run */
    guint ncpu;  /* host CPUs */
    bool kvm;
} WindowHost;

/* The judgement alone, on the counters and times in the window. */
void windows_judge(Attempt *attempt, AttemptWindow *window,
                   const Matrix *matrix, const WindowHost *host);
/* How long the windows of a workload are meant to last; 0: fixed work. */
gint64 windows_expected_ns(const Matrix *matrix, const char *workload);
/* How much longer than the usual silence an open window may take. */
gint64 windows_allowance_ns(const Matrix *matrix, const char *workload);
