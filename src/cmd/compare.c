/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep compare: one setting, one metric, one answer. */
#include <stdio.h>
#include <string.h>
#include "cmd/commands.h"
#include "report/write.h"
#include "run/sweepdir.h"

static char *arg_setting, *arg_metric;
static gboolean arg_json;

static const GOptionEntry options[] = {
    {"setting", 0, 0, G_OPTION_ARG_STRING, &arg_setting,
     "the setting, and which of its levels", "SETTING[=LEVEL,LEVEL]"},
    {"metric", 0, 0, G_OPTION_ARG_STRING, &arg_metric,
     "the metric, as fs.fsync.p50", "METRIC"},
    {"json", 0, 0, G_OPTION_ARG_NONE, &arg_json, "print JSON", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

static bool
compare(const char *db, GString *out, GError **err)
{
    g_autoptr(Report) report = report_load(db, err);
    g_auto(GStrv) parts = g_strsplit(arg_setting, "=", 2);
    g_auto(GStrv) levels = parts[1] ? g_strsplit(parts[1], ",", -1) : NULL;
    bool (*answer)(const Report *, const char *, const char *const *,
                   const char *, GString *, GError **) =
        arg_json ? report_compare_json : report_compare;

    return report && answer(report, parts[0], (const char *const *) levels,
                            arg_metric, out, err);
}

static int
run(int argc, char **argv, GError **err)
{
    g_autofree char *db = NULL;
    g_autoptr(GString) text = g_string_new(NULL);

    if (!command_arguments(&command_compare, argc, 0, 1, err))
        return VS_ERROR_USAGE;
    if (!arg_setting || !arg_metric) {
        vs_usage(err, "compare needs --setting and --metric, as in `vsweep "
                      "compare --setting disk.format=raw,qcow2 --metric "
                      "fs.fsync.p50`");
        return VS_ERROR_USAGE;
    }
    db = sweepdir_resolve(argc > 1 ? argv[1] : NULL, err);
    if (!db || !compare(db, text, err))
        return VS_ERROR_FAILED;
    fputs(text->str, stdout);
    return 0;
}

const Command command_compare = {
    .name = "compare",
    .arguments = "[SWEEP]",
    .summary = "Compare levels of one setting on one metric",
    .common = true,
    .options = options,
    .run = run,
};
