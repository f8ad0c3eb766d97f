/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulated sweeps for tests: a matrix and a model as texts, a directory of
 * its own, the whole pipeline in this process.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>
#include "base/file.h"
#include "data/store.h"
#include "run/simulate.h"
#include "run/sweep.h"

typedef struct Simulated {
    Matrix *matrix;
    Design *design;
    Model *model;
    Executor *executor;
    char *top; /* removed at the end */
    SweepResult result;
} Simulated;

static inline void
simulated_clear(Simulated *s)
{
    sweep_result_clear(&s->result);
    executor_free(s->executor);
    model_free(s->model);
    design_free(s->design);
    matrix_free(s->matrix);
    if (s->top)
        file_remove(s->top, NULL);
    g_free(s->top);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Simulated, simulated_clear)

/* Everything but the sweep; false when the model does not fit. */
static inline bool
simulated_prepare(Simulated *s, const char *matrix, const char *model,
                  GError **err)
{
    g_autoptr(GError) why = NULL;

    s->matrix = matrix_parse(matrix, "test.yaml", false, &why);
    s->design = s->matrix ? design_make(s->matrix, &why) : NULL;
    s->model = s->design ? model_parse(model, "model.yaml", &why) : NULL;
    if (why)
        print_error("%s\n", why->message);
    assert_non_null(s->model);
    s->executor = simulate_new(s->matrix, s->design, s->model, err);
    return s->executor != NULL;
}

static inline SweepOptions
simulated_options(const char *out, guint64 seed)
{
    SweepOptions options = {
        .out = out, .seed = seed, .seed_given = true, .retries = 2};

    return options;
}

/* Runs it below a directory that is removed with it. */
static inline void
simulated_run(Simulated *s, const char *matrix, const char *model, guint64 seed)
{
    g_autoptr(GError) err = NULL;
    g_autofree char *out = NULL;
    SweepOptions options = {0};

    s->top = g_dir_make_tmp("vsweep-sim-XXXXXX", NULL);
    out = g_build_filename(s->top, "sweep", NULL);
    options = simulated_options(out, seed);
    if (!simulated_prepare(s, matrix, model, &err) ||
        !sweep_run(s->matrix, s->design, s->executor, &options, &s->result,
                   &err))
        fail_msg("%s", err->message);
}

/* ------------------------------------------------- what tests simulate */

#define MATRIX                                      \
    "name: t\n"                                     \
    "matrix:\n"                                     \
    "  disk.cache: [none, writeback, directsync]\n" \
    "  disk.io: [threads, io_uring, native]\n"      \
    "blocks: {min: 6}\n"                            \
    "workloads: [fs.fsync, db.txn]\n"

#define SMALL                                   \
    "name: t\n"                                 \
    "matrix: {disk.cache: [none, writeback]}\n" \
    "blocks: {min: 2}\n"                        \
    "workloads: [fs.fsync]\n"

/* Something of everything that chance decides. */
static const char lively[] G_GNUC_UNUSED =
    "noise: 2%\n"
    "block: 3%\n"
    "drift: 10%\n"
    "effects: {disk.cache: writeback, slower: 5%}\n"
    "steal: {chance: 10%, share: 12%}\n"
    "clock_skew: {chance: 5%, rate: 2%}\n"
    "fail:\n"
    "  - {disk.cache: directsync, chance: 20%, outcome: hang}\n"
    "  - {disk.cache: none, disk.io: io_uring, outcome: refused, words: no}\n";

/* ------------------------------------------------------------ reading back */

static inline GPtrArray *
values_of(const char *db)
{
    g_autoptr(Store) store = store_open(db, false, NULL);

    assert_non_null(store);
    return store_values(store, NULL);
}

static inline GPtrArray *
runs_of(const char *db)
{
    g_autoptr(Store) store = store_open(db, false, NULL);

    assert_non_null(store);
    return store_runs(store, NULL);
}

/* All that chance and the clock gave a sweep. */
static inline char *
dump(const char *db)
{
    g_autoptr(GPtrArray) values = values_of(db);
    g_autoptr(GPtrArray) runs = runs_of(db);
    g_autoptr(Store) store = store_open(db, false, NULL);
    g_autoptr(GPtrArray) cells = store_cells(store, NULL);
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < cells->len; i++) {
        const StoreCell *cell = cells->pdata[i];

        g_string_append_printf(text, "%s %s %s\n", cell->name, cell->state,
                               cell->why ? cell->why : "-");
    }
    for (guint i = 0; i < runs->len; i++) {
        const StoreRun *r = runs->pdata[i];

        g_string_append_printf(
            text, "%d: %u %u %u %u %s %s %" G_GINT64_FORMAT "\n", (int) r->id,
            r->block, r->pos, r->try, r->cell, outcome_name(r->outcome),
            r->reason ? r->reason : "-", r->span_ns);
    }
    for (guint i = 0; i < values->len; i++) {
        const StoreValue *v = values->pdata[i];

        g_string_append_printf(text, "%u %u %u %s %.17g %d\n", v->block,
                               v->cell, v->try, v->metric, v->value, v->valid);
    }
    return g_string_free(text, FALSE);
}

/* The one valid value of a cell in a block. */
static inline double
value_of(const GPtrArray *values, guint block, guint cell, const char *metric)
{
    double found = NAN;

    for (guint i = 0; i < values->len; i++) {
        const StoreValue *v = values->pdata[i];

        if (v->block == block && v->cell == cell && v->valid &&
            strcmp(v->metric, metric) == 0) {
            assert_true(isnan(found));
            found = v->value;
        }
    }
    return found;
}

static inline guint
cell_of(const Design *design, const char *name)
{
    const Cell *cell = design_cell(design, name);

    assert_non_null(cell);
    return cell->index;
}

static inline guint
count(const char *text, const char *word)
{
    guint n = 0;

    for (const char *p = text; (p = strstr(p, word)); p += strlen(word))
        n++;
    return n;
}
