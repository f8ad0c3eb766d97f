/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two sweeps do not have in common: see sweeps.h. */
#include "report/sweeps.h"

#include <string.h>
#include "report/format.h"
#include "report/parts.h"

/* Facts that make a result.  host.boot_id is none: a host stays the same when
 * it boots again. */
static bool
matters(const char *key)
{
    static const char *const keys[] = {"kernel",  "payload.sha256", "storage",
                                       "hygiene", "quick",          NULL};

    return g_strv_contains(keys, key) ||
           (g_str_has_prefix(key, "host.") &&
            strcmp(key, "host.boot_id") != 0) ||
           (g_str_has_prefix(key, "version.") &&
            strcmp(key, "version.guestfs") != 0);
}

static void
add_keys(const Report *report, GHashTable *keys)
{
    GHashTableIter iter;
    gpointer key = NULL;

    g_hash_table_iter_init(&iter, report->facts);
    while (g_hash_table_iter_next(&iter, &key, NULL))
        if (matters(key))
            g_hash_table_add(keys, key);
}

static const char *
fact_or_none(const Report *report, const char *key)
{
    const char *fact = report_fact(report, key);

    return fact && *fact ? fact : "not known";
}

GPtrArray *
sweeps_differences(const Report *old, const Report *new)
{
    GPtrArray *differences = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GList) sorted = NULL;

    add_keys(old, keys);
    add_keys(new, keys);
    sorted = g_list_sort(g_hash_table_get_keys(keys), (GCompareFunc) strcmp);
    for (GList *k = sorted; k; k = k->next) {
        g_autofree char *key = format_safe(k->data);
        g_autofree char *a = format_safe(fact_or_none(old, k->data));
        g_autofree char *b = format_safe(fact_or_none(new, k->data));

        if (strcmp(a, b) != 0)
            g_ptr_array_add(differences,
                            g_strdup_printf("%s: %s against %s", key, a, b));
    }
    return differences;
}

/* Whether `b` has every setting of `a` at the same level. */
static bool
levels_in(const StoreCell *a, const StoreCell *b)
{
    for (guint i = 0; i < a->settings->len; i++)
        if (g_strcmp0(a->levels->pdata[i],
                      report_cell_level(b, a->settings->pdata[i])) != 0)
            return false;
    return true;
}

bool
sweeps_same_cell(const StoreCell *a, const StoreCell *b)
{
    return levels_in(a, b) && levels_in(b, a);
}
