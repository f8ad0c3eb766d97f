/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of an attempt that are tables or plain lists: facts, lines, bins
 * of histograms, counters of windows.
 */
#include "data/store-children.h"

/* ------------------------------------------------------------------- facts */

bool
store_put_facts(Store *store, gint64 id, GHashTable *facts, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(
        store,
        "INSERT INTO attempt_fact (attempt, name, value) VALUES (?, ?, ?)",
        err);
    GHashTableIter iter;
    gpointer name, value;

    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, id);
    g_hash_table_iter_init(&iter, facts);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        store_bind_text(stmt, 2, name);
        store_bind_text(stmt, 3, value);
        if (!store_run(store, stmt, err))
            return false;
    }
    return true;
}

bool
store_get_facts(Store *store, gint64 id, GHashTable *facts, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(
        store, "SELECT name, value FROM attempt_fact WHERE attempt = ?", err);
    bool row = false;

    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, id);
    while (store_next(store, stmt, &row, err)) {
        if (!row)
            return true;
        g_hash_table_insert(facts, store_text(stmt, 0), store_text(stmt, 1));
    }
    return false;
}

/* ------------------------------------------------------------------- lines */

bool
store_put_lines(Store *store, gint64 id, const GPtrArray *lines, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(
        store, "INSERT INTO line (attempt, ord, json) VALUES (?, ?, ?)", err);

    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, id);
    for (guint i = 0; i < lines->len; i++) {
        sqlite3_bind_int64(stmt, 2, i);
        store_bind_text(stmt, 3, lines->pdata[i]);
        if (!store_run(store, stmt, err))
            return false;
    }
    return true;
}

bool
store_get_lines(Store *store, gint64 id, GPtrArray *lines, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(
        store, "SELECT json FROM line WHERE attempt = ? ORDER BY ord", err);
    bool row = false;

    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, id);
    while (store_next(store, stmt, &row, err)) {
        if (!row)
            return true;
        g_ptr_array_add(lines, store_text(stmt, 0));
    }
    return false;
}

/* -------------------------------------------------------------- histograms */

/* A long histogram comes in several lines whose bins add up, so the same bin
 * may be there twice. */
bool
store_put_bins(Store *store, gint64 id, const void *row, GError **err)
{
    const AttemptHist *hist = row;
    g_autoptr(sqlite3_stmt) stmt =
        store_prepare(store,
                      "INSERT INTO hist_bin (hist, bin, count) VALUES (?, ?, ?)"
                      " ON CONFLICT DO UPDATE"
                      " SET count = count + excluded.count",
                      err);

    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, id);
    for (guint i = 0; i < hist->bins->len; i++) {
        const HistBin *bin = &g_array_index(hist->bins, HistBin, i);
        sqlite3_bind_int64(stmt, 2, bin->index);
        sqlite3_bind_int64(stmt, 3, bin->count);
        if (!store_run(store, stmt, err))
            return false;
    }
    return true;
}

bool
store_get_bins(Store *store, gint64 id, void *row, GError **err)
{
    AttemptHist *hist = row;
    g_autoptr(sqlite3_stmt) stmt = store_prepare(
        store, "SELECT bin, count FROM hist_bin WHERE hist = ? ORDER BY bin",
        err);
    bool more = false;

    hist->bins = g_array_new(FALSE, TRUE, sizeof(HistBin));
    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, id);
    while (store_next(store, stmt, &more, err)) {
        if (!more)
            return true;
        HistBin bin = {.index = (guint32) sqlite3_column_int64(stmt, 0),
                       .count = sqlite3_column_int64(stmt, 1)};
        g_array_append_val(hist->bins, bin);
    }
    return false;
}

/* ---------------------------------------------------------------- counters */

/* Binds a counter that may be missing at this end of the window. */
static void
bind_counter(sqlite3_stmt *stmt, int index, GHashTable *counters,
             const char *name)
{
    const gint64 *value = g_hash_table_lookup(counters, name);

    if (value)
        sqlite3_bind_int64(stmt, index, *value);
    else
        sqlite3_bind_null(stmt, index);
}

bool
store_put_counters(Store *store, gint64 id, const void *row, GError **err)
{
    const AttemptWindow *window = row;
    GHashTable *const ends[] = {window->before, window->after};
    g_autoptr(sqlite3_stmt) stmt =
        store_prepare(store,
                      "INSERT INTO counter (window, name, before, after)"
                      " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                      err);

    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, id);
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        GHashTableIter iter;
        gpointer name;
        g_hash_table_iter_init(&iter, ends[i]);
        while (g_hash_table_iter_next(&iter, &name, NULL)) {
            store_bind_text(stmt, 2, name);
            bind_counter(stmt, 3, window->before, name);
            bind_counter(stmt, 4, window->after, name);
            if (!store_run(store, stmt, err))
                return false;
        }
    }
    return true;
}

static void
read_counter(sqlite3_stmt *stmt, int column, GHashTable *counters)
{
    if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
        return;
    gint64 *value = g_new(gint64, 1);
    *value = sqlite3_column_int64(stmt, column);
    g_hash_table_insert(counters, store_text(stmt, 0), value);
}

bool
store_get_counters(Store *store, gint64 id, void *row, GError **err)
{
    AttemptWindow *window = row;
    g_autoptr(sqlite3_stmt) stmt = store_prepare(
        store, "SELECT name, before, after FROM counter WHERE window = ?", err);
    bool more = false;

    window->before =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    window->after =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, id);
    while (store_next(store, stmt, &more, err)) {
        if (!more)
            return true;
        read_counter(stmt, 1, window->before);
        read_counter(stmt, 2, window->after);
    }
    return false;
}
