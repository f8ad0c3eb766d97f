/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The only place where time is read.  Everything else gets times as values,
 * so that tests are byte-stable.
 */
#pragma once

#include <glib.h>

#define CLOCK_NS_PER_MS G_GINT64_CONSTANT(1000000)
#define CLOCK_NS_PER_S G_GINT64_CONSTANT(1000000000)

/* CLOCK_MONOTONIC_RAW in nanoseconds: the clock of every measured span and
 * of every deadline. */
gint64 clock_raw_ns(void);

/* Wall-clock time as ISO 8601 in UTC, "2026-11-30T19:42:07Z".  Caller frees. */
char *clock_wall_iso(void);

/* Wall-clock stamp for directory names, "20261130-194207".  Caller frees. */
char *clock_wall_stamp(void);

/* Sleeps until `deadline_ns` of clock_raw_ns() or until a signal arrives. */
void clock_sleep_until(gint64 deadline_ns);
