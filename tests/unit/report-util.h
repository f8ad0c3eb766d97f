/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of src/report: results.db files made through the store, as a
 * sweep would, and ways to look at what the report says of them.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/file.h"
#include "report/write.h"

/* Each test gets a Sweep of its own. */
#define TEST(function) \
    cmocka_unit_test_setup_teardown(function, sweep_make, sweep_remove)

#define must(call)                                                          \
    do {                                                                    \
        if (!(call))                                                        \
            fail_msg("%s: %s", #call, err ? err->message : "no error set"); \
    } while (0)

typedef struct Sweep {
    char *dir, *db;
    Store *store;
    GPtrArray *factors, *cells;
    guint pos; /* of the next attempt in its block */
} Sweep;

static inline int
sweep_make(void **state)
{
    Sweep *sweep = g_new0(Sweep, 1);

    sweep->dir = g_dir_make_tmp("vsweep-report-XXXXXX", NULL);
    sweep->db = g_build_filename(sweep->dir, "results.db", NULL);
    sweep->store = store_create(sweep->db, NULL);
    sweep->factors =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_factor_free);
    sweep->cells =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_cell_free);
    *state = sweep;
    return sweep->store ? 0 : -1;
}

static inline int
sweep_remove(void **state)
{
    Sweep *sweep = *state;

    store_close(sweep->store);
    file_remove(sweep->dir, NULL);
    g_ptr_array_unref(sweep->factors);
    g_ptr_array_unref(sweep->cells);
    g_free(sweep->dir);
    g_free(sweep->db);
    g_free(sweep);
    return 0;
}

static inline void
sweep_fact(Sweep *sweep, const char *key, const char *value)
{
    g_autoptr(GError) err = NULL;

    must(store_set(sweep->store, key, value, &err));
}

/* Pairs of key and value, then NULL. */
static inline void
sweep_facts(Sweep *sweep, ...)
{
    va_list args;

    va_start(args, sweep);
    for (;;) {
        const char *key = va_arg(args, const char *);

        if (!key)
            break;
        sweep_fact(sweep, key, va_arg(args, const char *));
    }
    va_end(args);
}

/* The first level is the baseline's. */
static inline void
sweep_factor(Sweep *sweep, const char *setting, ...)
{
    StoreFactor *factor = g_new0(StoreFactor, 1);
    va_list args;

    factor->setting = g_strdup(setting);
    factor->levels = g_ptr_array_new_with_free_func(g_free);
    va_start(args, setting);
    for (;;) {
        const char *level = va_arg(args, const char *);

        if (!level)
            break;
        g_ptr_array_add(factor->levels, g_strdup(level));
    }
    va_end(args);
    g_ptr_array_add(sweep->factors, factor);
}

/* A cell with one level of every factor, in their order; the host has none.
 * Its baseline flag follows from the levels. */
static inline StoreCell *
sweep_cell(Sweep *sweep, const char *name, const char *kind, ...)
{
    StoreCell *cell = g_new0(StoreCell, 1);
    va_list args;

    cell->index = sweep->cells->len;
    cell->name = g_strdup(name);
    cell->kind = g_strdup(kind);
    cell->state = g_strdup("planned");
    cell->settings = g_ptr_array_new_with_free_func(g_free);
    cell->levels = g_ptr_array_new_with_free_func(g_free);
    cell->baseline = strcmp(kind, "cell") == 0;
    va_start(args, kind);
    for (guint i = 0;
         !g_str_has_prefix(kind, "host") && i < sweep->factors->len; i++) {
        const StoreFactor *factor = sweep->factors->pdata[i];
        const char *level = va_arg(args, const char *);

        g_ptr_array_add(cell->settings, g_strdup(factor->setting));
        g_ptr_array_add(cell->levels, g_strdup(level));
        cell->baseline =
            cell->baseline && strcmp(level, factor->levels->pdata[0]) == 0;
    }
    va_end(args);
    g_ptr_array_add(sweep->cells, cell);
    return cell;
}

static inline void
sweep_design(Sweep *sweep)
{
    g_autoptr(GError) err = NULL;

    must(store_put_factors(sweep->store, sweep->factors, &err));
    must(store_put_design(sweep->store, sweep->cells, &err));
}

static inline guint
sweep_index(const Sweep *sweep, const char *name)
{
    for (guint i = 0; i < sweep->cells->len; i++)
        if (strcmp(((StoreCell *) sweep->cells->pdata[i])->name, name) == 0)
            return i;
    fail_msg("no cell %s", name);
    return 0;
}

/* An attempt of a cell, to be given values and put. */
static inline Attempt *
sweep_attempt(Sweep *sweep, guint block, const char *cell)
{
    return attempt_new(block, sweep->pos++, 1, sweep_index(sweep, cell));
}

static inline AttemptValue *
sweep_value(Attempt *attempt, const char *workload, const char *metric,
            const char *unit, bool higher_better, double x)
{
    AttemptValue *value = g_new0(AttemptValue, 1);

    value->workload = g_strdup(workload);
    value->metric = g_strdup(metric);
    value->unit = g_strdup(unit);
    value->higher_better = higher_better;
    value->value = x;
    value->n = 1000;
    value->valid = true;
    g_ptr_array_add(attempt->values, value);
    return value;
}

static inline void
sweep_put(Sweep *sweep, Attempt *attempt)
{
    g_autoptr(GError) err = NULL;
    gint64 id = 0;

    attempt->t_begin = G_GINT64_CONSTANT(1000000000) * (1 + attempt->block);
    attempt->t_end = attempt->t_begin + 5000000;
    must(store_put_attempt(sweep->store, attempt, &id, &err));
    attempt_free(attempt);
}

static inline Report *
sweep_load(Sweep *sweep)
{
    g_autoptr(GError) err = NULL;
    Report *report = report_load(sweep->db, &err);

    must(report);
    return report;
}

static inline char *
text_of(const Report *report, void (*format)(const Report *, GString *))
{
    GString *out = g_string_new(NULL);

    format(report, out);
    return g_string_free(out, FALSE);
}

/* A source file of the tests. */
static inline char *
read_source(const char *name)
{
    g_autoptr(GError) err = NULL;
    g_autofree char *path = g_build_filename(VS_SOURCE_DIR, name, NULL);
    char *text = file_read(path, 1 << 20, NULL, &err);

    must(text);
    return text;
}

/* Compares with tests/data/report/NAME, or writes it. */
static inline void
check_golden(const char *name, const char *text)
{
    g_autoptr(GError) err = NULL;
    g_autofree char *path =
        g_build_filename(VS_SOURCE_DIR, "tests/data/report", name, NULL);

    if (g_getenv("VSWEEP_REGENERATE")) {
        must(file_write(path, text, -1, &err));
        return;
    }
    g_autofree char *expected = file_read(path, 1 << 22, NULL, &err);
    must(expected);
    assert_string_equal(text, expected);
}
