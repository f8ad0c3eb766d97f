/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep analyze: the same report from anyone's CSV file. */
#include <stdio.h>
#include <string.h>
#include "base/units.h"
#include "cmd/commands.h"
#include "report/from-csv.h"
#include "report/write.h"

static char *arg_file, *arg_delta, *arg_delimiter, *arg_costs;
static CsvOptions arg;
static gboolean arg_unblocked, arg_all, arg_json, arg_markdown;

static const GOptionEntry options[] = {
    {"from-csv", 0, 0, G_OPTION_ARG_FILENAME, &arg_file,
     "one line per run; - is standard input", "FILE"},
    {"metric", 0, 0, G_OPTION_ARG_STRING, &arg.metrics,
     "the metrics (default: columns of numbers)", "NAMES"},
    {"setting", 0, 0, G_OPTION_ARG_STRING, &arg.settings,
     "the settings (default: columns of texts)", "NAMES"},
    {"baseline", 0, 0, G_OPTION_ARG_STRING, &arg.baseline,
     "or SETTING=LEVEL,... (default: first cell)", "CELL"},
    {"best", 0, 0, G_OPTION_ARG_STRING, &arg.best,
     "the tuned one (default: best of other blocks)", "CELL"},
    {"lower-is-better", 0, 0, G_OPTION_ARG_STRING, &arg.lower,
     "metrics, or all; with commas between", "NAMES"},
    {"higher-is-better", 0, 0, G_OPTION_ARG_STRING, &arg.higher,
     "the same (default, and said in the head)", "NAMES"},
    {"primary", 0, 0, G_OPTION_ARG_STRING, &arg.primary,
     "metrics with verdicts (default: all)", "NAMES"},
    {"delta", 0, 0, G_OPTION_ARG_STRING, &arg_delta,
     "smaller differences do not matter (2%)", "RATIO"},
    {"costs", 0, 0, G_OPTION_ARG_STRING, &arg_costs,
     "of a run and of an iteration in it", "TIME,TIME"},
    {"unblocked", 0, 0, G_OPTION_ARG_NONE, &arg_unblocked,
     "lines of one block were not run together", NULL},
    {"delimiter", 0, 0, G_OPTION_ARG_STRING, &arg_delimiter,
     "between fields (default: found out)", "CHAR"},
    {"all", 'a', 0, G_OPTION_ARG_NONE, &arg_all,
     "the deltas of exploratory metrics too", NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &arg_json, "print JSON", NULL},
    {"markdown", 0, 0, G_OPTION_ARG_NONE, &arg_markdown, "print Markdown",
     NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

static bool
parse_delta(GError **err)
{
    if (!arg_delta)
        return true;
    if (!units_parse_ratio(arg_delta, &arg.delta, NULL) || arg.delta <= 0 ||
        arg.delta >= 1)
        return vs_usage(err,
                        "--delta: '%s' is no ratio above 0 and below 1, such "
                        "as 2%% or 0.02",
                        arg_delta);
    return true;
}

/* "90s,20s": what a run costs, and what an iteration adds. */
static bool
parse_costs(GError **err)
{
    g_auto(GStrv) words = g_strsplit(arg_costs ? arg_costs : "", ",", -1);
    gint64 run = 0, iteration = 0;

    if (!arg_costs)
        return true;
    if (g_strv_length(words) != 2 ||
        !units_parse_duration(words[0], &run, NULL) ||
        !units_parse_duration(words[1], &iteration, NULL) || run <= 0 ||
        iteration <= 0)
        return vs_usage(err, "--costs: '%s' is not two times such as 90s,20s",
                        arg_costs);
    arg.run_cost = (double) run;
    arg.iteration_cost = (double) iteration;
    return true;
}

static bool
parse_delimiter(GError **err)
{
    if (!arg_delimiter)
        return true;
    arg.delimiter =
        strcmp(arg_delimiter, "\\t") == 0 || strcmp(arg_delimiter, "tab") == 0
            ? '\t'
            : arg_delimiter[0];
    if (arg.delimiter == '"' || (guchar) arg.delimiter < '\t' ||
        (arg.delimiter != '\t' && arg_delimiter[1]))
        return vs_usage(err,
                        "--delimiter: '%s' is no single character; `tab` is "
                        "one",
                        arg_delimiter);
    return true;
}

static int
run(int argc, char **argv, GError **err)
{
    g_autoptr(Report) report = NULL;
    g_autoptr(GString) text = g_string_new(NULL);

    (void) argv;
    if (!command_arguments(&command_analyze, argc, 0, 0, err))
        return VS_ERROR_USAGE;
    if (!arg_file) {
        vs_usage(err, "analyze needs a file, as in `vsweep analyze --from-csv "
                      "runs.csv --lower-is-better seconds`");
        return VS_ERROR_USAGE;
    }
    if (!parse_delta(err) || !parse_costs(err) || !parse_delimiter(err))
        return VS_ERROR_USAGE;
    arg.unblocked = arg_unblocked;
    report = report_from_csv(arg_file, &arg, err);
    if (!report)
        return VS_ERROR_FAILED;
    (arg_json       ? report_json
     : arg_markdown ? report_markdown
     : arg_all      ? report_text_all
                    : report_text)(report, text);
    fputs(text->str, stdout);
    return 0;
}

const Command command_analyze = {
    .name = "analyze",
    .summary = "Analyse a CSV file of benchmark results",
    .help = "The file has a column `block`, a column `cell` or one for each "
            "setting, and a\ncolumn for each metric. vsweep(1) describes it. "
            "No hypervisor, no root needed.",
    .common = true,
    .options = options,
    .run = run,
};
