/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of single JSON values: type, range, length, characters.
 */
#include "data/record-field.h"

#include <math.h>
#include <string.h>
#include "data/attempt.h"
#include "guest-payload/wire.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyz0123456789._-"
/* Bytes of an error or note text: what a person reads. */
#define TEXT_MAX_BYTES 1024
/* Facts of a ready line and bytes of one; cpu_flags is the longest, about
 * 2 KiB on the largest CPUs of today. */
#define FACTS_MAX 64
#define FACT_MAX_BYTES 8192
/* Bins of METHOD 6.3 for values below 2^63 ns end at 7295. */
#define BINS_MAX 8192

char *
field_clean(const char *text, gsize max)
{
    GString *clean = g_string_new(NULL);

    for (const char *p = text; *p; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        const gsize length = (gsize) (g_utf8_next_char(p) - p);
        if (clean->len + length > max)
            break;
        if (g_unichar_isprint(c))
            g_string_append_len(clean, p, (gssize) length);
        else
            g_string_append_c(clean, c == '\n' || c == '\t' ? ' ' : '?');
    }
    return g_string_free(clean, FALSE);
}

static bool
is_name(const char *text)
{
    const gsize length = strlen(text);

    return length > 0 && length <= FIELD_NAME_MAX &&
           strspn(text, NAME_CHARS) == length;
}

static bool
bad_type(const char *wanted, GError **err)
{
    return vs_fail(err, "is not %s", wanted);
}

bool
field_name(const Field *field, const json_t *json, void *slot, GError **err)
{
    const char *text = json_string_value(json);

    (void) field;
    if (!text)
        return bad_type("a string", err);
    if (!is_name(text)) {
        g_autofree char *shown = field_clean(text, FIELD_NAME_MAX);
        return vs_fail(err, "'%s' is not a name (1 to %d of a-z 0-9 . _ -)",
                       shown, FIELD_NAME_MAX);
    }
    *(char **) slot = g_strdup(text);
    return true;
}

/* The workload of an error that belongs to none is "". */
bool
field_name_or_empty(const Field *field, const json_t *json, void *slot,
                    GError **err)
{
    const char *text = json_string_value(json);

    if (!text || *text)
        return field_name(field, json, slot, err);
    *(char **) slot = g_strdup("");
    return true;
}

bool
field_role(const Field *field, const json_t *json, void *slot, GError **err)
{
    static const char *const roles[] = {"init", "agent", "local", NULL};
    const char *text = json_string_value(json);

    (void) field;
    if (!text)
        return bad_type("a string", err);
    if (!g_strv_contains(roles, text)) {
        g_autofree char *shown = field_clean(text, FIELD_NAME_MAX);
        return vs_fail(err, "'%s' is not init, agent or local", shown);
    }
    *(char **) slot = g_strdup(text);
    return true;
}

bool
field_text(const Field *field, const json_t *json, void *slot, GError **err)
{
    const char *text = json_string_value(json);

    (void) field;
    if (!text)
        return bad_type("a string", err);
    *(char **) slot = field_clean(text, TEXT_MAX_BYTES);
    return true;
}

bool
field_int(const Field *field, const json_t *json, void *slot, GError **err)
{
    if (!json_is_integer(json))
        return bad_type("a whole number", err);
    const gint64 value = json_integer_value(json);
    if (value < 0 || value > field->max)
        return vs_fail(
            err, "%" G_GINT64_FORMAT " is not from 0 to %" G_GINT64_FORMAT,
            value, field->max);
    *(gint64 *) slot = value;
    return true;
}

/* Checked only: there is one version, so nobody needs it afterwards. */
bool
field_version(const Field *field, const json_t *json, void *slot, GError **err)
{
    (void) field;
    (void) slot;
    if (!json_is_integer(json))
        return bad_type("a whole number", err);
    if (json_integer_value(json) != WIRE_VERSION)
        return vs_fail(err,
                       "the payload speaks version %" JSON_INTEGER_FORMAT
                       ", vsweep version %d; rebuild the payload",
                       json_integer_value(json), WIRE_VERSION);
    return true;
}

bool
field_real(const Field *field, const json_t *json, void *slot, GError **err)
{
    (void) field;
    if (!json_is_number(json))
        return bad_type("a number", err);
    const double value = json_number_value(json);
    if (!isfinite(value))
        return bad_type("finite", err);
    *(double *) slot = value;
    return true;
}

bool
field_bool(const Field *field, const json_t *json, void *slot, GError **err)
{
    (void) field;
    if (!json_is_boolean(json))
        return bad_type("true or false", err);
    *(bool *) slot = json_is_true(json);
    return true;
}

static bool
add_fact(GHashTable *facts, const char *name, const json_t *value, GError **err)
{
    g_autofree char *shown = field_clean(name, FIELD_NAME_MAX);

    if (!is_name(name))
        return vs_fail(err, "'%s' is not the name of a fact", shown);
    if (!json_is_string(value))
        return vs_fail(err, "%s is not a string", shown);
    if (json_string_length(value) > FACT_MAX_BYTES)
        return vs_fail(err, "%s is longer than %d bytes", shown,
                       FACT_MAX_BYTES);
    g_hash_table_insert(facts, g_strdup(name),
                        field_clean(json_string_value(value), FACT_MAX_BYTES));
    return true;
}

bool
field_facts(const Field *field, const json_t *json, void *slot, GError **err)
{
    g_autoptr(GHashTable) facts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    json_t *object = (json_t *) json; /* jansson's iteration wants it so */
    const char *name;
    json_t *value;

    (void) field;
    if (!json_is_object(json))
        return bad_type("an object", err);
    if (json_object_size(json) > FACTS_MAX)
        return vs_fail(err, "more than %d entries", FACTS_MAX);
    json_object_foreach(object, name, value)
    {
        if (!add_fact(facts, name, value, err))
            return false;
    }
    *(GHashTable **) slot = g_steal_pointer(&facts);
    return true;
}

/* One [index, count]; indices must rise, so that no bin comes twice. */
static bool
read_bin(const json_t *json, gint64 above, HistBin *ret_bin, GError **err)
{
    const json_t *index = json_array_get(json, 0);
    const json_t *count = json_array_get(json, 1);

    if (json_array_size(json) != 2 || !json_is_integer(index) ||
        !json_is_integer(count))
        return vs_fail(err, "a bin is not [index, count]");
    const gint64 i = json_integer_value(index);
    const gint64 n = json_integer_value(count);
    if (i < 0 || i >= BINS_MAX)
        return vs_fail(err, "no bin has index %" G_GINT64_FORMAT, i);
    if (i <= above)
        return vs_fail(
            err, "bin %" G_GINT64_FORMAT " comes after bin %" G_GINT64_FORMAT,
            i, above);
    if (n <= 0)
        return vs_fail(err, "bin %" G_GINT64_FORMAT " counts %" G_GINT64_FORMAT,
                       i, n);
    ret_bin->index = (guint32) i;
    ret_bin->count = n;
    return true;
}

bool
field_bins(const Field *field, const json_t *json, void *slot, GError **err)
{
    g_autoptr(GArray) bins = g_array_new(FALSE, TRUE, sizeof(HistBin));
    gint64 above = -1;

    (void) field;
    if (!json_is_array(json))
        return bad_type("an array", err);
    for (gsize i = 0; i < json_array_size(json); i++) {
        HistBin bin = {0};
        if (!read_bin(json_array_get(json, i), above, &bin, err))
            return false;
        g_array_append_val(bins, bin);
        above = bin.index;
    }
    *(GArray **) slot = g_steal_pointer(&bins);
    return true;
}
