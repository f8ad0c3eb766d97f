/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated sweeps from the plan to the database (METHOD 14.1). */
#include <math.h>
#include <signal.h>
#include <unistd.h>
#include <sys/wait.h>
#include "base/signals.h"
#include "simulate-util.h"

/* ---------------------------------------------------------- reproducibility */

static void
same_seed_same_sweep(void **state G_GNUC_UNUSED)
{
    g_auto(Simulated) one = {0}, two = {0}, other = {0};
    g_autofree char *dump_one = NULL, *dump_two = NULL, *dump_other = NULL;

    simulated_run(&one, MATRIX, lively, 7);
    simulated_run(&two, MATRIX, lively, 7);
    simulated_run(&other, MATRIX, lively, 8);
    dump_one = dump(one.result.db);
    dump_two = dump(two.result.db);
    dump_other = dump(other.result.db);
    assert_string_equal(dump_one, dump_two);
    assert_string_not_equal(dump_one, dump_other);
}

/* Whatever a cell yields, it yields in any place and after any other. */
static void
order_changes_nothing(void **state G_GNUC_UNUSED)
{
    static const char model[] = "noise: 2%\nblock: 3%\n"
                                "steal: {chance: 30%, share: 12%}\n"
                                "fail: {chance: 20%, outcome: panic}\n";
    g_auto(Simulated) s = {0};
    const guint order[] = {0, 1}, turned[] = {1, 0};
    guint cells = 0;

    assert_true(simulated_prepare(&s, MATRIX, model, NULL));
    cells = s.design->cells->len;
    for (guint i = 0; i < cells; i++) {
        Slot slot = {.block = 3, .pos = i, .try = 1, .order = order, .seed = 5};
        Slot late = {.block = 3,
                     .pos = 0,
                     .try = 1,
                     .order = turned,
                     .seed = 5,
                     .run = 90 - i};
        g_autoptr(Attempt) a =
            executor_attempt(s.executor, s.design->cells->pdata[i], &slot);
        g_autoptr(Attempt) b =
            executor_attempt(s.executor, s.design->cells->pdata[i], &late);

        assert_int_equal(a->outcome, b->outcome);
        assert_int_equal(a->values->len, b->values->len);
        for (guint v = 0; v < a->values->len; v++) {
            const AttemptValue *x = a->values->pdata[v];
            guint same = 0;

            for (guint w = 0; w < b->values->len; w++) {
                const AttemptValue *y = b->values->pdata[w];

                same +=
                    strcmp(x->metric, y->metric) == 0 && x->value == y->value;
            }
            assert_int_equal(same, 1);
        }
    }
}

/* An executor that hands on, and is interrupted after some attempts. */
typedef struct Interrupter {
    Executor base;
    Executor *inner;
    guint left;
} Interrupter;

static Attempt *
interrupted_attempt(Executor *executor, const Cell *cell, const Slot *slot)
{
    Interrupter *self = (Interrupter *) executor;
    Attempt *attempt = executor_attempt(self->inner, cell, slot);

    if (--self->left == 0)
        raise(SIGINT);
    return attempt;
}

static void
interrupter_facts(const Executor *executor, GHashTable *facts)
{
    const Interrupter *self = (const Interrupter *) executor;

    self->inner->methods->facts(self->inner, facts);
}

static gint64
interrupter_now(const Executor *executor)
{
    return executor_now(((const Interrupter *) executor)->inner);
}

/* Begins the sweep in a child process that is interrupted. */
static void
begin_and_interrupt(const char *out, const char *model, guint attempts)
{
    static const ExecutorMethods methods = {.attempt = interrupted_attempt,
                                            .facts = interrupter_facts,
                                            .now = interrupter_now};
    pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0) {
        g_auto(Simulated) s = {0};
        SweepOptions options = simulated_options(out, 7);
        Interrupter interrupter = {.left = attempts};
        g_autoptr(GError) err = NULL;

        signals_install();
        simulated_prepare(&s, MATRIX, model, NULL);
        interrupter.inner = s.executor;
        interrupter.base = *s.executor;
        interrupter.base.methods = &methods;
        sweep_run(s.matrix, s.design, &interrupter.base, &options, &s.result,
                  &err);
        _exit(vs_error_status(err));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
}

/* Interrupted after every attempt in turn: within a block, at its end, when a
 * cell has just been given up. */
static void
resuming_changes_nothing(void **state G_GNUC_UNUSED)
{
    g_auto(Simulated) whole = {0};
    g_autoptr(GPtrArray) runs = NULL;
    g_autofree char *expected = NULL;

    simulated_run(&whole, MATRIX, lively, 7);
    expected = dump(whole.result.db);
    assert_int_equal(count(expected, "refused"), 2);
    assert_int_equal(count(expected, " unsupported "), 1);
    runs = runs_of(whole.result.db);
    for (guint place = 1; place < runs->len; place++) {
        g_auto(Simulated) s = {0};
        g_autoptr(GError) err = NULL;
        g_autofree char *out = NULL, *got = NULL;
        SweepOptions options = {0};

        s.top = g_dir_make_tmp("vsweep-sim-XXXXXX", NULL);
        out = g_build_filename(s.top, "sweep", NULL);
        begin_and_interrupt(out, lively, place);
        options = simulated_options(out, 7);
        assert_true(simulated_prepare(&s, MATRIX, lively, NULL));
        assert_true(sweep_run(s.matrix, s.design, s.executor, &options,
                              &s.result, &err));
        assert_true(s.result.resumed);
        got = dump(s.result.db);
        assert_string_equal(got, expected);
    }
}

/* The same command with another model is another sweep. */
static void
another_model_is_another_sweep(void **state G_GNUC_UNUSED)
{
    g_auto(Simulated) s = {0};
    g_autoptr(GError) err = NULL;
    g_autofree char *out = NULL;
    SweepOptions options = {0};

    s.top = g_dir_make_tmp("vsweep-sim-XXXXXX", NULL);
    out = g_build_filename(s.top, "sweep", NULL);
    begin_and_interrupt(out, lively, 5);
    options = simulated_options(out, 7);
    assert_true(simulated_prepare(&s, MATRIX, "noise: 2%\n", NULL));
    assert_false(
        sweep_run(s.matrix, s.design, s.executor, &options, &s.result, &err));
    assert_int_equal(vs_error_status(err), 2);
    assert_non_null(strstr(err->message, "another sweep"));
}

/* ------------------------------------------------------------------ effects */

static void
effects_come_back_exactly(void **state G_GNUC_UNUSED)
{
    static const char model[] =
        "metrics: {fs.fsync.p50: 500us, db.txn.rate: 70 txn/s}\n"
        "effects:\n"
        "  - {disk.cache: writeback, slower: 5%}\n"
        "  - {disk.io: io_uring, faster: 20%, workload: fs.fsync}\n"
        "  - {disk.cache: directsync, disk.io: io_uring, slower: 7%,\n"
        "     metric: fs.fsync.p50}\n"
        "  - {cell: host, faster: 30%}\n"
        "  - {cell: aa, slower: 1%}\n";
    static const struct {
        const char *cell;
        double fsync, txn; /* gains */
    } rows[] = {
        {"none/threads", 1, 1},
        {"writeback/threads", 1 / 1.05, 1 / 1.05},
        {"none/io_uring", 1.2, 1},
        {"writeback/io_uring", 1.2 / 1.05, 1 / 1.05},
        {"directsync/io_uring", 1.2 / 1.07, 1},
        {"directsync/threads", 1, 1},
        {"host", 1.3, 1.3},
        {"aa", 1 / 1.01, 1 / 1.01},
    };
    g_auto(Simulated) s = {0};
    g_autoptr(GPtrArray) values = NULL;

    simulated_run(&s, MATRIX, model, 3);
    values = values_of(s.result.db);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        for (guint block = 1; block <= 6; block++) {
            guint cell = cell_of(s.design, rows[i].cell);
            double fsync = value_of(values, block, cell, "fs.fsync.p50");
            double txn = value_of(values, block, cell, "db.txn.rate");

            assert_true(fabs(log(500 / fsync) - log(rows[i].fsync)) < 1e-12);
            assert_true(fabs(log(txn / 70) - log(rows[i].txn)) < 1e-12);
        }
}

/* The rungs of the ladder are runs without a guest, each by its name. */
static void
rungs_without_a_guest(void **state G_GNUC_UNUSED)
{
    static const char model[] = "effects:\n"
                                "  - {disk.cache: none, slower: 5%}\n"
                                "  - {cell: host, faster: 30%}\n"
                                "  - {cell: host-matched, faster: 20%}\n";
    static const struct {
        const char *cell;
        double rate;
    } rows[] = {{"none", 1000 / 1.05}, {"host", 1300}, {"host-matched", 1200}};
    g_auto(Simulated) s = {0};
    g_autoptr(GPtrArray) values = NULL;

    simulated_run(&s, SMALL "host: ladder\n", model, 3);
    values = values_of(s.result.db);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint cell = cell_of(s.design, rows[i].cell);

        assert_true(fabs(value_of(values, 1, cell, "fs.fsync.rate") -
                         rows[i].rate) < 1e-9);
        assert_true(isnan(value_of(values, 1, cell, "boot.ready")) == (i > 0));
    }
}

/* What all runs of a block share is no difference between cells; drift is. */
static void
blocks_and_drift(void **state G_GNUC_UNUSED)
{
    g_auto(Simulated) blocks = {0}, drift = {0};
    g_autoptr(GPtrArray) shared = NULL, drifted = NULL, runs = NULL;
    const StoreRun *first = NULL, *last = NULL;

    simulated_run(&blocks, MATRIX, "block: 10%\n", 3);
    shared = values_of(blocks.result.db);
    for (guint block = 1; block <= 6; block++)
        assert_true(value_of(shared, block, 0, "db.txn.rate") ==
                    value_of(shared, block, 1, "db.txn.rate"));
    assert_true(value_of(shared, 1, 0, "db.txn.rate") !=
                value_of(shared, 2, 0, "db.txn.rate"));

    simulated_run(&drift, MATRIX, "drift: 10%\n", 3);
    drifted = values_of(drift.result.db);
    runs = runs_of(drift.result.db);
    first = runs->pdata[0];
    last = runs->pdata[runs->len - 1];
    assert_true(value_of(drifted, first->block, first->cell, "fs.fsync.p50") ==
                1000);
    assert_true(
        fabs(value_of(drifted, last->block, last->cell, "fs.fsync.p50") -
             1100) < 1e-9);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_seed_same_sweep),
        cmocka_unit_test(order_changes_nothing),
        cmocka_unit_test(resuming_changes_nothing),
        cmocka_unit_test(another_model_is_another_sweep),
        cmocka_unit_test(effects_come_back_exactly),
        cmocka_unit_test(rungs_without_a_guest),
        cmocka_unit_test(blocks_and_drift),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
