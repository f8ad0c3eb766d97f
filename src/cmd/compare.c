/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vsweep compare: one setting, one metric, one answer; or two sweeps.
 */
#include <stdio.h>
#include <string.h>
#include "cmd/commands.h"
#include "report/write.h"
#include "run/sweepdir.h"

static char *arg_setting, *arg_metric;
static gboolean arg_json, arg_anyway;

static const GOptionEntry options[] = {
    {"setting", 0, 0, G_OPTION_ARG_STRING, &arg_setting,
     "the setting, and which of its levels", "SETTING[=LEVEL,LEVEL]"},
    {"metric", 0, 0, G_OPTION_ARG_STRING, &arg_metric,
     "the metric, as fs.fsync.p50", "METRIC"},
    {"anyway", 0, 0, G_OPTION_ARG_NONE, &arg_anyway,
     "two sweeps: though host or programs differ", NULL},
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

static bool
compare_sweeps(const char *old_name, const char *new_name, GString *out,
               GError **err)
{
    g_autofree char *old_db = sweepdir_resolve(old_name, err);
    g_autofree char *new_db = old_db ? sweepdir_resolve(new_name, err) : NULL;
    g_autoptr(Report) old = new_db ? report_load(old_db, err) : NULL;
    g_autoptr(Report) new = old ? report_load(new_db, err) : NULL;

    return new && (arg_json ? report_compare_sweeps_json
                            : report_compare_sweeps)(old, new, arg_metric,
                                                     arg_anyway, out, err);
}

static bool
check_usage(int argc, GError **err)
{
    if (argc > 2 && arg_setting)
        return vs_usage(err, "--setting compares levels within one sweep; two "
                             "sweeps are compared cell by cell");
    if (argc <= 2 && arg_anyway)
        return vs_usage(err, "--anyway is for the comparison of two sweeps; "
                             "name both");
    if (argc <= 2 && (!arg_setting || !arg_metric))
        return vs_usage(err,
                        "compare needs --setting and --metric, as in `vsweep "
                        "compare --setting disk.format=raw,qcow2 --metric "
                        "fs.fsync.p50`, or two sweeps");
    return true;
}

static int
run(int argc, char **argv, GError **err)
{
    g_autofree char *db = NULL;
    g_autoptr(GString) text = g_string_new(NULL);

    if (!command_arguments(&command_compare, argc, 0, 2, err) ||
        !check_usage(argc, err))
        return VS_ERROR_USAGE;
    if (argc > 2) {
        if (!compare_sweeps(argv[1], argv[2], text, err))
            return VS_ERROR_FAILED;
        fputs(text->str, stdout);
        return 0;
    }
    db = sweepdir_resolve(argc > 1 ? argv[1] : NULL, err);
    if (!db || !compare(db, text, err))
        return VS_ERROR_FAILED;
    fputs(text->str, stdout);
    return 0;
}

const Command command_compare = {
    .name = "compare",
    .arguments = "[SWEEP [NEW-SWEEP]]",
    .summary = "Compare levels of one setting on one metric, or two sweeps",
    .common = true,
    .options = options,
    .run = run,
};
