/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Host counters around a measured window, all read below a root directory
 * that tests can fake ("" is the real one).
 */
#pragma once

#include <sys/types.h>
#include <glib.h>
#include "base/error.h"

/* Adds to `counters` (name -> gint64 *, owned by the table):
 *   cpu.{user,nice,system,idle,iowait,irq,softirq,steal}  ticks, all CPUs
 *   dev.{rd,wr,fl}.{reqs,sectors,ms}, dev.in_flight_ms    of block device `device`
 *   proc.{utime,stime}_ticks, proc.run_delay_ns, proc.run_ns  of `pid` and
 *       all its threads (0: none)
 *   foreign.ticks    CPU of user processes that are neither this process,
 *       its children nor `pid` (METHOD 0.10; kernel threads excluded)
 *   vm.{pswpin,pswpout}, thermal.throttle, psi.{cpu,io,memory}.us
 * A source that is missing is left out. `device` NULL: no dev.*. */
void counters_read(const char *root, const char *device, pid_t pid,
                   GHashTable *counters);
/* A table for counters_read() and machine_stats(). */
GHashTable *counters_new(void);
/* Name of the whole block device ("vda", "nvme0n1") that holds `path`, below
 * `root`; NULL when it has none (tmpfs, overlay ...).  Caller frees. */
char *counters_device(const char *root, const char *path);
