/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for a quiet machine (METHOD 0.4, 5.2 S1-S2).
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* Waits until one 0.5 s sample (0.1 s when `quick`) is quiet: dirty plus
 * write-back at most 4 MiB, device busy less than 1 % of it, nothing in
 * flight.  Takes no sample that would end after `timeout_ns`.  *ret_quiet
 * tells whether it became so.  Stops early on signals_pending().  What cannot
 * be read counts as quiet. */
void hygiene_wait_quiet(const char *root, const char *device, bool quick,
                        gint64 timeout_ns, bool *ret_quiet);
