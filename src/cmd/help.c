/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep help: the commands, or one of them. */
#include <stdio.h>
#include <string.h>
#include "base/suggest.h"
#include "cmd/commands.h"
#include "cmd/help.h"

static gboolean arg_all;

static const GOptionEntry options[] = {
    {"all", 'a', 0, G_OPTION_ARG_NONE, &arg_all, "all commands", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

void
help_print(bool all)
{
    puts("Usage:\n  vsweep COMMAND [OPTION...] [ARGUMENT...]\n\n"
         "Which virtual machine setting costs what: boots a matrix of "
         "settings, measures,\nand prints the difference each one makes.\n\n"
         "Commands:");
    for (gsize i = 0; command_table[i]; i++)
        if (all || command_table[i]->common)
            printf("  %-11s %s\n", command_table[i]->name,
                   command_table[i]->summary);
    puts(all ? "\n`vsweep COMMAND --help` explains a command; vsweep(1) and "
               "vsweep-matrix(5) are\nthe manuals."
             : "\n`vsweep help --all` lists all commands, `vsweep COMMAND "
               "--help` explains one.\n\nStart with:\n  vsweep doctor\n  "
               "vsweep run matrices/cache-modes.yaml --quick");
}

void
help_unknown(const char *name, GError **err)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const char *near = NULL;

    for (gsize i = 0; command_table[i]; i++)
        g_ptr_array_add(names, (gpointer) command_table[i]->name);
    g_ptr_array_add(names, NULL);
    near = suggest_name(name, (const char *const *) names->pdata);
    if (near)
        vs_usage(err, "no command '%s'; did you mean '%s'?", name, near);
    else
        vs_usage(err, "no command '%s'; `vsweep help --all` lists them", name);
}

static int
run(int argc, char **argv, GError **err)
{
    const Command *command = argc > 1 ? command_find(argv[1]) : NULL;

    if (!command_arguments(&command_help_command, argc, 0, 1, err))
        return VS_ERROR_USAGE;
    if (command) {
        g_autofree char *text = command_help(command);

        fputs(text, stdout);
    } else if (argc > 1) {
        help_unknown(argv[1], err);
        return VS_ERROR_USAGE;
    } else {
        help_print(arg_all);
    }
    return 0;
}

const Command command_help_command = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "Explain vsweep or one of its commands",
    .options = options,
    .run = run,
};
