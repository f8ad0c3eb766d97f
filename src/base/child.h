/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running another program (qemu-img, mke2fs) to its end.
 */
#pragma once

#include <sys/types.h>
#include <glib.h>
#include "base/error.h"

/* Runs argv (searched in PATH) and waits.  On success stores its standard
 * output, NUL-terminated, in *ret_stdout when that is not NULL (caller frees).
 * A non-zero exit is an error that names the program and quotes the last line
 * it wrote to standard error.  SIGINT does not reach the program. */
bool child_run(const char *const *argv, char **ret_stdout, GError **err);

/* Reaps pid if it has ended, waiting until `deadline_ns` (clock_raw_ns) at
 * most.  Returns true when the process is gone; *ret_status then holds the
 * wait status, or -1 when it was not our child. */
bool child_reap(pid_t pid, gint64 deadline_ns, int *ret_status);
