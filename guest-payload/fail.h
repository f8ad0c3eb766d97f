/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors of the payload, which has no GLib.  Fallible functions return bool,
 * take a Fail last, and touch their outputs only on success.  The text is
 * lower case, without a full stop, and says what is wrong with what.
 */
#pragma once

#include <stdbool.h>

typedef struct Fail {
    int errnum;     /* errno value, 0 when the system is not to blame */
    char text[480]; /* with strerror(errnum) at its end */
} Fail;

/* Sets *fail and returns false, so that a failing function can end with
 * `return fail_set(...)`. */
bool fail_set(Fail *fail, int errnum, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* SIGTERM, SIGINT and SIGHUP ask for an orderly end: loops look at
 * stop_requested() and clean up. */
void stop_install(void);
bool stop_requested(void);
/* False with "stopped by SIGTERM" after such a signal. */
bool stop_check(Fail *fail);
