/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was planned: factors with their levels, cells with their settings.
 */
#include "data/store.h"

#include "data/store-table.h"

/* Runs `sql` (parameters: owner, order, texts) for every entry; `names` may
 * be NULL. */
static bool
put_list(Store *store, const char *sql, gint64 owner, const GPtrArray *names,
         const GPtrArray *levels, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(store, sql, err);

    if (!stmt)
        return false;
    for (guint i = 0; i < levels->len; i++) {
        sqlite3_bind_int64(stmt, 1, owner);
        sqlite3_bind_int64(stmt, 2, i);
        store_bind_text(stmt, 3, levels->pdata[i]);
        if (names)
            store_bind_text(stmt, 4, names->pdata[i]);
        if (!store_run(store, stmt, err))
            return false;
    }
    return true;
}

/* Appends what `sql` (parameter: owner) yields, a level and, unless `names`
 * is NULL, a name. */
static bool
get_list(Store *store, const char *sql, gint64 owner, GPtrArray *names,
         GPtrArray *levels, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(store, sql, err);
    bool row = true;

    if (!stmt)
        return false;
    sqlite3_bind_int64(stmt, 1, owner);
    while (store_next(store, stmt, &row, err)) {
        if (!row)
            return true;
        g_ptr_array_add(levels, store_text(stmt, 0));
        if (names)
            g_ptr_array_add(names, store_text(stmt, 1));
    }
    return false;
}

/* ------------------------------------------------------------------- cells */

static bool
put_settings(Store *store, gint64 id, const void *row, GError **err)
{
    const StoreCell *cell = row;

    return put_list(store,
                    "INSERT INTO cell_setting (cell, ord, level, setting)"
                    " VALUES (?, ?, ?, ?)",
                    id, cell->settings, cell->levels, err);
}

static bool
get_settings(Store *store, gint64 id, void *row, GError **err)
{
    StoreCell *cell = row;

    cell->settings = g_ptr_array_new_with_free_func(g_free);
    cell->levels = g_ptr_array_new_with_free_func(g_free);
    return get_list(store,
                    "SELECT level, setting FROM cell_setting"
                    " WHERE cell = ? ORDER BY ord",
                    id, cell->settings, cell->levels, err);
}

static const Column cell_columns[] = {
    {"id", COLUMN_UINT, G_STRUCT_OFFSET(StoreCell, index)},
    {"name", COLUMN_TEXT, G_STRUCT_OFFSET(StoreCell, name)},
    {"kind", COLUMN_TEXT, G_STRUCT_OFFSET(StoreCell, kind)},
    {"state", COLUMN_TEXT, G_STRUCT_OFFSET(StoreCell, state)},
    {"why", COLUMN_TEXT, G_STRUCT_OFFSET(StoreCell, why)},
    {"baseline", COLUMN_BOOL, G_STRUCT_OFFSET(StoreCell, baseline)},
    {0},
};

static const Relation cell_relation = {
    .table = "cell",
    .from = "cell",
    .id = "id",
    .columns = cell_columns,
    .size = sizeof(StoreCell),
    .free = (GDestroyNotify) store_cell_free,
    .put_children = put_settings,
    .get_children = get_settings,
};

void
store_cell_free(StoreCell *cell)
{
    if (!cell)
        return;
    g_free(cell->name);
    g_free(cell->kind);
    g_free(cell->state);
    g_free(cell->why);
    if (cell->settings)
        g_ptr_array_unref(cell->settings);
    if (cell->levels)
        g_ptr_array_unref(cell->levels);
    g_free(cell);
}

bool
store_put_design(Store *store, const GPtrArray *cells, GError **err)
{
    if (!store_begin(store, err))
        return false;
    const bool ok = relation_put(store, &cell_relation, 0, cells->pdata,
                                 cells->len, NULL, err);
    return store_end(store, ok, err);
}

GPtrArray *
store_cells(Store *store, GError **err)
{
    return relation_get(store, &cell_relation, 0, err);
}

bool
store_set_cell_state(Store *store, guint index, const char *state,
                     const char *why, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(
        store, "UPDATE cell SET state = ?, why = ? WHERE id = ?", err);

    if (!stmt)
        return false;
    store_bind_text(stmt, 1, state);
    store_bind_text(stmt, 2, why);
    sqlite3_bind_int64(stmt, 3, index);
    if (!store_run(store, stmt, err))
        return false;
    if (sqlite3_changes(store->db) == 0)
        return vs_fail(err, "'%s' has no cell %u", store->path, index);
    return true;
}

/* ----------------------------------------------------------------- factors */

static bool
put_levels(Store *store, gint64 id, const void *row, GError **err)
{
    const StoreFactor *factor = row;

    return put_list(store,
                    "INSERT INTO factor_level (factor, ord, level)"
                    " VALUES (?, ?, ?)",
                    id, NULL, factor->levels, err);
}

static bool
get_levels(Store *store, gint64 id, void *row, GError **err)
{
    StoreFactor *factor = row;

    factor->levels = g_ptr_array_new_with_free_func(g_free);
    return get_list(store,
                    "SELECT level FROM factor_level WHERE factor = ?"
                    " ORDER BY ord",
                    id, NULL, factor->levels, err);
}

static const Column factor_columns[] = {
    {"setting", COLUMN_TEXT, G_STRUCT_OFFSET(StoreFactor, setting)},
    {"baseline", COLUMN_UINT, G_STRUCT_OFFSET(StoreFactor, baseline)},
    {0},
};

static const Relation factor_relation = {
    .table = "factor",
    .from = "factor",
    .id = "id",
    .columns = factor_columns,
    .size = sizeof(StoreFactor),
    .free = (GDestroyNotify) store_factor_free,
    .put_children = put_levels,
    .get_children = get_levels,
};

void
store_factor_free(StoreFactor *factor)
{
    if (!factor)
        return;
    g_free(factor->setting);
    if (factor->levels)
        g_ptr_array_unref(factor->levels);
    g_free(factor);
}

bool
store_put_factors(Store *store, const GPtrArray *factors, GError **err)
{
    if (!store_begin(store, err))
        return false;
    const bool ok = relation_put(store, &factor_relation, 0, factors->pdata,
                                 factors->len, NULL, err);
    return store_end(store, ok, err);
}

GPtrArray *
store_factors(Store *store, GError **err)
{
    return relation_get(store, &factor_relation, 0, err);
}
