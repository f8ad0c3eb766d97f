/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep run: the main job. */
#include <stdio.h>
#include "base/log.h"
#include "base/units.h"
#include "cmd/bench.h"
#include "cmd/commands.h"
#include "report/format.h"
#include "report/precision.h"
#include "report/write.h"
#include "run/rig-executor.h"
#include "run/simulate.h"
#include "run/sweep.h"

/* A failed attempt is repeated this often within its block (METHOD 5.5). */
#define DEFAULT_RETRIES 2
#define RETRIES_MAX 10

/* More at once is a slip of the finger. */
#define ADD_BLOCKS_MAX 1000

static char *arg_seed, *arg_budget, *arg_out, *arg_retries, *arg_simulate;
static char *arg_add;
static gboolean arg_new;

static const GOptionEntry options[] = {
    BENCH_ENTRIES,
    {"seed", 0, 0, G_OPTION_ARG_STRING, &arg_seed,
     "seed of the random order (default: random)", "N"},
    {"budget", 0, 0, G_OPTION_ARG_STRING, &arg_budget,
     "start no block after this time", "TIME"},
    {"add-blocks", 0, 0, G_OPTION_ARG_STRING, &arg_add,
     "give a finished sweep more blocks", "N"},
    {"out", 'o', 0, G_OPTION_ARG_FILENAME, &arg_out, "directory of the sweep",
     "DIR"},
    {"retries", 0, 0, G_OPTION_ARG_STRING, &arg_retries,
     "repeats of a failed attempt in its block (2)", "N"},
    {"new", 0, 0, G_OPTION_ARG_NONE, &arg_new,
     "start anew even if an unfinished sweep is there", NULL},
    {"simulate", 0, 0, G_OPTION_ARG_FILENAME, &arg_simulate,
     "boot nothing: draw every result from a model", "MODEL"},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

/* Asks the report how precise the sweep is by now. */
static bool
look(const char *db, SweepLook *ret_look, GError **err)
{
    g_autoptr(Report) report = report_load(db, err);
    ReportPrecision precision = {0};

    if (!report)
        return false;
    precision = report_precision(report);
    ret_look->waited = precision.waited;
    ret_look->resolved = precision.resolved;
    if (precision.farthest) {
        g_autofree char *label =
            report_contrast_label(report, precision.farthest);

        ret_look->needed = precision.farthest->blocks_needed;
        ret_look->farthest = format_safe(label);
    }
    return true;
}

static bool
parse(const Matrix *matrix, SweepOptions *o, GError **err)
{
    guint64 retries = DEFAULT_RETRIES, add = 0;

    o->out = arg_out;
    o->only = bench_options.only;
    o->fresh = arg_new;
    o->seed_given = arg_seed != NULL;
    o->budget_ns = matrix->budget_ns;
    if (arg_seed && !units_parse_count(arg_seed, 0, G_MAXUINT64, &o->seed, err))
        return g_prefix_error(err, "--seed: "), false;
    if (arg_budget && !units_parse_duration(arg_budget, &o->budget_ns, err))
        return g_prefix_error(err, "--budget: "), false;
    if (arg_retries &&
        !units_parse_count(arg_retries, 0, RETRIES_MAX, &retries, err))
        return g_prefix_error(err, "--retries: "), false;
    if (arg_add && !units_parse_count(arg_add, 1, ADD_BLOCKS_MAX, &add, err))
        return g_prefix_error(err, "--add-blocks: "), false;
    if (arg_add && arg_new)
        return vs_usage(err, "--add-blocks goes on with a sweep, --new starts "
                             "one: choose one of them");
    o->retries = (guint) retries;
    o->add_blocks = (guint) add;
    o->look = look;
    return true;
}

/* What says how to boot, beside what says that nothing is booted. */
static bool
check_simulate(GError **err)
{
    const struct {
        const char *given, *name;
    } others[] = {{bench_options.connect, "--connect"},
                  {bench_options.accel, "--accel"},
                  {bench_options.kernel, "--kernel"},
                  {bench_options.storage, "--storage"},
                  {bench_options.timeout, "--timeout"}};

    for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
        if (others[i].given)
            return vs_usage(err, "--simulate boots nothing: leave out %s",
                            others[i].name);
    return true;
}

/* With --simulate, *ret_model is what the executor draws from. */
static Executor *
make_executor(const Matrix *matrix, Design *design, Model **ret_model,
              GError **err)
{
    RigOptions rig = {0};

    if (arg_simulate) {
        *ret_model = check_simulate(err) ? model_load(arg_simulate, err) : NULL;
        return *ret_model ? simulate_new(matrix, design, *ret_model, err)
                          : NULL;
    }
    if (!bench_rig_options(&rig, err))
        return NULL;
    return rig_executor_new(matrix, design, &rig, err);
}

/* The end of a run, also of an interrupted one: what there is to see. */
static bool
report(const char *db, GError **err)
{
    g_autoptr(Report) report = report_load(db, err);
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) text = g_string_new(NULL);

    if (!report || !report_write_files(report, paths, err))
        return false;
    report_text(report, text);
    fputs(text->str, stdout);
    printf("\nreports:\n  %s\n", db);
    for (guint i = 0; i < paths->len; i++)
        printf("  %s\n", (const char *) paths->pdata[i]);
    return true;
}

static int
run(int argc, char **argv, GError **err)
{
    g_autoptr(Matrix) matrix = NULL;
    g_autoptr(Design) design = NULL;
    g_autoptr(Model) model = NULL;
    g_autoptr(Executor) executor = NULL;
    g_auto(SweepResult) result = {0};
    g_autoptr(GError) why = NULL;
    SweepOptions sweep = {0};
    bool ok = false;

    if (!command_arguments(&command_run, argc, 0, 1, err) ||
        !bench_plan(argc > 1 ? argv[1] : NULL, &matrix, &design, err) ||
        !parse(matrix, &sweep, err))
        return VS_ERROR_USAGE;
    executor = make_executor(matrix, design, &model, &why);
    ok = executor && sweep_run(matrix, design, executor, &sweep, &result, &why);
    /* The machine is free again before the report is made. */
    g_clear_pointer(&executor, executor_free);
    if (result.db && (ok || vs_error_status(why) == VS_ERROR_INTERRUPTED) &&
        !report(result.db, why ? NULL : err))
        return VS_ERROR_FAILED;
    if (!ok) {
        g_propagate_error(err, g_steal_pointer(&why));
        return VS_ERROR_FAILED;
    }
    return result.failed_cells ? VS_ERROR_PARTIAL : 0;
}

const Command command_run = {
    .name = "run",
    .arguments = "[MATRIX]",
    .summary = "Run or resume a sweep and print the deltas",
    .help = "MATRIX is a file or the name of a ready matrix.  Running the "
            "same command\nagain resumes the sweep when it is unfinished, "
            "and starts a new one when it is\nfinished.  Exit status: 0 "
            "done, 1 failed, 2 usage or matrix error, 3 done but\nsome cells "
            "failed, 4 host unfit, 130 interrupted.",
    .common = true,
    .boots = true,
    .options = options,
    .run = run,
};
