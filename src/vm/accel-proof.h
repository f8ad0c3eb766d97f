/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proof that an accelerator works: guests that reach READY under it.  For
 * vm/accel.c, and for tests, which prove emulation.
 */
#pragma once

#include <glib.h>
#include "base/error.h"
#include "vm/connect.h"

/* Boots each document of the NULL-terminated list until its payload says
 * "ready", which must come within `limit_ns` of resuming.  *ret_proved is
 * whether all of them did; *ret_why says how fast or why not (caller frees).
 * False only when a signal arrived. */
bool accel_proof(Connect *connect, const char *const *xmls, gint64 limit_ns,
                 bool *ret_proved, char **ret_why, GError **err);
