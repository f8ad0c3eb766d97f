/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a sweep, block by block: see sweep.h (METHOD 4). */
#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/signals.h"
#include "base/units.h"
#include "data/store.h"
#include "run/sweep-parts.h"

/* Keeps the order of retries apart from the order of the block itself. */
#define RETRY_STREAM G_GUINT64_CONSTANT(0x94D049BB133111EB)

/* "7/16"; "7/8-16" when the sweep may end after 8.  Caller frees. */
static char *
block_text(const Sweep *sweep, guint block)
{
    guint next = design_next_end(sweep->design, block);
    guint most = sweep->design->blocks_max;

    return next < most ? g_strdup_printf("%u/%u-%u", block, next, most)
                       : g_strdup_printf("%u/%u", block, most);
}

/* Attempts up to this block, and how long they will take.  Caller frees. */
static char *
left_text(const Sweep *sweep, guint last)
{
    guint left = tally_left(sweep->tally, last);
    g_autofree char *eta = NULL;

    if (!sweep->run)
        return g_strdup_printf("%u left", left);
    eta = units_format_duration(sweep->run_ns / sweep->run * left);
    return g_strdup_printf("%u left, ETA %s", left, eta);
}

/* Block, cell and ETA for the progress line.  Caller frees. */
static char *
label(const Sweep *sweep, guint block, const Cell *cell)
{
    guint next = design_next_end(sweep->design, block);
    guint most = sweep->design->blocks_max;
    g_autofree char *blocks = block_text(sweep, block);
    g_autofree char *least = left_text(sweep, next);
    g_autofree char *all = left_text(sweep, most);

    return g_strdup_printf("block %s  %s  %s%s%s", blocks, cell->name, least,
                           next < most ? " to " : "", next < most ? all : "");
}

static void
show(const Sweep *sweep, const Cell *cell, const Attempt *attempt)
{
    g_autofree char *span =
        units_format_duration(attempt->t_end - attempt->t_begin);
    g_autofree char *blocks = block_text(sweep, attempt->block);

    progress_line("block %s  %-24s %-11s %7s  %s", blocks, cell->name,
                  outcome_name(attempt->outcome), span,
                  attempt->reason ? attempt->reason : "");
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
    if (!store_add_time(sweep->store, PART_OTHER, done - ended, err) ||
        !reconsider(sweep, cell, err))
        return false;
    if (signals_pending()) {
        g_set_error(err, VS_ERROR, VS_ERROR_INTERRUPTED,
                    "interrupted; the same command resumes");
        return false;
    }
    return true;
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

/* Looks at the precision if it is time to.  Once a later block has begun the
 * look is past, and it said no: a sweep that is resumed decides alike. */
static bool
look(const Sweep *sweep, guint block, bool *ret_reached, GError **err)
{
    const Design *design = sweep->design;
    g_auto(SweepLook) seen = {0};

    if (!sweep->options.look || !design_is_look(design, block) ||
        (block < design->blocks_max && tally_begun(sweep->tally, block + 1)))
        return true;
    if (!sweep->options.look(sweep->db, &seen, err))
        return false;
    stopping_tell(design, block, &seen);
    *ret_reached = stopping_reached(&seen);
    return true;
}

/* A sweep that was killed may have kept an attempt without what follows from
 * it. */
static bool
reconsider_all(Sweep *sweep, GError **err)
{
    for (guint i = 0; i < sweep->design->cells->len; i++)
        if (!reconsider(sweep, sweep->design->cells->pdata[i], err))
            return false;
    return true;
}

static bool
run_blocks(Sweep *sweep, const char **ret_reason, GError **err)
{
    bool reached = false;

    *ret_reason = "max_blocks";
    if (!reconsider_all(sweep, err))
        return false;
    for (guint block = 1; block <= sweep->design->blocks_max; block++) {
        if (out_of_budget(sweep)) {
            *ret_reason = "time_budget";
            return true;
        }
        if (!run_block(sweep, block, err) || !look(sweep, block, &reached, err))
            return false;
        if (reached) {
            *ret_reason = "precision";
            return true;
        }
    }
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

    if (!(result->resumed ? sweep_resume : sweep_begin)(sweep, err))
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
                           .begun = executor_now(executor)};

    sweep.workloads = g_new0(guint, matrix->workloads->len);
    if (!sweep_find(&sweep, ret_result, err))
        return false;
    sweep.db = ret_result->db;
    return run_prepared(&sweep, ret_result, err);
}

void
sweep_result_clear(SweepResult *result)
{
    g_clear_pointer(&result->directory, g_free);
    g_clear_pointer(&result->db, g_free);
}
