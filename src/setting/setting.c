/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking things up in the table of settings: rows, levels, modules.
 */
#include "setting/setting.h"

#include <string.h>
#include "base/suggest.h"

const Setting *
setting_find(const char *name)
{
    for (const Setting *row = setting_table; row->name; row++) {
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

const char *const *
setting_names(void)
{
    static const char **names;

    if (!names) {
        GPtrArray *list = g_ptr_array_new();

        for (const Setting *row = setting_table; row->name; row++)
            g_ptr_array_add(list, (gpointer) row->name);
        g_ptr_array_add(list, NULL);
        names = (const char **) g_ptr_array_free(list, FALSE);
    }
    return names;
}

static bool
level_is_known(const Setting *setting, const char *level)
{
    return g_strv_contains(setting->levels, level);
}

bool
setting_level_is(const Setting *setting, const char *level,
                 const char *selector)
{
    if (!selector)
        return true;
    if (strcmp(selector, SETTING_OTHER) == 0)
        return !level_is_known(setting, level);
    return strcmp(selector, level) == 0;
}

bool
setting_check_level(const Setting *setting, const char *level, GError **err)
{
    const char *near;
    g_autofree char *all = NULL;

    if (level_is_known(setting, level))
        return true;
    if (setting->check) {
        if (setting->check(level, err))
            return true;
        g_prefix_error(err, "%s: ", setting->name);
        return false;
    }
    near = suggest_name(level, setting->levels);
    if (near)
        return vs_usage(err, "%s: no level '%s'; did you mean '%s'?",
                        setting->name, level, near);
    all = g_strjoinv(", ", (char **) setting->levels);
    return vs_usage(err, "%s: no level '%s'; it has %s", setting->name, level,
                    all);
}

char *
setting_value(const Setting *setting, const char *level)
{
    return setting->convert ? setting->convert(level) : g_strdup(level);
}

char *
setting_expand(const char *pattern, const char *value)
{
    GString *text = g_string_new(NULL);
    const char *hole;

    while ((hole = strstr(pattern, "%s"))) {
        g_string_append_len(text, pattern, hole - pattern);
        g_string_append(text, value);
        pattern = hole + strlen("%s");
    }
    g_string_append(text, pattern);
    return g_string_free(text, FALSE);
}

static void
add_modules(char **names, GPtrArray *modules)
{
    for (guint i = 0; names[i]; i++) {
        if (!g_ptr_array_find_with_equal_func(modules, names[i], g_str_equal,
                                              NULL))
            g_ptr_array_add(modules, g_strdup(names[i]));
    }
}

void
setting_modules(const Setting *setting, const char *level, GPtrArray *modules)
{
    g_autofree char *value = NULL;
    g_auto(GStrv) groups = NULL;

    if (!setting->modules)
        return;
    value = setting_value(setting, level);
    groups = g_strsplit(setting->modules, " ", -1);
    for (guint i = 0; groups[i]; i++) {
        g_auto(GStrv) pair = g_strsplit(groups[i], ":", 2);

        if (pair[0] && pair[1] && strcmp(pair[0], value) == 0) {
            g_auto(GStrv) names = g_strsplit(pair[1], ",", -1);

            add_modules(names, modules);
        }
    }
}
