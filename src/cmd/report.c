/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep report: the deltas of a sweep that was run. */
#include <stdio.h>
#include "cmd/commands.h"
#include "report/write.h"
#include "run/sweepdir.h"

static gboolean arg_all, arg_json, arg_files;

static const GOptionEntry options[] = {
    {"all", 'a', 0, G_OPTION_ARG_NONE, &arg_all,
     "the deltas of exploratory metrics too", NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &arg_json, "print JSON", NULL},
    {"write", 0, 0, G_OPTION_ARG_NONE, &arg_files,
     "write summary.md and the tables again", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

static bool
write_files(const Report *report, GError **err)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

    if (!report_write_files(report, paths, err))
        return false;
    for (guint i = 0; i < paths->len; i++)
        printf("%s\n", (const char *) paths->pdata[i]);
    return true;
}

static int
run(int argc, char **argv, GError **err)
{
    g_autofree char *db = NULL;
    g_autoptr(Report) report = NULL;
    g_autoptr(GString) text = g_string_new(NULL);

    if (!command_arguments(&command_report, argc, 0, 1, err))
        return VS_ERROR_USAGE;
    db = sweepdir_resolve(argc > 1 ? argv[1] : NULL, err);
    report = db ? report_load(db, err) : NULL;
    if (!report)
        return VS_ERROR_FAILED;
    if (arg_files)
        return write_files(report, err) ? 0 : VS_ERROR_FAILED;
    if (arg_json)
        report_json(report, text);
    else if (arg_all)
        report_text_all(report, text);
    else
        report_text(report, text);
    fputs(text->str, stdout);
    return 0;
}

const Command command_report = {
    .name = "report",
    .arguments = "[SWEEP]",
    .summary = "Print the report of a sweep (default: the newest)",
    .help = "SWEEP is a directory, a results.db or the name of a matrix that "
            "was run here.",
    .common = true,
    .options = options,
    .run = run,
};
