/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line: see progress.h. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/progress.h"

/* Redrawing faster than this is only flicker. */
#define REDRAW_NS (100 * CLOCK_NS_PER_MS)
/* When the terminal does not say how wide it is. */
#define DEFAULT_COLUMNS 80

static bool enabled;
static bool shown;
static gint64 drawn_at;

void
progress_init(bool force)
{
    enabled = force || isatty(STDERR_FILENO);
}

static guint
terminal_columns(void)
{
    struct winsize size = {0};

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        return size.ws_col;
    return DEFAULT_COLUMNS;
}

/* One line of printable text, no wider than the terminal. */
static char *clean(const char *format, va_list args) G_GNUC_PRINTF(1, 0);

static char *
clean(const char *format, va_list args)
{
    g_autofree char *raw = g_strdup_vprintf(format, args);
    char *text = g_utf8_make_valid(raw, -1);

    for (char *c = text; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = '?';
    if (g_utf8_strlen(text, -1) >= terminal_columns())
        *g_utf8_offset_to_pointer(text, terminal_columns() - 1) = '\0';
    return text;
}

void
progress_set(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    if (!enabled || (shown && clock_raw_ns() - drawn_at < REDRAW_NS))
        return;
    va_start(args, format);
    text = clean(format, args);
    va_end(args);
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    shown = true;
    drawn_at = clock_raw_ns();
}

void
progress_line(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    if (!enabled)
        return;
    va_start(args, format);
    text = clean(format, args);
    va_end(args);
    progress_clear();
    fprintf(stderr, "%s\n", text);
}

void
progress_clear(void)
{
    if (!shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    shown = false;
}
