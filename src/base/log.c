/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes and warnings on standard error: see log.h. */
#include <stdio.h>
#include "base/log.h"
#include "base/progress.h"

static void say(const char *kind, const char *format, va_list args)
    G_GNUC_PRINTF(2, 0);

static void
say(const char *kind, const char *format, va_list args)
{
    g_autofree char *text = g_strdup_vprintf(format, args);

    progress_clear();
    fprintf(stderr, "vsweep: %s%s\n", kind, text);
}

void
log_warning(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say("warning: ", format, args);
    va_end(args);
}

void
log_note(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say("", format, args);
    va_end(args);
}

void
log_debug(const char *format, ...)
{
    const char *wanted = g_getenv("VSWEEP_DEBUG");
    va_list args;

    if (!wanted || !*wanted)
        return;
    va_start(args, format);
    say("debug: ", format, args);
    va_end(args);
}
