/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop over blocks, with an executor that needs no machine: looks, the
 * reasons to stop, resuming at a look, retries, blocks added afterwards.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "plan-util.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/signals.h"
#include "data/store.h"
#include "run/sweep.h"

#define MATRIX                                                          \
    "name: fake\nmatrix: {disk.cache: [none, writeback, directsync]}\n" \
    "host: none\n" WORKLOADS
#define SEED 42
#define CELLS 4 /* with the twin */
/* Every child ends with the status that vsweep would. */
#define DONE 0

typedef struct Bench {
    char *dir, *out, *db;
} Bench;

/* What the executor and the look of a test do. */
typedef struct Script {
    guint interrupt_block;  /* SIGINT during this block's attempt ... */
    guint interrupt_pos;    /* ... at this place */
    guint fail_pos;         /* in block 1 this place fails ... */
    guint fails;            /* ... in so many tries; 0: never */
    guint resolved_from;    /* block from which all is resolved */
    bool look_fails;        /* the first look is interrupted */
    const char *session;    /* of the executor; default "one" */
    guint looks[32], asked; /* blocks that were looked at */
} Script;

static Script script;

static int
bench_make(void **state)
{
    Bench *bench = g_new0(Bench, 1);

    bench->dir = g_dir_make_tmp("vsweep-loop-XXXXXX", NULL);
    bench->out = g_build_filename(bench->dir, "sweep", NULL);
    bench->db = g_build_filename(bench->out, "results.db", NULL);
    memset(&script, 0, sizeof(script));
    *state = bench;
    return 0;
}

static int
bench_remove(void **state)
{
    Bench *bench = *state;

    file_remove(bench->dir, NULL);
    g_free(bench->dir);
    g_free(bench->out);
    g_free(bench->db);
    g_free(bench);
    return 0;
}

static Attempt *
fake_attempt(Executor *executor, const Cell *cell, const Slot *slot)
{
    Attempt *attempt =
        attempt_new(slot->block, slot->pos, slot->try, cell->index);

    (void) executor;
    attempt->t_begin = clock_raw_ns();
    attempt->t_end = clock_raw_ns();
    if (slot->block == 1 && slot->pos == script.fail_pos &&
        slot->try <= script.fails)
        attempt_fail(attempt, OUTCOME_HANG, "nothing for 60 s");
    if (slot->block == script.interrupt_block &&
        slot->pos == script.interrupt_pos)
        raise(SIGINT);
    return attempt;
}

static void
fake_facts(const Executor *executor, GHashTable *facts)
{
    (void) executor;
    g_hash_table_replace(facts, g_strdup("session"),
                         g_strdup(script.session ? script.session : "one"));
}

static gint64
fake_now(const Executor *executor)
{
    (void) executor;
    return clock_raw_ns();
}

static void
fake_free(Executor *executor)
{
    g_free(executor);
}

static const ExecutorMethods fake = {fake_attempt, fake_facts, fake_now,
                                     fake_free};

static guint
last_block(const char *db)
{
    g_autoptr(Store) store = store_open(db, false, NULL);
    g_autoptr(GPtrArray) runs = store_runs(store, NULL);
    guint last = 0;

    for (guint i = 0; i < runs->len; i++)
        last = MAX(last, ((StoreRun *) runs->pdata[i])->block);
    return last;
}

/* Like the report's, it reads the database while the sweep has it open. */
static bool
fake_look(const char *db, SweepLook *ret_look, GError **err)
{
    guint block = last_block(db);

    script.looks[script.asked++] = block;
    if (script.look_fails) {
        g_set_error(err, VS_ERROR, VS_ERROR_INTERRUPTED, "interrupted");
        return false;
    }
    ret_look->waited = 2;
    ret_look->resolved =
        script.resolved_from && block >= script.resolved_from ? 2 : 1;
    return true;
}

/* In a process of its own, since a signal that came stays: its exit status.
 * What was looked at is in the database's directory, a byte a look. */
static int
sweep(const Bench *bench, const char *blocks, SweepOptions options)
{
    g_autofree char *text = g_strdup_printf(MATRIX "%s", blocks);
    g_autofree char *log = g_build_filename(bench->dir, "looks", NULL);
    int status = 0;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid > 0) {
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status));
        return WEXITSTATUS(status);
    }
    g_autoptr(Matrix) matrix = plan_matrix(text, false);
    g_autoptr(Design) design = plan_design(matrix);
    g_autoptr(GError) err = NULL;
    g_auto(SweepResult) result = {0};
    Executor *executor = g_new0(Executor, 1);
    bool ok = false;

    signals_install();
    *executor = (Executor){.methods = &fake,
                           .accel = "simulated",
                           .accel_why = g_strdup("a test"),
                           .key = g_strdup("fake")};
    options.out = bench->out;
    options.seed_given = true;
    options.seed = SEED;
    options.retries = 2;
    options.look = fake_look;
    ok = sweep_run(matrix, design, executor, &options, &result, &err);
    if (!ok)
        fprintf(stderr, "# %s\n", err->message);
    executor_free(executor);
    g_autoptr(GString) looks = g_string_new(NULL);
    for (guint i = 0; i < script.asked; i++)
        g_string_append_printf(looks, "%s%u", i ? " " : "", script.looks[i]);
    file_write(log, looks->str, -1, NULL);
    fflush(NULL);
    _exit(ok ? DONE : vs_error_status(err));
}

static void
assert_looks(const Bench *bench, const char *expected)
{
    g_autofree char *path = g_build_filename(bench->dir, "looks", NULL);
    g_autofree char *looks = file_read(path, 1024, NULL, NULL);

    assert_string_equal(looks, expected);
}

static void
assert_fact(const Bench *bench, const char *key, const char *expected)
{
    g_autoptr(Store) store = store_open(bench->db, false, NULL);
    g_autofree char *value = store_get(store, key);

    if (g_strcmp0(value, expected) != 0)
        fail_msg("%s: '%s' instead of '%s'", key, value ? value : "nothing",
                 expected ? expected : "nothing");
}

static guint
attempts(const Bench *bench)
{
    g_autoptr(Store) store = store_open(bench->db, false, NULL);
    g_autoptr(GPtrArray) runs = store_runs(store, NULL);

    return runs->len;
}

#define OPEN "blocks: {min: 6, max: 14, precision: 2%}\n"

/* Blocks, the answer of the looks, and what comes of it.  The bound for two
 * comparisons is 7, so the first look is at 8. */
static void
reasons(void **state)
{
    static const struct {
        const char *blocks;
        guint resolved_from;
        const char *looks, *reason;
        guint done;
    } cases[] = {
        {OPEN, 1, "8", "precision", 8},
        {OPEN, 9, "8 10", "precision", 10},
        {OPEN, 0, "8 10 12", "max_blocks", 14},
        {OPEN, 13, "8 10 12", "max_blocks", 14},
        {"blocks: {max: 12}\n", 11, "10 12", "precision", 12},
        {"blocks: {min: 9}\n", 1, "", "max_blocks", 9},
        {"blocks: {max: 3, precision: 2%}\n", 1, "", "max_blocks", 3},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Bench *bench = *state;

        script.resolved_from = cases[i].resolved_from;
        assert_int_equal(sweep(bench, cases[i].blocks, (SweepOptions){0}), 0);
        assert_looks(bench, cases[i].looks);
        assert_fact(bench, "stop_reason", cases[i].reason);
        assert_fact(bench, "status", "finished");
        assert_int_equal(last_block(bench->db), cases[i].done);
        assert_true(file_remove(bench->out, NULL));
    }
}

/* Whole blocks only: the one that is begun is ended, no further one begun. */
static void
budget(void **state)
{
    Bench *bench = *state;

    assert_int_equal(sweep(bench, OPEN, (SweepOptions){.budget_ns = 1}), 0);
    assert_fact(bench, "stop_reason", "time_budget");
    assert_fact(bench, "budget", "0 ms");
    assert_int_equal(attempts(bench), 0);
}

static void
facts(void **state)
{
    Bench *bench = *state;

    script.resolved_from = 1;
    assert_int_equal(
        sweep(bench, OPEN, (SweepOptions){.budget_ns = 7200 * CLOCK_NS_PER_S}),
        0);
    assert_fact(bench, "seed", "42");
    assert_fact(bench, "blocks.min", "8");
    assert_fact(bench, "blocks.max", "14");
    assert_fact(bench, "blocks.planned", "14");
    assert_fact(bench, "blocks.added", NULL);
    assert_fact(bench, "precision", "0.02");
    assert_fact(bench, "budget", "2 h 00 min");
}

/* Interrupted by the last attempt of block 8, or by the look itself: the look
 * is still to come.  Interrupted within block 9: it has been, and is not made
 * again, although it would decide otherwise by now. */
static void
resumed(void **state)
{
    static const struct {
        guint block, pos;
        bool look_fails;
        const char *looks;
        guint done;
    } cases[] = {
        {8, CELLS - 1, false, "8", 8},
        {8, 1, false, "8", 8},
        {0, 0, true, "8", 8},
        {9, 0, false, "10", 10},
        {9, CELLS - 1, false, "10", 10},
        {5, 2, false, "8", 8},
    };
    const Bench *bench = *state;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        script = (Script){.interrupt_block = cases[i].block,
                          .interrupt_pos = cases[i].pos,
                          .look_fails = cases[i].look_fails};
        assert_int_equal(sweep(bench, OPEN, (SweepOptions){0}),
                         VS_ERROR_INTERRUPTED);
        assert_fact(bench, "stop_reason", "user");
        assert_fact(bench, "status", "interrupted");
        script = (Script){.resolved_from = 8};
        assert_int_equal(sweep(bench, OPEN, (SweepOptions){0}), 0);
        assert_looks(bench, cases[i].looks);
        assert_fact(bench, "stop_reason", "precision");
        assert_int_equal(last_block(bench->db), cases[i].done);
        assert_int_equal(attempts(bench), cases[i].done * CELLS);
        assert_true(file_remove(bench->out, NULL));
    }
}

/* Another session: block 9 does not count, so the look at 8 sees what it saw
 * then, and is the next to decide. */
static void
resumed_elsewhere(void **state)
{
    const Bench *bench = *state;

    script.interrupt_block = 9;
    script.interrupt_pos = 1;
    assert_int_equal(sweep(bench, OPEN, (SweepOptions){0}),
                     VS_ERROR_INTERRUPTED);
    script = (Script){.session = "two"};
    assert_int_equal(sweep(bench, OPEN, (SweepOptions){0}), 0);
    assert_fact(bench, "stop_reason", "max_blocks");
    assert_int_equal(attempts(bench), 14 * CELLS + 2);
}

/* METHOD 14.10: a failed attempt is repeated at the end of its block, and
 * every attempt is kept. */
static void
retries(void **state)
{
    const Bench *bench = *state;

    script.fail_pos = 1;
    script.fails = 1;
    assert_int_equal(sweep(bench, "blocks: {max: 3}\n", (SweepOptions){0}), 0);
    g_autoptr(Store) store = store_open(bench->db, false, NULL);
    g_autoptr(GPtrArray) runs = store_runs(store, NULL);
    assert_int_equal(runs->len, 3 * CELLS + 1);
    const StoreRun *failed = runs->pdata[1], *again = runs->pdata[CELLS];
    assert_int_equal(failed->outcome, OUTCOME_HANG);
    assert_int_equal(failed->try, 1);
    assert_int_equal(again->outcome, OUTCOME_OK);
    assert_int_equal(again->try, 2);
    assert_int_equal(again->block, 1);
    assert_int_equal(again->cell, failed->cell);
    assert_int_equal(((StoreRun *) runs->pdata[CELLS + 1])->block, 2);
}

/* Blocks of a finished sweep that were not planned: a fixed number, without
 * looks, also when they are interrupted. */
static void
added(void **state)
{
    const Bench *bench = *state;

    script.resolved_from = 1;
    assert_int_equal(sweep(bench, OPEN, (SweepOptions){.add_blocks = 3}),
                     VS_ERROR_USAGE);
    assert_int_equal(sweep(bench, OPEN, (SweepOptions){0}), 0);
    assert_int_equal(last_block(bench->db), 8);
    /* Finished: not without being asked to. */
    assert_int_equal(sweep(bench, OPEN, (SweepOptions){0}), VS_ERROR_USAGE);

    script.interrupt_block = 10;
    assert_int_equal(sweep(bench, OPEN, (SweepOptions){.add_blocks = 3}),
                     VS_ERROR_INTERRUPTED);
    script.interrupt_block = 0;
    assert_int_equal(sweep(bench, OPEN, (SweepOptions){.add_blocks = 3}),
                     VS_ERROR_USAGE);
    assert_int_equal(sweep(bench, OPEN, (SweepOptions){0}), 0);
    assert_looks(bench, "");
    assert_fact(bench, "stop_reason", "max_blocks");
    assert_fact(bench, "blocks.planned", "11");
    assert_fact(bench, "blocks.added", "3");
    assert_fact(bench, "blocks.max", "14");
    assert_int_equal(attempts(bench), 11 * CELLS);

    assert_int_equal(sweep(bench, OPEN, (SweepOptions){.add_blocks = 2}), 0);
    assert_fact(bench, "blocks.planned", "13");
    assert_fact(bench, "blocks.added", "5");
}

static void
reached(void **state)
{
    (void) state;
    assert_true(stopping_reached(&(SweepLook){.waited = 3, .resolved = 3}));
    assert_false(stopping_reached(&(SweepLook){.waited = 3, .resolved = 2}));
    assert_false(stopping_reached(&(SweepLook){.waited = 0, .resolved = 0}));
}

#define LOOP(function) \
    cmocka_unit_test_setup_teardown(function, bench_make, bench_remove)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        LOOP(reasons),
        LOOP(budget),
        LOOP(facts),
        LOOP(resumed),
        LOOP(resumed_elsewhere),
        LOOP(retries),
        LOOP(added),
        cmocka_unit_test(reached),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
