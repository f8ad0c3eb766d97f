/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep clean: what a killed run has left. */
#include <stdio.h>
#include "base/file.h"
#include "base/paths.h"
#include "cmd/commands.h"
#include "run/leavings.h"
#include "vm/leftovers.h"

static gboolean arg_all;
static char **arg_storage;
static char *arg_connect;

static const GOptionEntry options[] = {
    {"all", 'a', 0, G_OPTION_ARG_NONE, &arg_all, "golden images and caches too",
     NULL},
    {"storage", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arg_storage,
     "also clean this image directory", "DIR"},
    {"connect", 'c', 0, G_OPTION_ARG_STRING, &arg_connect,
     "also clean our domains there", "URI"},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

static bool
clean(GPtrArray *report, GError **err)
{
    g_autofree char *root = paths_runtime(err);

    if (!root || !leftovers_clean_root(root, report, err))
        return false;
    if (arg_connect && !leftovers_clean_uri(arg_connect, report, err))
        return false;
    for (gsize i = 0; arg_storage && arg_storage[i]; i++)
        if (!leavings_clean_storage(arg_storage[i], arg_all, report, err))
            return false;
    return leavings_clean(arg_all, report, err);
}

static int
run(int argc, char **argv G_GNUC_UNUSED, GError **err)
{
    g_autoptr(GPtrArray) report = g_ptr_array_new_with_free_func(g_free);

    if (!command_arguments(&command_clean, argc, 0, 0, err))
        return VS_ERROR_USAGE;
    if (!clean(report, err))
        return VS_ERROR_FAILED;
    for (guint i = 0; i < report->len; i++)
        printf("%s\n", (const char *) report->pdata[i]);
    if (!report->len)
        puts("nothing to clean");
    return 0;
}

const Command command_clean = {
    .name = "clean",
    .arguments = NULL,
    .summary = "Remove what a killed run has left",
    .help = "Kills guests whose vsweep is gone and removes their sockets, "
            "images and\ntemporary files.  Golden images and caches stay "
            "unless --all is given; results\nare never touched.",
    .boots = true,
    .options = options,
    .run = run,
};
