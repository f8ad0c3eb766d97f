/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reaps QEMU the moment it ends, even while the one loop is blocked in a call
 * into libvirt.
 *
 * libvirt daemonises QEMU and holds the domain locked until QEMU's pid is
 * gone from the process table.  While vsweep is QEMU's parent (see process.h)
 * only vsweep can make it go; a zombie costs 40 s in every call about the
 * domain, and a QEMU that refuses to start is such a zombie before its pid is
 * even known.  So SIGCHLD is caught, and its handler waits for those pids
 * alone.  For vm/process.c and vm/machine.c only.
 */
#pragma once

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* From here on until reaper_adopt_end() QEMUs orphaned by libvirt become our
 * children; one that ends meanwhile is reaped, and its usage lost. */
void reaper_adopt_begin(void);
void reaper_adopt_end(void);

/* Slots are as many as guests can run at a time. */
#define REAPER_SLOTS 64

/* Reaps `pid` when it ends.  The slot, or -1 when all are taken. */
int reaper_add(pid_t pid);
/* Looks at once, without waiting for a signal. */
void reaper_look(int slot);
/* The usage of the process if it has been reaped, else zeros. */
struct rusage reaper_usage(int slot);
void reaper_remove(int slot);
