/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of subcommands and what they have in common: see command.h. */
#include <stdio.h>
#include <string.h>
#include "base/suggest.h"
#include "cmd/command.h"
#include "cmd/commands.h"

const Command *const command_table[] = {
    &command_run,      &command_plan,         &command_report,
    &command_compare,  &command_analyze,      &command_doctor,
    &command_settings, &command_workloads,    &command_show,
    &command_ls,       &command_shell,        &command_clean,
    &command_complete, &command_help_command, NULL,
};

const Command *
command_find(const char *name)
{
    for (gsize i = 0; command_table[i]; i++)
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    return NULL;
}

static GOptionContext *
context_new(const Command *command)
{
    GOptionContext *context = g_option_context_new(command->arguments);

    if (command->options)
        g_option_context_add_main_entries(context, command->options, NULL);
    g_option_context_set_summary(context, command->summary);
    if (command->help)
        g_option_context_set_description(context, command->help);
    g_option_context_set_help_enabled(context, FALSE);
    return context;
}

char *
command_help(const Command *command)
{
    g_autoptr(GOptionContext) context = context_new(command);
    g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
    g_autofree char *usage =
        g_strdup_printf("Usage:\n  vsweep %s %s\n", command->name,
                        command->options ? "[OPTION...]" : "");
    g_autofree char *line = g_strchomp(g_strdup(usage));
    const char *rest = strchr(text, '\n');

    /* GLib takes the program's name for the command's. */
    rest = rest ? strchr(rest + 1, '\n') : NULL;
    return g_strdup_printf("%s%s%s%s", line, command->arguments ? " " : "",
                           command->arguments ? command->arguments : "",
                           rest ? rest : "\n");
}

static bool
wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int
command_main(const Command *command, int argc, char **argv, GError **err)
{
    g_autoptr(GOptionContext) context = context_new(command);
    g_autoptr(GError) why = NULL;

    if (wants_help(argc, argv)) {
        g_autofree char *help = command_help(command);

        fputs(help, stdout);
        return 0;
    }
    if (!g_option_context_parse(context, &argc, &argv, &why)) {
        vs_usage(err, "%s: %s; see `vsweep %s --help`", command->name,
                 why->message, command->name);
        return VS_ERROR_USAGE;
    }
    if (argc > 1 && strcmp(argv[1], "--") == 0) {
        argv[1] = argv[0];
        argv++;
        argc--;
    }
    return command->run(argc, argv, err);
}

bool
command_arguments(const Command *command, int argc, int min, int max,
                  GError **err)
{
    if (argc - 1 < min)
        return vs_usage(err, "%s needs %s; see `vsweep %s --help`",
                        command->name, command->arguments, command->name);
    if (argc - 1 > max)
        return vs_usage(err,
                        "%s takes %s%s and no more; see `vsweep %s "
                        "--help`",
                        command->name, max ? "" : "no arguments",
                        max ? command->arguments : "", command->name);
    return true;
}
