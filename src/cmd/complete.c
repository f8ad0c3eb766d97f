/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vsweep complete: what the shell may offer, so that completion cannot drift
 * from the program.  Without arguments the commands; with one its options.
 */
#include <stdio.h>
#include "cmd/commands.h"

static void
print_options(const Command *command)
{
    for (const GOptionEntry *o = command->options; o && o->long_name; o++)
        printf("--%s\n", o->long_name);
    puts("--help");
}

static int
run(int argc, char **argv, GError **err)
{
    const Command *command = argc > 1 ? command_find(argv[1]) : NULL;

    if (!command_arguments(&command_complete, argc, 0, 1, err))
        return VS_ERROR_USAGE;
    if (command)
        print_options(command);
    for (gsize i = 0; argc == 1 && command_table[i]; i++)
        printf("%s\n", command_table[i]->name);
    return 0;
}

const Command command_complete = {
    .name = "complete",
    .arguments = "[COMMAND]",
    .summary = "List commands or a command's options, for shell completion",
    .run = run,
};
