/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the host-matched run may use: as many CPUs and as much memory as the
 * baseline guest has (METHOD 8.1).  CPUs by sched_setaffinity; memory by a
 * control group where one can be made, else not at all, which is said
 * (METHOD 0.12).
 */
#pragma once

#include <sched.h>
#include "data/attempt.h"
#include "host/cgroup.h"
#include "run/rig.h"

typedef struct Matched {
    cpu_set_t cpus;
    guint n_cpus;
    Cgroup *cgroup; /* NULL: memory is not limited */
    guint64 memory; /* bytes */
} Matched;

/* "1 CPU by sched_setaffinity, 1 GiB by cgroup v1".  Caller frees. */
char *matched_text(const Rig *rig);
/* Makes the control group when there can be one. */
bool matched_init(Matched *matched, const Rig *rig, GError **err);
void matched_clear(Matched *matched);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Matched, matched_clear)
/* Confines the calling process, and is safe in a child before its exec. */
void matched_enter(const Matched *matched);
/* Looks at a process: a proof each for CPUs and memory; one that fails makes
 * the attempt a mismatch. */
void matched_prove(const Matched *matched, pid_t pid, Attempt *attempt);
