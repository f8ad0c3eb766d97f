/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A subcommand is one file that exports one const Command; commands.c lists
 * them.  Help, completion and the check of manual and README against the
 * program iterate over that list.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

typedef struct Command {
    const char *name;
    const char *arguments;       /* "MATRIX CELL", for the usage line */
    const char *summary;         /* one line, no full stop */
    const char *help;            /* further paragraphs of --help, or NULL */
    bool common;                 /* shown by `vsweep --help` */
    bool boots;                  /* talks to libvirt */
    const GOptionEntry *options; /* static; NULL: none */
    /* Runs with what is left after the options (argv[0] is the command's
     * name).  Returns the exit status; on an error sets *err, whose code is
     * the exit status then. */
    int (*run)(int argc, char **argv, GError **err);
} Command;

/* All commands in display order, NULL-terminated. */
extern const Command *const command_table[];

const Command *command_find(const char *name);
/* Parses options and runs. */
int command_main(const Command *command, int argc, char **argv, GError **err);
/* The text of --help.  Caller frees. */
char *command_help(const Command *command);
/* Checks the number of arguments after the options. */
bool command_arguments(const Command *command, int argc, int min, int max,
                       GError **err);
