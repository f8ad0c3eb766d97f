/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See fail.h.
 */
#include "guest-payload/fail.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t stop_signal;

bool
fail_set(Fail *fail, int errnum, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int length = vsnprintf(fail->text, sizeof(fail->text), format, args);
    va_end(args);
    fail->errnum = errnum;
    if (errnum && length >= 0 && (size_t) length < sizeof(fail->text))
        snprintf(fail->text + length, sizeof(fail->text) - length, ": %s",
                 strerror(errnum));
    /* Names of files come from outside; the text must stay valid JSON. */
    for (char *c = fail->text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return false;
}

static void
on_stop(int number)
{
    stop_signal = number;
}

void
stop_install(void)
{
    /* No SA_RESTART: a blocked poll must return. */
    struct sigaction action = {.sa_handler = on_stop};
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaction(numbers[i], &action, NULL);
}

bool
stop_requested(void)
{
    return stop_signal != 0;
}

bool
stop_check(Fail *fail)
{
    int number = stop_signal;

    if (!number)
        return true;
    fail_set(fail, 0, "stopped by SIG%s", sigabbrev_np(number));
    fail->errnum = EINTR;
    return false;
}
