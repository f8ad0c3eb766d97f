/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a sweep, block by block: see sweep.h (METHOD 4). */
#include <string.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/signals.h"
#include "base/units.h"
#include "data/store.h"
#include "run/session.h"
#include "run/sweep.h"
#include "run/sweepdir.h"
#include "run/tally.h"

/* Keeps the order of retries apart from the order of the block itself. */
#define RETRY_STREAM G_GUINT64_CONSTANT(0x94D049BB133111EB)

typedef struct Sweep {
    const Matrix *matrix;
    Design *design;
    SweepOptions options;
    Executor *executor; /* not owned */
    Store *store;
    Tally *tally;
    guint blocks;
    guint *workloads; /* order in the current block */
    gint64 begun;     /* this invocation */
    guint run;        /* attempts of this invocation */
    gint64 run_ns;    /* their time, for the ETA */
} Sweep;

/* Block, cell and ETA for the progress line.  Caller frees. */
static char *
label(const Sweep *sweep, guint block, const Cell *cell)
{
    guint left = tally_left(sweep->tally);
    g_autofree char *eta = NULL;

    if (sweep->run)
        eta = units_format_duration(sweep->run_ns / sweep->run * left);
    return g_strdup_printf("block %u/%u  %s  %u left%s%s", block, sweep->blocks,
                           cell->name, left, eta ? ", ETA " : "",
                           eta ? eta : "");
}

static void
show(const Sweep *sweep, const Cell *cell, const Attempt *attempt)
{
    g_autofree char *span =
        units_format_duration(attempt->t_end - attempt->t_begin);

    progress_line("block %u/%u  %-24s %-11s %7s  %s", attempt->block,
                  sweep->blocks, cell->name, outcome_name(attempt->outcome),
                  span, attempt->reason ? attempt->reason : "");
}

/* A cell refused twice in the same words is not a failure but unsupported.
 * The design keeps it as planned, so that the order of this and later blocks
 * is the same when the sweep is resumed; the tally leaves it out. */
static bool
reconsider(Sweep *sweep, const Cell *cell, GError **err)
{
    const char *words = tally_unsupported(sweep->tally, cell->index);

    return !words ||
           store_set_cell_state(sweep->store, cell->index,
                                cell_state_name(CELL_UNSUPPORTED), words, err);
}

static bool
run_one(Sweep *sweep, guint block, guint pos, guint cell_index, guint try,
        GError **err)
{
    const Cell *cell = sweep->design->cells->pdata[cell_index];
    g_autofree char *text = label(sweep, block, cell);
    Slot slot = {.block = block,
                 .pos = pos,
                 .try = try,
                 .order = sweep->workloads,
                 .seed = sweep->options.seed,
                 .run = tally_tries(sweep->tally),
                 .label = text};
    g_autoptr(Attempt) attempt = NULL;
    gint64 begun = executor_now(sweep->executor);
    gint64 ended = 0, done = 0, id = 0;

    progress_set("%s", text);
    attempt = executor_attempt(sweep->executor, cell, &slot);
    ended = executor_now(sweep->executor);
    if (!store_put_attempt(sweep->store, attempt, &id, err))
        return false;
    done = executor_now(sweep->executor);
    show(sweep, cell, attempt);
    tally_add(sweep->tally, block, cell_index, attempt->outcome,
              attempt->reason);
    sweep->run++;
    sweep->run_ns += done - begun;
    if (!store_add_time(sweep->store, PART_OTHER, done - ended, err))
        return false;
    if (signals_pending()) {
        g_set_error(err, VS_ERROR, VS_ERROR_INTERRUPTED,
                    "interrupted; the same command resumes");
        return false;
    }
    return reconsider(sweep, cell, err);
}

/* Runs, in this order, the cells whose `try`th attempt is due; *ret_any: some
 * attempt was.  Later tries wait for their own pass, also when the sweep is
 * resumed in the middle of one. */
static bool
run_pass(Sweep *sweep, guint block, const guint *order, guint length, guint try,
         bool *ret_any, GError **err)
{
    bool any = false;

    for (guint pos = 0; pos < length; pos++) {
        guint due = tally_next_try(sweep->tally, block, order[pos]);

        any = any || due;
        if (due == try && !run_one(sweep, block, pos, order[pos], try, err))
            return false;
    }
    *ret_any = any;
    return true;
}

/* First the block's own order, then what must be repeated, shuffled anew. */
static bool
run_block(Sweep *sweep, guint block, GError **err)
{
    g_autofree guint *order = NULL, *again = NULL;
    guint length = 0;
    bool any = true;

    design_block_order(sweep->design, sweep->options.seed, block, &order,
                       &length);
    design_workload_order(sweep->design, sweep->options.seed, block,
                          sweep->workloads);
    again = g_new(guint, length);
    if (!run_pass(sweep, block, order, length, 1, &any, err))
        return false;
    for (guint pass = 1; any; pass++) {
        g_autofree guint *shuffle = g_new(guint, length);
        Random random = {0};

        random_init(&random, random_mix64(sweep->options.seed + block +
                                          pass * RETRY_STREAM));
        random_shuffle(&random, shuffle, length);
        for (guint i = 0; i < length; i++)
            again[i] = order[shuffle[i]];
        if (!run_pass(sweep, block, again, length, pass + 1, &any, err))
            return false;
    }
    return true;
}

static bool
out_of_budget(const Sweep *sweep)
{
    return sweep->options.budget_ns > 0 &&
           executor_now(sweep->executor) - sweep->begun >=
               sweep->options.budget_ns;
}

static bool
run_blocks(Sweep *sweep, const char **ret_reason, GError **err)
{
    *ret_reason = "max_blocks";
    for (guint block = 1; block <= sweep->blocks; block++) {
        if (out_of_budget(sweep)) {
            *ret_reason = "time_budget";
            return true;
        }
        if (!run_block(sweep, block, err))
            return false;
    }
    return true;
}

/* Opens the database of an unfinished sweep and takes up its seed. */
static bool
resume(Sweep *sweep, const char *db, GError **err)
{
    g_autofree char *seed = NULL;
    g_autoptr(GPtrArray) runs = NULL;
    bool same = true;

    sweep->store = store_open(db, true, err);
    if (!sweep->store)
        return false;
    seed = store_get(sweep->store, "seed");
    sweep->options.seed = g_ascii_strtoull(seed ? seed : "0", NULL, 10);
    if (!session_restore(sweep->store, sweep->design, err) ||
        !session_check(sweep->store, sweep->executor, &same, err))
        return false;
    runs = store_runs(sweep->store, err);
    if (!runs)
        return false;
    sweep->tally =
        tally_new(sweep->design, sweep->blocks, sweep->options.retries);
    tally_load(sweep->tally, runs);
    for (guint b = 1; !same && b <= sweep->blocks; b++) {
        if (!tally_partial(sweep->tally, b))
            continue;
        log_note("block %u belongs to another session and is measured anew", b);
        tally_discard(sweep->tally, b);
        if (!store_discard_block(sweep->store, b, err))
            return false;
    }
    return true;
}

static bool
begin(Sweep *sweep, const char *db, GError **err)
{
    sweep->store = store_create(db, err);
    if (!sweep->store)
        return false;
    if (!sweep->options.seed_given)
        sweep->options.seed = random_seed();
    sweep->tally =
        tally_new(sweep->design, sweep->blocks, sweep->options.retries);
    return session_write(sweep->store, sweep->design, sweep->executor,
                         &sweep->options, err);
}

/* The directory of this sweep, new or to be resumed. */
static bool
choose_directory(const Sweep *sweep, SweepResult *result, GError **err)
{
    const SweepOptions *options = &sweep->options;
    g_autofree char *key = session_key(sweep->matrix, sweep->executor, options);
    g_autofree char *db = NULL;

    if (options->out) {
        db = g_build_filename(options->out, SWEEPDIR_DB, NULL);
        result->directory = g_strdup(options->out);
        result->resumed = g_file_test(db, G_FILE_TEST_EXISTS);
        return result->resumed || file_mkdir(options->out, err);
    }
    if (!options->fresh)
        result->directory = sweepdir_unfinished(SWEEPDIR_ROOT, key);
    result->resumed = result->directory != NULL;
    if (!result->directory)
        result->directory =
            sweepdir_create(SWEEPDIR_ROOT, sweep->matrix->name, err);
    return result->directory != NULL;
}

/* A named directory must hold this sweep and no other. */
static bool
check_same(Sweep *sweep, const SweepResult *result, GError **err)
{
    g_autofree char *key =
        session_key(sweep->matrix, sweep->executor, &sweep->options);
    g_autoptr(Store) store = store_open(result->db, false, err);
    g_autofree char *its_key = NULL, *status = NULL;

    if (!store)
        return false;
    its_key = store_get(store, "sweep.key");
    status = store_get(store, "status");
    if (g_strcmp0(key, its_key) != 0)
        return vs_usage(err,
                        "'%s' holds another sweep (other matrix or options): "
                        "choose another --out",
                        result->directory);
    if (g_strcmp0(status, "finished") == 0)
        return vs_usage(err,
                        "the sweep in '%s' is finished: choose another --out",
                        result->directory);
    return true;
}

static bool
finish(Sweep *sweep, bool ok, const char *reason, bool interrupted,
       GError **err)
{
    g_autofree char *ended = clock_wall_iso();

    if (!ok)
        reason = interrupted ? "user" : "error";
    return store_set(sweep->store, "ended", ended, err) &&
           store_set(sweep->store, "stop_reason", reason, err) &&
           store_set(sweep->store, "status", ok ? "finished" : "interrupted",
                     err);
}

static bool
run_prepared(Sweep *sweep, SweepResult *result, GError **err)
{
    g_autoptr(GError) why = NULL;
    const char *reason = NULL;
    bool ok = false;

    if (result->resumed ? !resume(sweep, result->db, err)
                        : !begin(sweep, result->db, err))
        return false;
    if (!store_add_time(sweep->store, PART_PREPARE, sweep->executor->prepare_ns,
                        err))
        return false;
    log_note("%s '%s', seed %" G_GUINT64_FORMAT ", accel %s (%s)",
             result->resumed ? "resuming" : "writing", result->directory,
             sweep->options.seed, sweep->executor->accel,
             sweep->executor->accel_why);
    ok = run_blocks(sweep, &reason, &why);
    progress_clear();
    result->failed_cells = tally_failed_cells(sweep->tally);
    if (!finish(sweep, ok, reason, vs_error_status(why) == VS_ERROR_INTERRUPTED,
                err))
        return false;
    if (why)
        g_propagate_error(err, g_steal_pointer(&why));
    return ok;
}

static void
sweep_clear(Sweep *sweep)
{
    tally_free(sweep->tally);
    store_close(sweep->store);
    g_free(sweep->workloads);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sweep, sweep_clear)

bool
sweep_run(const Matrix *matrix, Design *design, Executor *executor,
          const SweepOptions *options, SweepResult *ret_result, GError **err)
{
    g_auto(Sweep) sweep = {.matrix = matrix,
                           .design = design,
                           .executor = executor,
                           .options = *options,
                           .blocks = design->blocks_min,
                           .begun = executor_now(executor)};

    sweep.workloads = g_new0(guint, matrix->workloads->len);
    if (!choose_directory(&sweep, ret_result, err))
        return false;
    ret_result->db = g_build_filename(ret_result->directory, SWEEPDIR_DB, NULL);
    if (ret_result->resumed && !check_same(&sweep, ret_result, err))
        return false;
    return run_prepared(&sweep, ret_result, err);
}

void
sweep_result_clear(SweepResult *result)
{
    g_clear_pointer(&result->directory, g_free);
    g_clear_pointer(&result->db, g_free);
}
