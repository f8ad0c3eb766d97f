/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process beside vsweep that kills the QEMU of the current domain when a
 * deadline passes while the one loop is stuck in a libvirt call, and when
 * vsweep itself is gone (SIGKILL).  It ignores SIGINT and ends with vsweep.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* Forks it; call once, before libvirt is opened (no threads yet). */
bool watchdog_start(GError **err);
/* From now on the QEMU of the domain `name` dies at `deadline_ns` (0: only
 * when vsweep goes).  Replaces what was said before. */
void watchdog_arm(const char *name, gint64 deadline_ns);
/* The domain is gone. */
void watchdog_disarm(void);
/* Whether the watchdog killed the armed domain's QEMU since watchdog_arm(). */
bool watchdog_fired(void);
void watchdog_stop(void);
/* The QEMU process of the domain `name`, by its command line; 0: none. */
int watchdog_find_qemu(const char *name);
