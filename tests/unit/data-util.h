/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of src/data: a database in a directory of its own, attempts
 * with something in every member, comparing them.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <errno.h>
#include <sched.h>
#include <unistd.h>
#include <sys/mount.h>
#include <cmocka.h>
#include <sqlite3.h>
#include "base/file.h"
#include "data/store.h"
#include "skip.h"

/* Each test gets a Place of its own. */
#define TEST(function) \
    cmocka_unit_test_setup_teardown(function, place_make, place_remove)

/* What full_attempt() holds of each. */
#define FULL_VALUES 3
#define FULL_BINS 40
#define FULL_LINES 7

typedef struct Place {
    char *dir, *db;
} Place;

static inline int
place_make(void **state)
{
    Place *place = g_new0(Place, 1);

    place->dir = g_dir_make_tmp("vsweep-data-XXXXXX", NULL);
    place->db = g_build_filename(place->dir, "results.db", NULL);
    *state = place;
    return place->dir ? 0 : -1;
}

static inline int
place_remove(void **state)
{
    Place *place = *state;

    file_remove(place->dir, NULL);
    g_free(place->dir);
    g_free(place->db);
    g_free(place);
    return 0;
}

#define must(call)                                                          \
    do {                                                                    \
        if (!(call))                                                        \
            fail_msg("%s: %s", #call, err ? err->message : "no error set"); \
    } while (0)

/* Makes place->dir a file system of its own that only this process sees, or
 * skips the test where that is not allowed. */
static inline void
own_mount(const Place *place, const char *options)
{
    static bool unshared;

    if (!unshared && unshare(CLONE_NEWNS) < 0)
        skip_because("no mount namespace: %s", g_strerror(errno));
    unshared = true;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("tmpfs", place->dir, "tmpfs", 0, options) < 0)
        skip_because("cannot mount: %s", g_strerror(errno));
}

static inline GPtrArray *
texts(const char *first, ...)
{
    GPtrArray *array = g_ptr_array_new_with_free_func(g_free);
    va_list args;

    va_start(args, first);
    for (const char *text = first; text; text = va_arg(args, const char *))
        g_ptr_array_add(array, g_strdup(text));
    va_end(args);
    return array;
}

static inline void
add_cell(GPtrArray *cells, guint index, const char *name, bool baseline)
{
    StoreCell *cell = g_new0(StoreCell, 1);

    cell->index = index;
    cell->name = g_strdup(name);
    cell->kind = g_strdup("cell");
    cell->state = g_strdup("planned");
    cell->baseline = baseline;
    cell->settings = texts("disk.cache", "disk.io", NULL);
    cell->levels = texts(name, "threads", NULL);
    g_ptr_array_add(cells, cell);
}

/* Three cells, given out of order. */
static inline GPtrArray *
three_cells(void)
{
    GPtrArray *cells =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_cell_free);

    add_cell(cells, 2, "unsafe", false);
    add_cell(cells, 0, "none", true);
    add_cell(cells, 1, "writeback", false);
    return cells;
}

/* A new database with three cells; NULL is reported by the caller's must(). */
static inline Store *
store_with_cells(const char *path, GError **err)
{
    g_autoptr(Store) store = store_create(path, err);
    g_autoptr(GPtrArray) cells = three_cells();

    if (!store || !store_put_design(store, cells, err))
        return NULL;
    return g_steal_pointer(&store);
}

static inline void
add_counter(GHashTable *counters, const char *name, gint64 count)
{
    gint64 *value = g_new(gint64, 1);

    *value = count;
    g_hash_table_insert(counters, g_strdup(name), value);
}

static inline void
add_value(Attempt *attempt, const char *metric, double number, bool valid)
{
    AttemptValue *value = g_new0(AttemptValue, 1);

    value->workload = g_strdup("fs.fsync");
    value->metric = g_strdup(metric);
    value->unit = g_strdup("us");
    value->value = number;
    value->n = 3384;
    value->valid = valid;
    value->reason = valid ? NULL : g_strdup("too few samples");
    g_ptr_array_add(attempt->values, value);
}

static inline void
add_hist_and_window(Attempt *attempt, guint salt)
{
    AttemptHist *hist = attempt_hist_new("fs.fsync", "fs.fsync.lat");
    AttemptWindow *window = attempt_window_new("fs.fsync", "run", 1);

    for (guint i = 0; i < FULL_BINS; i++) {
        HistBin bin = {.index = 1000 + 3 * i, .count = 1 + (i + salt) % 17};
        g_array_append_val(hist->bins, bin);
        hist->n += bin.count;
    }
    g_ptr_array_add(attempt->hists, hist);
    window->host_t0 = G_GINT64_CONSTANT(9007199254740993);
    window->host_t1 = window->host_t0 + 2000000001;
    window->guest_t0 = 17;
    window->guest_t1 = 2000000019;
    window->ops = 3384;
    window->cold = true;
    window->breach = g_strdup("steal: 6.1 % of 2 vCPUs (limit 5 %)");
    add_counter(window->before, "cpu.user", 100 + salt);
    add_counter(window->after, "cpu.user", 290 + salt);
    add_counter(window->before, "only.before", -1);
    add_counter(window->after, "only.after", G_MAXINT64);
    g_ptr_array_add(attempt->windows, window);
}

static inline void
add_proof(Attempt *attempt)
{
    AttemptProof *proof = g_new0(AttemptProof, 1);

    proof->setting = g_strdup("disk.cache");
    proof->source = g_strdup("qmp");
    proof->requested = g_strdup("none");
    proof->effective = g_strdup("none");
    proof->ok = true;
    g_ptr_array_add(attempt->proofs, proof);
}

static inline void
set_times(Attempt *attempt, guint salt)
{
    const gint64 begin = G_GINT64_CONSTANT(1000000000000) + salt;

    attempt->t_begin = begin;
    attempt->t_create = begin + 11;
    attempt->t_resume = begin + 22;
    attempt->t_ready = begin + 2500000022;
    attempt->t_done = begin + 9000000000;
    attempt->t_gone = begin + 9200000000;
    for (guint i = 0; i < PART_MAX; i++) {
        attempt->part_ns[i] = 1000000 * (gint64) (i + 1) + salt;
        attempt->t_end += attempt->part_ns[i];
    }
    attempt->t_end += begin; /* parts add up to the span */
}

/* An attempt with something in every member; `salt` varies it. */
static inline Attempt *
full_attempt(guint block, guint cell, guint salt)
{
    Attempt *attempt = attempt_new(block, cell, 1, cell);

    attempt->started = g_strdup("2026-11-30T19:42:07Z");
    set_times(attempt, salt);
    attempt->asked_xml =
        g_strdup_printf("<domain><cell>%u</cell></domain>", cell);
    attempt->live_xml = g_strdup("<domain/>\n");
    attempt->argv = g_strdup("qemu-system-x86_64 -nodefaults");
    attempt->console = g_strdup_printf("[    0.000000] Linux %u", salt);
    g_hash_table_insert(attempt->facts, g_strdup("kernel"), g_strdup("6.1"));
    g_hash_table_insert(attempt->facts, g_strdup("nr_cpus"), g_strdup("2"));
    add_value(attempt, "fs.fsync.p50", 591.25 + salt, true);
    add_value(attempt, "fs.fsync.p99", 1e-300, true);
    add_value(attempt, "fs.fsync.p999", -0.5, false);
    assert_int_equal(attempt->values->len, FULL_VALUES);
    add_hist_and_window(attempt, salt);
    add_proof(attempt);
    for (guint i = 0; i < FULL_LINES; i++)
        g_ptr_array_add(attempt->lines,
                        g_strdup_printf("{\"type\":\"note\",\"n\":%u}", i));
    attempt->slot = g_strdup("/var/cache/vsweep/slot-1.raw");
    attempt->slot_generation = G_MAXUINT64 - salt;
    attempt->cpu_s = 7.125;
    attempt->maxrss_kb = 123456;
    return attempt;
}

/* ------------------------------------------------------------- comparisons */

static inline void
same_text(const char *a, const char *b, const char *what)
{
    if (g_strcmp0(a, b) != 0)
        fail_msg("%s: '%s' became '%s'", what, a ? a : "NULL", b ? b : "NULL");
}

static inline void
same_texts(GHashTable *a, GHashTable *b)
{
    GHashTableIter iter;
    gpointer name, value;

    assert_int_equal(g_hash_table_size(a), g_hash_table_size(b));
    g_hash_table_iter_init(&iter, a);
    while (g_hash_table_iter_next(&iter, &name, &value))
        same_text(value, g_hash_table_lookup(b, name), name);
}

static inline void
same_counters(GHashTable *a, GHashTable *b)
{
    GHashTableIter iter;
    gpointer name, value;

    assert_int_equal(g_hash_table_size(a), g_hash_table_size(b));
    g_hash_table_iter_init(&iter, a);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        const gint64 *other = g_hash_table_lookup(b, name);
        assert_non_null(other);
        assert_true(*(const gint64 *) value == *other);
    }
}

static inline void
same_value(const AttemptValue *a, const AttemptValue *b)
{
    same_text(a->workload, b->workload, "workload");
    same_text(a->metric, b->metric, "metric");
    same_text(a->unit, b->unit, "unit");
    same_text(a->reason, b->reason, "reason");
    assert_int_equal(a->higher_better, b->higher_better);
    assert_true(a->value == b->value);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->valid, b->valid);
}

static inline void
same_hist(const AttemptHist *a, const AttemptHist *b)
{
    same_text(a->workload, b->workload, "workload");
    same_text(a->metric, b->metric, "metric");
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->bins->len, b->bins->len);
    for (guint i = 0; i < a->bins->len; i++) {
        const HistBin *x = &g_array_index(a->bins, HistBin, i);
        const HistBin *y = &g_array_index(b->bins, HistBin, i);
        assert_int_equal(x->index, y->index);
        assert_int_equal(x->count, y->count);
    }
}

static inline void
same_window(const AttemptWindow *a, const AttemptWindow *b)
{
    same_text(a->workload, b->workload, "workload");
    same_text(a->phase, b->phase, "phase");
    same_text(a->breach, b->breach, "breach");
    assert_int_equal(a->seq, b->seq);
    assert_true(a->host_t0 == b->host_t0 && a->host_t1 == b->host_t1);
    assert_true(a->guest_t0 == b->guest_t0 && a->guest_t1 == b->guest_t1);
    assert_int_equal(a->ops, b->ops);
    assert_int_equal(a->cold, b->cold);
    same_counters(a->before, b->before);
    same_counters(a->after, b->after);
}

static inline void
same_proof(const AttemptProof *a, const AttemptProof *b)
{
    same_text(a->setting, b->setting, "setting");
    same_text(a->source, b->source, "source");
    same_text(a->requested, b->requested, "requested");
    same_text(a->effective, b->effective, "effective");
    assert_int_equal(a->ok, b->ok);
}

static inline void
same_times(const Attempt *a, const Attempt *b)
{
    assert_true(a->t_begin == b->t_begin && a->t_create == b->t_create);
    assert_true(a->t_resume == b->t_resume && a->t_ready == b->t_ready);
    assert_true(a->t_done == b->t_done && a->t_gone == b->t_gone);
    assert_true(a->t_end == b->t_end);
    assert_memory_equal(a->part_ns, b->part_ns, sizeof(a->part_ns));
}

static inline void
same_lists(const Attempt *a, const Attempt *b)
{
    assert_int_equal(a->values->len, b->values->len);
    for (guint i = 0; i < a->values->len; i++)
        same_value(a->values->pdata[i], b->values->pdata[i]);
    assert_int_equal(a->hists->len, b->hists->len);
    for (guint i = 0; i < a->hists->len; i++)
        same_hist(a->hists->pdata[i], b->hists->pdata[i]);
    assert_int_equal(a->windows->len, b->windows->len);
    for (guint i = 0; i < a->windows->len; i++)
        same_window(a->windows->pdata[i], b->windows->pdata[i]);
    assert_int_equal(a->proofs->len, b->proofs->len);
    for (guint i = 0; i < a->proofs->len; i++)
        same_proof(a->proofs->pdata[i], b->proofs->pdata[i]);
    assert_int_equal(a->lines->len, b->lines->len);
    for (guint i = 0; i < a->lines->len; i++)
        same_text(a->lines->pdata[i], b->lines->pdata[i], "line");
}

static inline void
same_attempt(const Attempt *a, const Attempt *b)
{
    assert_int_equal(a->block, b->block);
    assert_int_equal(a->pos, b->pos);
    assert_int_equal(a->try, b->try);
    assert_int_equal(a->cell, b->cell);
    assert_int_equal(a->outcome, b->outcome);
    same_text(a->reason, b->reason, "reason");
    same_text(a->started, b->started, "started");
    same_times(a, b);
    same_text(a->asked_xml, b->asked_xml, "asked_xml");
    same_text(a->live_xml, b->live_xml, "live_xml");
    same_text(a->argv, b->argv, "argv");
    same_text(a->console, b->console, "console");
    same_texts(a->facts, b->facts);
    same_lists(a, b);
    same_text(a->slot, b->slot, "slot");
    assert_true(a->slot_generation == b->slot_generation);
    assert_true(a->cpu_s == b->cpu_s);
    assert_int_equal(a->maxrss_kb, b->maxrss_kb);
}

/* -------------------------------------------------------------- plain SQL */

/* The first column of the first row as text, "" when there is none: a second
 * opinion that does not go through the store. */
static inline char *
sql_text(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    char *text = NULL;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    if (sqlite3_step(stmt) == SQLITE_ROW)
        text = g_strdup((const char *) sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return text ? text : g_strdup("");
}

static inline void
sql_do(const char *path, const char *sql)
{
    g_autofree char *ignored = sql_text(path, sql);

    assert_non_null(ignored);
}

static inline void
sql_says(const char *path, const char *sql, const char *want)
{
    g_autofree char *got = sql_text(path, sql);

    if (strcmp(got, want) != 0)
        fail_msg("%s: '%s', not '%s'", sql, got, want);
}

static inline void
sql_sound(const char *path)
{
    sql_says(path, "PRAGMA integrity_check", "ok");
    sql_says(path, "SELECT count(*) FROM pragma_foreign_key_check", "0");
}
