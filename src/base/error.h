/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one error contract of vsweep.
 *
 * A function that can fail takes `GError **err` last, returns false or NULL on
 * failure, and touches its outputs only on success.  Messages are lower case,
 * have no full stop, and say what is wrong and with what.  Errors are printed
 * once, by main.c.  A guest that misbehaves is no error but an outcome: see
 * data/attempt.h.
 */
#pragma once

#include <stdbool.h>
#include <glib.h>

#define VS_ERROR (vs_error_quark())

/* The code of an error is the exit status it leads to. */
typedef enum {
    VS_ERROR_FAILED = 1,       /* we, the host or a library failed */
    VS_ERROR_USAGE = 2,        /* wrong command line or wrong matrix */
    VS_ERROR_PARTIAL = 3,      /* done, but some cells failed */
    VS_ERROR_UNFIT = 4,        /* this host cannot measure (strict) */
    VS_ERROR_INTERRUPTED = 130 /* SIGINT or SIGTERM */
} VsError;

GQuark vs_error_quark(void);

/* Sets *err to a VS_ERROR_FAILED error and returns false, so that
 * `return vs_fail(err, "cannot open '%s'", path)` reads well. */
bool vs_fail(GError **err, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The same with VS_ERROR_USAGE. */
bool vs_usage(GError **err, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The same as vs_fail() with ": " and the text of errno `errnum` behind it. */
bool vs_fail_errno(GError **err, int errnum, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* The exit status of an error: its code for VS_ERROR, else 1.  0 for NULL. */
int vs_error_status(const GError *err);
