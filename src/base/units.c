/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes, durations, ratios and counts as people write them: see units.h. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include "base/clock.h"
#include "base/units.h"

typedef struct Unit {
    const char *name;
    double factor;
} Unit;

static const Unit size_units[] = {
    {"", 1},
    {"b", 1},
    {"k", 1024.0},
    {"kb", 1024.0},
    {"kib", 1024.0},
    {"m", 1024.0 * 1024},
    {"mb", 1024.0 * 1024},
    {"mib", 1024.0 * 1024},
    {"g", 1024.0 * 1024 * 1024},
    {"gb", 1024.0 * 1024 * 1024},
    {"gib", 1024.0 * 1024 * 1024},
    {"t", 1024.0 * 1024 * 1024 * 1024},
    {"tb", 1024.0 * 1024 * 1024 * 1024},
    {"tib", 1024.0 * 1024 * 1024 * 1024},
};

static const Unit duration_units[] = {
    {"", 1e9},  {"ns", 1},   {"us", 1e3},   {"ms", 1e6},
    {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9},
};

/* Splits "1.5G" into a number and the factor of its unit. */
static bool
parse_quantity(const char *text, const Unit *units, gsize n_units,
               double *ret_value)
{
    char *end = NULL;
    double number = 0;

    /* strtod() would take hexadecimal. */
    if (!g_ascii_isdigit(text[0]) || strpbrk(text, "xX"))
        return false;
    number = g_ascii_strtod(text, &end);
    if (!isfinite(number))
        return false;
    while (*end == ' ')
        end++;
    for (gsize i = 0; i < n_units; i++)
        if (g_ascii_strcasecmp(end, units[i].name) == 0) {
            *ret_value = number * units[i].factor;
            return true;
        }
    return false;
}

bool
units_parse_size(const char *text, guint64 *ret_bytes, GError **err)
{
    double value = 0;

    if (!parse_quantity(text, size_units, G_N_ELEMENTS(size_units), &value) ||
        value >= 0x1p63 || value != floor(value))
        return vs_usage(err, "'%s' is not a size such as 4k, 512M or 2G", text);
    *ret_bytes = (guint64) value;
    return true;
}

bool
units_parse_duration(const char *text, gint64 *ret_ns, GError **err)
{
    double value = 0;

    if (!parse_quantity(text, duration_units, G_N_ELEMENTS(duration_units),
                        &value) ||
        value >= 0x1p62)
        return vs_usage(err, "'%s' is not a duration such as 500ms, 5s or 2h",
                        text);
    *ret_ns = (gint64) value;
    return true;
}

bool
units_parse_ratio(const char *text, double *ret_ratio, GError **err)
{
    static const Unit ratio_units[] = {{"", 1}, {"%", 0.01}};

    if (!parse_quantity(text, ratio_units, G_N_ELEMENTS(ratio_units),
                        ret_ratio))
        return vs_usage(err, "'%s' is not a ratio such as 2%% or 0.02", text);
    return true;
}

bool
units_parse_count(const char *text, guint64 min, guint64 max,
                  guint64 *ret_count, GError **err)
{
    char *end = NULL;
    guint64 count = 0;

    errno = 0;
    if (g_ascii_isdigit(text[0]))
        count = g_ascii_strtoull(text, &end, 10);
    if (!end || *end || errno || count < min || count > max)
        return vs_usage(err,
                        "'%s' is not a whole number from %" G_GUINT64_FORMAT
                        " to %" G_GUINT64_FORMAT,
                        text, min, max);
    *ret_count = count;
    return true;
}

char *
units_format_size(guint64 bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double) bytes;
    guint unit = 0;

    while (value >= 1024 && unit + 1 < G_N_ELEMENTS(names)) {
        value /= 1024;
        unit++;
    }
    if (value == floor(value))
        return g_strdup_printf("%.0f %s", value, names[unit]);
    return g_strdup_printf("%.1f %s", value, names[unit]);
}

char *
units_format_duration(gint64 ns)
{
    double s = (double) ns / 1e9;
    gint64 whole = (gint64) (s + 0.5);

    if (s < 1)
        return g_strdup_printf("%.0f ms", s * 1e3);
    if (s < 99.95)
        return g_strdup_printf("%.1f s", s);
    if (whole < 3600)
        return g_strdup_printf("%d min %02d s", (int) (whole / 60),
                               (int) (whole % 60));
    return g_strdup_printf("%d h %02d min", (int) (whole / 3600),
                           (int) (whole % 3600 / 60));
}

char *
units_format_value(double value, const char *unit)
{
    double size = fabs(value);
    int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : 2;

    /* Zeros would take the place of digits. */
    if ((size > 0 && size < 0.1) || size >= 1e9)
        return g_strdup_printf("%.3g%s%s", value, unit && *unit ? " " : "",
                               unit ? unit : "");
    if (size > 0 && size < 1)
        decimals = 3;
    return g_strdup_printf("%.*f%s%s", decimals, value,
                           unit && *unit ? " " : "", unit ? unit : "");
}
