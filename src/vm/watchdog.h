/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process beside vsweep that kills the QEMU of the current domain when a
 * deadline passes while the one loop is stuck in a libvirt call, and when
 * vsweep itself is gone (SIGKILL).  It ignores SIGINT and ends with vsweep.
 *
 * It holds none of vsweep's files, locks or terminals, and it sleeps until a
 * deadline, a message or the end of vsweep, so it costs a measurement
 * nothing.  Without watchdog_start() the other functions do nothing.
 */
#pragma once

#include <glib.h>
#include "base/clock.h"
#include "base/error.h"

/* No call into libvirt about a running domain takes this long unless QEMU is
 * stuck: for watchdog_call_begin(). */
#define WATCHDOG_CALL_NS (30 * CLOCK_NS_PER_S)

/* Forks it; call once, before libvirt is opened (no threads yet). */
bool watchdog_start(GError **err);
/* From now on the QEMU of the domain `name` dies at `deadline_ns` (0: only
 * when vsweep goes).  Replaces what was said before.  The domain need not
 * exist yet. */
void watchdog_arm(const char *name, gint64 deadline_ns);
/* Around one call into libvirt: until watchdog_call_end() the deadline is at
 * most `limit_ns` from now.  Does nothing when not armed. */
void watchdog_call_begin(gint64 limit_ns);
void watchdog_call_end(void);
/* The domain is gone. */
void watchdog_disarm(void);
/* Whether the watchdog killed the armed domain's QEMU since watchdog_arm(). */
bool watchdog_fired(void);
/* Ends it and waits for its end.  An armed domain is left alone. */
void watchdog_stop(void);
/* The QEMU process of the domain `name`, by its command line; 0: none. */
int watchdog_find_qemu(const char *name);
