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

/* Columns that a character takes. */
static guint
width(gunichar c)
{
    return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

/* One line of printable text, narrower than the terminal: in the last column
 * it would wrap. */
static char *clean(const char *format, va_list args) G_GNUC_PRINTF(1, 0);

static char *
clean(const char *format, va_list args)
{
    g_autofree char *raw = g_strdup_vprintf(format, args);
    g_autofree char *valid = g_utf8_make_valid(raw, -1);
    g_autoptr(GString) text = g_string_new(NULL);
    guint left = terminal_columns() - 1;

    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);

        if (g_unichar_iscntrl(c))
            c = '?';
        if (width(c) > left)
            break;
        left -= width(c);
        g_string_append_unichar(text, c);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
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
