/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vsweep: boots a matrix of virtual machine settings and says which setting
 * costs what.  The only place that prints errors and ends the program.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/progress.h"
#include "base/signals.h"
#include "cmd/command.h"
#include "cmd/help.h"
#include "vm/quiet.h"

static int
dispatch(int argc, char **argv, GError **err)
{
    const Command *command = NULL;

    if (argc < 2) {
        help_print(false);
        return VS_ERROR_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("vsweep " VS_VERSION);
        return 0;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_print(false);
        return 0;
    }
    command = command_find(argv[1]);
    if (!command) {
        help_unknown(argv[1], err);
        return VS_ERROR_USAGE;
    }
    if (command->boots)
        quiet_restart(argv);
    return command_main(command, argc - 1, argv + 1, err);
}

/* mke2fs is in /usr/sbin, which is not in the PATH of a plain Debian user. */
static void
find_system_programs(void)
{
    const char *given = g_getenv("PATH");
    g_auto(GStrv) dirs = g_strsplit(given ? given : "/usr/bin:/bin", ":", -1);
    g_autofree char *joined = g_strjoinv(":", dirs);
    g_autofree char *more = g_strconcat(joined, ":/usr/sbin:/sbin", NULL);

    if (!g_strv_contains((const char *const *) dirs, "/usr/sbin"))
        g_setenv("PATH", more, TRUE);
}

/* Output that did not get out (a full disk, say) is a failure. */
static int
flush(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fputs("vsweep: cannot write to standard output\n", stderr);
    return status ? status : VS_ERROR_FAILED;
}

int
main(int argc, char **argv)
{
    g_autoptr(GError) err = NULL;
    int status = 0;

    setlocale(LC_CTYPE, "");
    find_system_programs();
    signals_install();
    progress_init(false);
    status = dispatch(argc, argv, &err);
    progress_clear();
    if (err) {
        fflush(stdout);
        fprintf(stderr, "vsweep: %s\n", err->message);
        status = vs_error_status(err);
    }
    return flush(status);
}
