/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of src/stats: comparing numbers, reading the oracle files.
 */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>
#include <jansson.h>

#define ORACLES VS_SOURCE_DIR "/tests/data/oracles/"

/* The oracles carry ten significant digits, which is 5e-10. */
#define ORACLE_TOLERANCE 1e-9
/* The same sum in another order. */
#define ROUNDING 1e-12

static inline void
check_near(double got, double want, double relative, const char *what)
{
    double allowed = relative * fabs(want) + ROUNDING * relative;
    if (isnan(want) ? isnan(got) : fabs(got - want) <= allowed)
        return;
    fail_msg("%s: got %.15g, want %.15g", what, got, want);
}

static inline json_t *
oracle_json(const char *name)
{
    g_autofree char *path = g_strconcat(ORACLES, name, NULL);
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return root;
}

static inline json_t *
json_member(const json_t *object, const char *name)
{
    json_t *member = json_object_get(object, name);
    if (!member)
        fail_msg("no member '%s'", name);
    return member;
}

/* A number, NaN for null. */
static inline double
json_double(const json_t *object, const char *name)
{
    json_t *member = json_member(object, name);
    if (json_is_null(member))
        return NAN;
    assert_true(json_is_number(member));
    return json_number_value(member);
}

static inline const char *
json_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_member(object, name));
    assert_non_null(text);
    return text;
}

/* The rows of a CSV file without its header, char ** each. */
static inline GPtrArray *
oracle_csv(const char *name)
{
    g_autofree char *path = g_strconcat(ORACLES, name, NULL);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    GPtrArray *rows =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    for (guint i = 1; lines[i]; i++)
        g_ptr_array_add(rows, g_strsplit(g_strchomp(lines[i]), ",", -1));
    return rows;
}
