/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * QEMU's process, from libvirt's start of it to its reaping.  For vm/ only.
 *
 * libvirt daemonises QEMU, so that its parent is process 1, and waits for the
 * death of a domain until that has reaped it, which can take a second or two.
 * With vsweep as the "child subreaper" QEMU becomes our child instead: it is
 * reaped the moment it ends, and its resource usage is exact.
 */
#pragma once

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <glib.h>

typedef struct Process Process;

/* Follows the QEMU of the guest `name` from within the loop; NULL when no such
 * process can be seen. */
Process *process_watch(const char *name);
void process_free(Process *process);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Process, process_free)

pid_t process_pid(const Process *process);
/* Whether it runs at this very moment. */
bool process_runs(const Process *process);
/* When its end was noticed by the loop (clock_raw_ns); 0: it runs. */
gint64 process_ended_ns(const Process *process);
/* Its resource usage once it has ended, zeros unless it was our child. */
struct rusage process_usage(const Process *process);
bool process_signal(const Process *process, int signal);
