/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a sweep is kept, and how one is taken up again: after an interrupt,
 * or to be given more blocks.
 */
#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "base/units.h"
#include "run/session.h"
#include "run/sweep-parts.h"
#include "run/sweepdir.h"

static guint
stored_count(Store *store, const char *key)
{
    g_autofree char *text = store_get(store, key);
    guint64 count = 0;

    return text && units_parse_count(text, 0, G_MAXUINT, &count, NULL)
               ? (guint) count
               : 0;
}

static bool
store_count(Store *store, const char *key, guint count, GError **err)
{
    g_autofree char *text = g_strdup_printf("%u", count);

    return store_set(store, key, text, err);
}

/* Blocks that were added after the sweep had ended are a fixed number: there
 * are no more looks. */
static bool
take_up_blocks(Sweep *sweep, const GPtrArray *runs, GError **err)
{
    guint add = sweep->options.add_blocks;
    guint added = stored_count(sweep->store, "blocks.added");
    guint planned = stored_count(sweep->store, "blocks.planned");

    if (!add && !added)
        return true;
    if (add) {
        planned = 0;
        for (guint i = 0; i < runs->len; i++) {
            const StoreRun *run = runs->pdata[i];

            planned = run->discarded ? planned : MAX(planned, run->block);
        }
        planned += add;
        if (!store_count(sweep->store, "blocks.planned", planned, err) ||
            !store_count(sweep->store, "blocks.added", added + add, err))
            return false;
    }
    design_fix_blocks(sweep->design, planned);
    return true;
}

static Tally *
make_tally(const Sweep *sweep)
{
    return tally_new(sweep->design, sweep->design->blocks_max,
                     sweep->options.retries);
}

/* Opens the database of an unfinished sweep and takes up its seed. */
bool
sweep_resume(Sweep *sweep, GError **err)
{
    g_autofree char *seed = NULL;
    g_autoptr(GPtrArray) runs = NULL;
    bool same = true;

    sweep->store = store_open(sweep->db, true, err);
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
    if (!take_up_blocks(sweep, runs, err))
        return false;
    sweep->tally = make_tally(sweep);
    tally_load(sweep->tally, runs);
    for (guint b = 1; !same && b <= sweep->design->blocks_max; b++) {
        if (!tally_partial(sweep->tally, b))
            continue;
        log_note("block %u belongs to another session and is measured anew", b);
        tally_discard(sweep->tally, b);
        if (!store_discard_block(sweep->store, b, err))
            return false;
    }
    return true;
}

bool
sweep_begin(Sweep *sweep, GError **err)
{
    sweep->store = store_create(sweep->db, err);
    if (!sweep->store)
        return false;
    if (!sweep->options.seed_given)
        sweep->options.seed = random_seed();
    sweep->tally = make_tally(sweep);
    return session_write(sweep->store, sweep->design, sweep->executor,
                         &sweep->options, err);
}

/* The directory of this sweep, new or to be resumed. */
static bool
choose_directory(const Sweep *sweep, SweepResult *result, GError **err)
{
    const SweepOptions *options = &sweep->options;
    g_autofree char *key = session_key(sweep->design, sweep->executor, options);
    g_autofree char *db = NULL;

    if (options->out) {
        db = g_build_filename(options->out, SWEEPDIR_DB, NULL);
        result->directory = g_strdup(options->out);
        result->resumed = g_file_test(db, G_FILE_TEST_EXISTS);
        if (options->add_blocks && !result->resumed)
            return vs_usage(err, "no sweep in '%s' to add blocks to",
                            options->out);
        return result->resumed || file_mkdir(options->out, err);
    }
    if (options->add_blocks)
        result->directory = sweepdir_finished(SWEEPDIR_ROOT, key);
    else if (!options->fresh)
        result->directory = sweepdir_unfinished(SWEEPDIR_ROOT, key);
    result->resumed = result->directory != NULL;
    if (options->add_blocks && !result->directory)
        return vs_usage(err,
                        "no finished sweep of this matrix and these options "
                        "below '%s' to add blocks to",
                        SWEEPDIR_ROOT);
    if (!result->directory)
        result->directory =
            sweepdir_create(SWEEPDIR_ROOT, sweep->matrix->name, err);
    return result->directory != NULL;
}

/* A named directory must hold this sweep and no other. */
static bool
check_same(const Sweep *sweep, const SweepResult *result, GError **err)
{
    g_autofree char *key =
        session_key(sweep->design, sweep->executor, &sweep->options);
    g_autoptr(Store) store = store_open(result->db, false, err);
    g_autofree char *its_key = NULL, *status = NULL;
    bool add = sweep->options.add_blocks > 0, finished = false;

    if (!store)
        return false;
    its_key = store_get(store, "sweep.key");
    status = store_get(store, "status");
    finished = g_strcmp0(status, "finished") == 0;
    if (g_strcmp0(key, its_key) != 0)
        return vs_usage(err,
                        "'%s' holds another sweep (other matrix or options): "
                        "choose another --out",
                        result->directory);
    if (finished && !add)
        return vs_usage(err,
                        "the sweep in '%s' is finished: choose another --out, "
                        "or give it more blocks with --add-blocks",
                        result->directory);
    if (!finished && add)
        return vs_usage(err,
                        "the sweep in '%s' is not finished: run it without "
                        "--add-blocks first",
                        result->directory);
    return true;
}

bool
sweep_find(const Sweep *sweep, SweepResult *result, GError **err)
{
    if (!choose_directory(sweep, result, err))
        return false;
    result->db = g_build_filename(result->directory, SWEEPDIR_DB, NULL);
    return !result->resumed || check_same(sweep, result, err);
}
