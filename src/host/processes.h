/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU time of the guest's process and of everybody else's, from /proc.  For
 * src/host only.
 */
#pragma once

#include <sys/types.h>
#include "base/error.h"

typedef struct Processes {
    /* Of `pid`: its threads, those that have ended included. */
    bool found_pid;
    gint64 utime_ticks, stime_ticks;
    /* Of its living threads: time on a CPU, time waiting for one. */
    bool found_schedstat;
    gint64 run_ns, run_delay_ns;
    /* Of all user processes except this one, `pid`, and the descendants of
     * both; with the time of children they have waited for, so that a
     * compiler that came and went within a window is in its parent's sum.
     * One whose parent does not wait takes its time with it: the sum can
     * fall. */
    bool found_any;
    gint64 foreign_ticks;
} Processes;

/* `pid` 0: none. */
void processes_read(const char *root, pid_t pid, Processes *ret);
