/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of progress on standard error, redrawn at most ten times a second,
 * and only when standard error is a terminal.  When it is not, nothing is
 * printed.
 */
#pragma once

#include "base/error.h"

/* `force` draws even without a terminal (tests).  */
void progress_init(bool force);
/* Replaces the line.  Control characters become '?'. */
void progress_set(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Prints a line that stays, above the progress line (terminal only). */
void progress_line(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Takes the line away; call before anything else is printed. */
void progress_clear(void);
