/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep settings: the table of settings. */
#include <stdio.h>
#include "base/suggest.h"
#include "base/table.h"
#include "cmd/commands.h"
#include "setting/setting.h"

static char *
levels_text(const Setting *setting)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (gsize i = 0; setting->levels && setting->levels[i]; i++)
        g_string_append_printf(text, "%s%s", i ? " " : "",
                               *setting->levels[i] ? setting->levels[i]
                                                   : "\"\"");
    if (setting->check)
        g_string_append(text, " ...");
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void
print_all(void)
{
    static const char *const headings[] = {"setting", "levels (first: default)",
                                           "what it is"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_LEFT, TABLE_LEFT};
    g_autoptr(Table) table = table_new(3, headings, align);
    g_autoptr(GString) text = g_string_new(NULL);

    for (const Setting *s = setting_table; s->name; s++) {
        g_autofree char *levels = levels_text(s);

        table_add(table, (const char *const[]){s->name, levels, s->summary});
    }
    table_format(table, 0, text);
    fputs(text->str, stdout);
}

static int
print_one(const char *name, GError **err)
{
    const Setting *setting = setting_find(name);
    const char *near = suggest_name(name, setting_names());
    g_autofree char *levels = NULL;

    if (!setting) {
        vs_usage(err, "no setting '%s'%s%s%s", name,
                 near ? "; did you mean '" : "; `vsweep settings` lists them",
                 near ? near : "", near ? "'?" : "");
        return VS_ERROR_USAGE;
    }
    levels = levels_text(setting);
    printf("%s: %s\nlevels: %s\n", setting->name, setting->summary, levels);
    if (setting->needs)
        printf("needs: %s\n", setting->needs);
    return 0;
}

static int
run(int argc, char **argv, GError **err)
{
    if (!command_arguments(&command_settings, argc, 0, 1, err))
        return VS_ERROR_USAGE;
    if (argc > 1)
        return print_one(argv[1], err);
    print_all();
    return 0;
}

const Command command_settings = {
    .name = "settings",
    .arguments = "[SETTING]",
    .summary = "List the settings that can be swept, or explain one",
    .common = true,
    .run = run,
};
