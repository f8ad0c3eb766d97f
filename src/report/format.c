/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and texts as reports show them: see format.h. */
#include "report/format.h"

#include <math.h>
#include <string.h>
#include "base/units.h"
#include "report/model.h"

/* Shown instead of a character that must not reach a terminal. */
#define REPLACEMENT '?'

static bool
is_harmless(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT: /* bidirectional overrides, zero width joiners */
    case G_UNICODE_SURROGATE:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_UNASSIGNED:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
        return false;
    default:
        return true;
    }
}

char *
format_safe(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
    GString *out = g_string_new(NULL);

    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);

        if (c == '\n' || c == '\r' || c == '\t')
            g_string_append_c(out, ' ');
        else if (is_harmless(c))
            g_string_append_unichar(out, c);
        else
            g_string_append_c(out, REPLACEMENT);
    }
    return g_string_free(out, FALSE);
}

char *
format_markdown(const char *text)
{
    /* Pipes would split table cells (base/table.h escapes those as well, so
     * they are entities here); the rest starts markup, links or HTML. */
    static const struct {
        char c;
        const char *as;
    } escapes[] = {{'&', "&amp;"},  {'<', "&lt;"}, {'>', "&gt;"},
                   {'|', "&#124;"}, {'`', "\\`"},  {'*', "\\*"},
                   {'[', "\\["},    {']', "\\]"},  {'\\', "\\\\"},
                   {'_', "\\_"},    {'#', "\\#"},  {'~', "\\~"}};
    g_autofree char *safe = format_safe(text);
    GString *out = g_string_new(NULL);

    for (const char *p = safe; *p; p++) {
        const char *as = NULL;

        for (gsize i = 0; i < G_N_ELEMENTS(escapes) && !as; i++)
            if (escapes[i].c == *p)
                as = escapes[i].as;
        if (as)
            g_string_append(out, as);
        else
            g_string_append_c(out, *p);
    }
    return g_string_free(out, FALSE);
}

void
format_csv(GString *out, const char *text)
{
    g_autofree char *safe = format_safe(text);

    if (!strpbrk(safe, ",\"") && !g_str_has_prefix(safe, " ") &&
        !g_str_has_suffix(safe, " ")) {
        g_string_append(out, safe);
        return;
    }
    g_string_append_c(out, '"');
    for (const char *p = safe; *p; p++) {
        if (*p == '"')
            g_string_append_c(out, '"');
        g_string_append_c(out, *p);
    }
    g_string_append_c(out, '"');
}

char *
format_exact(double value)
{
    /* 15 digits are always representable, 17 always enough. */
    static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
    char text[G_ASCII_DTOSTR_BUF_SIZE] = "";

    if (isnan(value))
        return g_strdup("");
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_ascii_formatd(text, sizeof text, formats[i], value);
        if (g_ascii_strtod(text, NULL) == value)
            break;
    }
    return g_strdup(text);
}

char *
format_derived(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE] = "";

    if (!isnan(value))
        g_ascii_formatd(text, sizeof text, "%.12g", value);
    return g_strdup(text);
}

char *
format_cut(const char *text, guint width)
{
    if ((guint) g_utf8_strlen(text, -1) <= width)
        return g_strdup(text);
    const char *end = g_utf8_offset_to_pointer(text, (glong) width - 1);
    return g_strdup_printf("%.*s…", (int) (end - text), text);
}

/* Appends `word`, cut into pieces where it is wider than a line; returns the
 * column behind it. */
static guint
append_word(GString *out, const char *word, guint column, guint hang)
{
    for (const char *p = word; *p; p = g_utf8_next_char(p)) {
        if (column == FORMAT_WIDTH) {
            g_string_append_printf(out, "\n%*s", (int) hang, "");
            column = hang;
        }
        if (*p == FORMAT_GLUE)
            g_string_append_c(out, ' ');
        else
            g_string_append_len(out, p, g_utf8_next_char(p) - p);
        column++;
    }
    return column;
}

void
format_wrap(GString *out, guint indent, guint hang, const char *text)
{
    g_autoptr(GString) glued = g_string_new(text);
    g_string_replace(glued, " %", FORMAT_GLUES "%", 0);
    g_auto(GStrv) words = g_strsplit(glued->str, " ", -1);
    guint column = indent, gap = 0;
    bool fresh = true; /* nothing but indentation on this line yet */

    g_string_append_printf(out, "%*s", (int) indent, "");
    for (guint i = 0; words[i]; i++) {
        guint width = (guint) g_utf8_strlen(words[i], -1);

        gap++;
        if (width == 0)
            continue; /* runs of spaces stay as wide as they are */
        if (!fresh && column + gap + width > FORMAT_WIDTH) {
            g_string_append_printf(out, "\n%*s", (int) hang, "");
            column = hang;
            fresh = true;
        }
        if (!fresh) {
            g_string_append_printf(out, "%*s", (int) gap, "");
            column += gap;
        }
        column = append_word(out, words[i], column, hang);
        gap = 0;
        fresh = false;
    }
    g_string_append_c(out, '\n');
}

void
format_line(GString *out, guint indent, guint hang, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    format_wrap(out, indent, hang, text);
}

guint
format_widest(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint widest = 0;

    for (guint i = 0; lines[i]; i++)
        widest = MAX(widest, (guint) g_utf8_strlen(lines[i], -1));
    return widest;
}

char *
format_number(double value)
{
    return format_value(value, "");
}

char *
format_value(double value, const char *unit)
{
    if (isnan(value))
        return g_strdup("-");
    return units_format_value(value, unit);
}

/* "+18.2", "+250", "0.0": never a signed zero. */
static char *
percent_number(double ratio)
{
    double percent = (ratio - 1) * 100;

    if (fabs(percent) < 0.05)
        return g_strdup("0.0");
    return g_strdup_printf(fabs(percent) < 99.95 ? "%+.1f" : "%+.0f", percent);
}

char *
report_percent(double ratio)
{
    if (isnan(ratio))
        return g_strdup("-");
    g_autofree char *number = percent_number(ratio);
    return g_strdup_printf("%s %%", number);
}

char *
format_interval(double ratio_lo, double ratio_hi)
{
    if (isnan(ratio_lo) || isnan(ratio_hi))
        return g_strdup("-");
    g_autofree char *lo = percent_number(ratio_lo);
    g_autofree char *hi = percent_number(ratio_hi);
    return g_strdup_printf("[%s, %s]", lo, hi);
}

char *
format_p(double p)
{
    if (isnan(p))
        return g_strdup("-");
    if (p < 0.0001)
        return g_strdup("<0.0001");
    return g_strdup_printf(p < 0.01 ? "%.4f" : p < 0.1 ? "%.3f" : "%.2f", p);
}

char *
format_confidence(double confidence)
{
    double percent = confidence * 100;

    return g_strdup_printf(
        fabs(percent - round(percent)) < 0.05 ? "%.0f" : "%.1f", percent);
}

const char *
format_better(bool higher_better)
{
    return higher_better ? "higher is better" : "lower is better";
}
