/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities as people write them.  Sizes use powers of 1024 whatever the
 * spelling (4k, 512M, 1G, 1GiB), as fio and qemu-img do; a bare number is
 * bytes.  Durations: 500us, 20ms, 5s, 2m, 1h; a bare number is seconds.
 * Ratios: 2% or 0.02.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

bool units_parse_size(const char *text, guint64 *ret_bytes, GError **err);
bool units_parse_duration(const char *text, gint64 *ret_ns, GError **err);
bool units_parse_ratio(const char *text, double *ret_ratio, GError **err);
/* A whole number in [min, max], nothing before or behind it. */
bool units_parse_count(const char *text, guint64 min, guint64 max,
                       guint64 *ret_count, GError **err);

/* "512 MiB", "1.5 GiB", "4 KiB", "17 B".  Caller frees. */
char *units_format_size(guint64 bytes);
/* "350 ms", "7.2 s", "4 min 05 s", "2 h 03 min".  Caller frees. */
char *units_format_duration(gint64 ns);
/* A measured value with three or four significant digits and its unit:
 * "622 us", "1 584 op/s" is written "1584 op/s".  Caller frees. */
char *units_format_value(double value, const char *unit);
