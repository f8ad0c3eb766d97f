/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes and warnings to the person, on standard error, one line each, the
 * progress line kept out of the way.
 */
#pragma once

#include "base/error.h"

/* "vsweep: warning: ..." */
void log_warning(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* "vsweep: ..." */
void log_note(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* "vsweep: debug: ..." when $VSWEEP_DEBUG is set and not empty. */
void log_debug(const char *format, ...) G_GNUC_PRINTF(1, 2);
