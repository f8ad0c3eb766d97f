/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Skipping a test in words that prove(1) understands.  cmocka says "not ok 3
 * # SKIP name" for its skip(), a failure to prove, and has no room for a
 * reason.  So the first skip puts a stream of our own in the place of standard
 * output, which writes "ok 3 - name # SKIP reason" for such a line.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <glib.h>

static char *skip_reason;

/* Writes whole lines, as the stream is buffered by line. */
static inline ssize_t
skip_write(void *cookie, const char *text, size_t bytes)
{
    static const char cmockas[] = "# SKIP ";
    g_autofree char *lines = g_strndup(text, bytes);
    g_auto(GStrv) line = g_strsplit(lines, "\n", -1);

    (void) cookie;
    for (guint i = 0; line[i]; i++) {
        const char *end = line[i + 1] ? "\n" : "";
        const char *name = strstr(line[i], cmockas);
        int number = 0;

        if (name && sscanf(line[i], "not ok %d", &number) == 1)
            dprintf(STDOUT_FILENO, "ok %d - %s # SKIP %s%s", number,
                    name + strlen(cmockas), skip_reason, end);
        else
            dprintf(STDOUT_FILENO, "%s%s", line[i], end);
    }
    return (ssize_t) bytes;
}

/* Ends the test that calls it; the others go on. */
static inline void skip_because(const char *format, ...)
    G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN;

static inline void
skip_because(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (!skip_reason) {
        cookie_io_functions_t functions = {.write = skip_write};

        fflush(stdout);
        stdout = fopencookie(NULL, "w", functions);
        g_assert(stdout);
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    }
    g_free(skip_reason);
    skip_reason = g_strdup_vprintf(format, args);
    va_end(args);
    _skip(__FILE__, __LINE__);
    g_assert_not_reached();
}
