/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One attempt with everything in it, into the database and back: which member
 * is which column.
 */
#include "data/store.h"

#include "data/store-children.h"
#include "data/store-table.h"

#define AT(type, member) G_STRUCT_OFFSET(type, member)

static const Column value_columns[] = {
    {"workload", COLUMN_TEXT, AT(AttemptValue, workload)},
    {"metric", COLUMN_TEXT, AT(AttemptValue, metric)},
    {"unit", COLUMN_TEXT, AT(AttemptValue, unit)},
    {"higher_better", COLUMN_BOOL, AT(AttemptValue, higher_better)},
    {"value", COLUMN_REAL, AT(AttemptValue, value)},
    {"n", COLUMN_INT, AT(AttemptValue, n)},
    {"valid", COLUMN_BOOL, AT(AttemptValue, valid)},
    {"reason", COLUMN_TEXT, AT(AttemptValue, reason)},
    {0},
};

static const Relation value_relation = {
    .table = "value",
    .owner = "attempt",
    .from = "value",
    .id = "id",
    .columns = value_columns,
    .size = sizeof(AttemptValue),
    .free = (GDestroyNotify) attempt_value_free,
};

static const Column hist_columns[] = {
    {"workload", COLUMN_TEXT, AT(AttemptHist, workload)},
    {"metric", COLUMN_TEXT, AT(AttemptHist, metric)},
    {"n", COLUMN_INT, AT(AttemptHist, n)},
    {0},
};

static const Relation hist_relation = {
    .table = "hist",
    .owner = "attempt",
    .from = "hist",
    .id = "id",
    .columns = hist_columns,
    .size = sizeof(AttemptHist),
    .free = (GDestroyNotify) attempt_hist_free,
    .put_children = store_put_bins,
    .get_children = store_get_bins,
};

static const Column window_columns[] = {
    {"workload", COLUMN_TEXT, AT(AttemptWindow, workload)},
    {"phase", COLUMN_TEXT, AT(AttemptWindow, phase)},
    {"seq", COLUMN_UINT, AT(AttemptWindow, seq)},
    {"host_t0", COLUMN_INT0, AT(AttemptWindow, host_t0)},
    {"host_t1", COLUMN_INT0, AT(AttemptWindow, host_t1)},
    {"guest_t0", COLUMN_INT0, AT(AttemptWindow, guest_t0)},
    {"guest_t1", COLUMN_INT0, AT(AttemptWindow, guest_t1)},
    {"ops", COLUMN_INT, AT(AttemptWindow, ops)},
    {"cold", COLUMN_BOOL, AT(AttemptWindow, cold)},
    {"breach", COLUMN_TEXT, AT(AttemptWindow, breach)},
    {0},
};

static const Relation window_relation = {
    .table = "window",
    .owner = "attempt",
    .from = "window",
    .id = "id",
    .columns = window_columns,
    .size = sizeof(AttemptWindow),
    .free = (GDestroyNotify) attempt_window_free,
    .put_children = store_put_counters,
    .get_children = store_get_counters,
};

static const Column proof_columns[] = {
    {"setting", COLUMN_TEXT, AT(AttemptProof, setting)},
    {"source", COLUMN_TEXT, AT(AttemptProof, source)},
    {"requested", COLUMN_TEXT, AT(AttemptProof, requested)},
    {"effective", COLUMN_TEXT, AT(AttemptProof, effective)},
    {"ok", COLUMN_BOOL, AT(AttemptProof, ok)},
    {0},
};

static const Relation proof_relation = {
    .table = "proof",
    .owner = "attempt",
    .from = "proof",
    .id = "id",
    .columns = proof_columns,
    .size = sizeof(AttemptProof),
    .free = (GDestroyNotify) attempt_proof_free,
};

static const Column attempt_columns[] = {
    {"block", COLUMN_UINT, AT(Attempt, block)},
    {"pos", COLUMN_UINT, AT(Attempt, pos)},
    {"try", COLUMN_UINT, AT(Attempt, try)},
    {"cell", COLUMN_UINT, AT(Attempt, cell)},
    {"outcome", COLUMN_OUTCOME, AT(Attempt, outcome)},
    {"reason", COLUMN_TEXT, AT(Attempt, reason)},
    {"started", COLUMN_TEXT, AT(Attempt, started)},
    {"t_begin", COLUMN_INT0, AT(Attempt, t_begin)},
    {"t_create", COLUMN_INT0, AT(Attempt, t_create)},
    {"t_resume", COLUMN_INT0, AT(Attempt, t_resume)},
    {"t_ready", COLUMN_INT0, AT(Attempt, t_ready)},
    {"t_done", COLUMN_INT0, AT(Attempt, t_done)},
    {"t_gone", COLUMN_INT0, AT(Attempt, t_gone)},
    {"t_end", COLUMN_INT0, AT(Attempt, t_end)},
    {"prepare_ns", COLUMN_INT, AT(Attempt, part_ns[PART_PREPARE])},
    {"boot_ns", COLUMN_INT, AT(Attempt, part_ns[PART_BOOT])},
    {"measure_ns", COLUMN_INT, AT(Attempt, part_ns[PART_MEASURE])},
    {"stop_ns", COLUMN_INT, AT(Attempt, part_ns[PART_STOP])},
    {"images_ns", COLUMN_INT, AT(Attempt, part_ns[PART_IMAGES])},
    {"wait_ns", COLUMN_INT, AT(Attempt, part_ns[PART_WAIT])},
    {"other_ns", COLUMN_INT, AT(Attempt, part_ns[PART_OTHER])},
    {"asked_xml", COLUMN_BODY, AT(Attempt, asked_xml)},
    {"live_xml", COLUMN_BODY, AT(Attempt, live_xml)},
    {"argv", COLUMN_BODY, AT(Attempt, argv)},
    {"console", COLUMN_BODY, AT(Attempt, console)},
    {"slot", COLUMN_TEXT, AT(Attempt, slot)},
    {"slot_generation", COLUMN_UINT64, AT(Attempt, slot_generation)},
    {"cpu_s", COLUMN_REAL0, AT(Attempt, cpu_s)},
    {"maxrss_kb", COLUMN_INT0, AT(Attempt, maxrss_kb)},
    {0},
};
/* A new part needs a column PART_ns here and in schema.sql. */
G_STATIC_ASSERT(PART_MAX == 7);

/* The lists of an attempt and how their entries are kept. */
static const struct {
    const Relation *relation;
    gsize offset; /* of the GPtrArray * in Attempt */
} lists[] = {
    {&value_relation, AT(Attempt, values)},
    {&hist_relation, AT(Attempt, hists)},
    {&window_relation, AT(Attempt, windows)},
    {&proof_relation, AT(Attempt, proofs)},
};

static bool
put_children(Store *store, gint64 id, const void *row, GError **err)
{
    const Attempt *attempt = row;

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        const GPtrArray *list =
            G_STRUCT_MEMBER(GPtrArray *, row, lists[i].offset);
        if (!relation_put(store, lists[i].relation, id, list->pdata, list->len,
                          NULL, err))
            return false;
    }
    return store_put_facts(store, id, attempt->facts, err) &&
           store_put_lines(store, id, attempt->lines, err);
}

static bool
get_children(Store *store, gint64 id, void *row, GError **err)
{
    Attempt *attempt = row;

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        GPtrArray **list = G_STRUCT_MEMBER_P(row, lists[i].offset);
        GPtrArray *stored = relation_get(store, lists[i].relation, id, err);
        if (!stored)
            return false;
        g_ptr_array_unref(*list);
        *list = stored;
    }
    return store_get_facts(store, id, attempt->facts, err) &&
           store_get_lines(store, id, attempt->lines, err);
}

static const Relation attempt_relation = {
    .table = "attempt",
    .from = "attempt",
    .id = "id",
    .columns = attempt_columns,
    .size = sizeof(Attempt),
    .free = (GDestroyNotify) attempt_free,
    .put_children = put_children,
    .get_children = get_children,
};

bool
store_put_attempt(Store *store, const Attempt *attempt, gint64 *ret_id,
                  GError **err)
{
    void *const rows[] = {(void *) attempt};
    gint64 id = 0;

    if (!store_begin(store, err))
        return false;
    const bool ok =
        relation_put(store, &attempt_relation, 0, rows, 1, &id, err);
    if (!store_end(store, ok, err))
        return false;
    *ret_id = id;
    return true;
}

static const Relation attempt_by_id = {
    .owner = "id",
    .from = "attempt",
    .id = "id",
    .columns = attempt_columns,
    .get_children = get_children,
};

Attempt *
store_attempt(Store *store, gint64 id, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = relation_select(store, &attempt_by_id, err);
    g_autoptr(Attempt) attempt = attempt_new(0, 0, 0, 0);
    bool row = false;

    if (!stmt)
        return NULL;
    sqlite3_bind_int64(stmt, 1, id);
    if (!store_next(store, stmt, &row, err))
        return NULL;
    if (!row) {
        vs_fail(err, "'%s' has no attempt %" G_GINT64_FORMAT, store->path, id);
        return NULL;
    }
    if (!relation_read(store, &attempt_by_id, stmt, attempt, err))
        return NULL;
    return g_steal_pointer(&attempt);
}
