/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log-linear histogram of METHOD 6.3: 128 bins per power of two, at most
 * 0.78 % wide.  Integers in, nearest-rank percentiles out.
 */
#pragma once

#include <glib.h>

guint32 histogram_bin(guint64 value);
guint64 histogram_low(guint32 bin);
guint64 histogram_high(guint32 bin);
/* The percentile p (0..100) of `count` bins sorted by index whose counts sum
 * to n: the high end of the bin that holds the ceil(p/100*n)-th smallest. */
guint64 histogram_percentile(const guint32 *bin, const gint64 *counts,
                             guint count, gint64 n, double p);
/* Whether n observations carry that percentile: n >= 10 / (1 - p/100). */
gboolean histogram_supports(gint64 n, double p);
