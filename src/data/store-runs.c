/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attempts at a glance: what resuming and analysis need of all of them, and
 * where the time went.
 */
#include "data/store.h"

#include "data/store-table.h"

#define RUN(member) G_STRUCT_OFFSET(StoreRun, member)
#define VALUE(member) G_STRUCT_OFFSET(StoreValue, member)

static const Column run_columns[] = {
    {"id", COLUMN_INT, RUN(id)},
    {"block", COLUMN_UINT, RUN(block)},
    {"pos", COLUMN_UINT, RUN(pos)},
    {"try", COLUMN_UINT, RUN(try)},
    {"cell", COLUMN_UINT, RUN(cell)},
    {"outcome", COLUMN_OUTCOME, RUN(outcome)},
    {"reason", COLUMN_TEXT, RUN(reason)},
    {"discarded IS NOT NULL", COLUMN_BOOL, RUN(discarded)},
    {"prepare_ns", COLUMN_INT, RUN(part_ns[PART_PREPARE])},
    {"boot_ns", COLUMN_INT, RUN(part_ns[PART_BOOT])},
    {"measure_ns", COLUMN_INT, RUN(part_ns[PART_MEASURE])},
    {"stop_ns", COLUMN_INT, RUN(part_ns[PART_STOP])},
    {"images_ns", COLUMN_INT, RUN(part_ns[PART_IMAGES])},
    {"wait_ns", COLUMN_INT, RUN(part_ns[PART_WAIT])},
    {"other_ns", COLUMN_INT, RUN(part_ns[PART_OTHER])},
    {"t_ready - t_resume", COLUMN_INT0, RUN(boot_ns)},
    {"t_end - t_begin", COLUMN_INT0, RUN(span_ns)},
    {0},
};

static const Relation run_relation = {
    .from = "attempt",
    .id = "id",
    .columns = run_columns,
    .size = sizeof(StoreRun),
    .free = (GDestroyNotify) store_run_free,
};

/* The same as the view v_values, which a person reads. */
static const Column value_columns[] = {
    {"a.id", COLUMN_INT, VALUE(attempt)},
    {"a.block", COLUMN_UINT, VALUE(block)},
    {"a.pos", COLUMN_UINT, VALUE(pos)},
    {"a.try", COLUMN_UINT, VALUE(try)},
    {"a.cell", COLUMN_UINT, VALUE(cell)},
    {"a.outcome", COLUMN_OUTCOME, VALUE(outcome)},
    {"v.workload", COLUMN_TEXT, VALUE(workload)},
    {"v.metric", COLUMN_TEXT, VALUE(metric)},
    {"v.unit", COLUMN_TEXT, VALUE(unit)},
    {"v.higher_better", COLUMN_BOOL, VALUE(higher_better)},
    {"v.value", COLUMN_REAL, VALUE(value)},
    {"v.n", COLUMN_INT, VALUE(n)},
    {"v.valid AND v.value IS NOT NULL AND a.outcome = 'ok'", COLUMN_BOOL,
     VALUE(valid)},
    {"coalesce(v.reason, a.reason)", COLUMN_TEXT, VALUE(reason)},
    {0},
};

static const Relation value_relation = {
    .from = "value AS v JOIN attempt AS a"
            " ON a.id = v.attempt AND a.discarded IS NULL",
    .id = "v.id",
    .columns = value_columns,
    .size = sizeof(StoreValue),
    .free = (GDestroyNotify) store_value_free,
};

void
store_run_free(StoreRun *run)
{
    if (!run)
        return;
    g_free(run->reason);
    g_free(run);
}

GPtrArray *
store_runs(Store *store, GError **err)
{
    return relation_get(store, &run_relation, 0, err);
}

bool
store_discard_block(Store *store, guint block, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(
        store, "UPDATE attempt SET discarded = 'session' WHERE block = ?", err);

    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, block);
    return store_run(store, stmt, err);
}

void
store_value_free(StoreValue *value)
{
    if (!value)
        return;
    g_free(value->workload);
    g_free(value->metric);
    g_free(value->unit);
    g_free(value->reason);
    g_free(value);
}

GPtrArray *
store_values(Store *store, GError **err)
{
    return relation_get(store, &value_relation, 0, err);
}

/* -------------------------------------------------------------------- time */

bool
store_add_time(Store *store, Part part, gint64 ns, GError **err)
{
    if (ns == 0)
        return true;
    g_autoptr(sqlite3_stmt) stmt =
        store_prepare(store,
                      "INSERT INTO time (part, ns) VALUES (?, ?)"
                      " ON CONFLICT (part) DO UPDATE SET ns = ns + excluded.ns",
                      err);

    if (!stmt)
        return false;
    store_bind_text(stmt, 1, part_name(part));
    sqlite3_bind_int64(stmt, 2, ns);
    return store_run(store, stmt, err);
}

/* Columns of attempt are called after the parts. */
static bool
read_time(Store *store, const char *name, gint64 *ret_ns, GError **err)
{
    g_autofree char *sql = g_strdup_printf(
        "SELECT coalesce(sum(%s_ns), 0) + coalesce((SELECT ns FROM time"
        " WHERE part = '%s'), 0) FROM attempt",
        name, name);
    g_autoptr(sqlite3_stmt) stmt = store_prepare(store, sql, err);
    bool row = false;

    if (!stmt || !store_next(store, stmt, &row, err))
        return false;
    *ret_ns = sqlite3_column_int64(stmt, 0);
    return true;
}

bool
store_times(Store *store, gint64 ret_ns[PART_MAX], GError **err)
{
    gint64 times[PART_MAX] = {0};

    for (guint i = 0; i < PART_MAX; i++) {
        if (!read_time(store, part_name((Part) i), &times[i], err))
            return false;
    }
    for (guint i = 0; i < PART_MAX; i++)
        ret_ns[i] = times[i];
    return true;
}
