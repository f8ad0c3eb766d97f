/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Host counters around a measured window, all read below a root directory
 * that tests can fake ("" is the real one).
 */
#pragma once

#include <sys/types.h>
#include <glib.h>
#include "base/error.h"

/* Adds to `counters` (name -> gint64 *, owned by the table), replacing what has
 * the same name:
 *
 *   cpu.{user,nice,system,idle,iowait,irq,softirq,steal}: ticks of all CPUs
 *   dev.{rd,wr}.{reqs,sectors,ms}, dev.fl.{reqs,ms} of the block device
 *   `device`; dev.in_flight_ms: time it had any request
 *   proc.{utime,stime}_ticks of `pid` (0: none), ended threads included
 *   proc.{run,run_delay}_ns of its living threads
 *   foreign.ticks: CPU of user processes that are neither this process nor
 *   `pid` nor descend from them, and of children those have waited for
 *   (METHOD 0.10; kernel threads excluded)
 *   vm.{pswpin,pswpout}, thermal.throttle, psi.{cpu,io,memory}.us
 *
 * A source that is missing is left out.  `device` NULL: no dev.*.  Takes some
 * 3 ms on a host with 200 processes. */
void counters_read(const char *root, const char *device, pid_t pid,
                   GHashTable *counters);
/* A table for counters_read() and machine_stats(). */
GHashTable *counters_new(void);
/* Name of the whole block device ("vda", "nvme0n1", "dm-0") that holds `path`,
 * both below `root`; NULL when it has none (tmpfs, overlay ...).  Caller
 * frees. */
char *counters_device(const char *root, const char *path);
