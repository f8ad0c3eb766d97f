/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows and structs: SQL made from the tables of columns.
 */
#include "data/store-table.h"

static sqlite3_stmt *
relation_insert(Store *store, const Relation *relation, GError **err)
{
    g_autoptr(GString) names = g_string_new(relation->owner);
    g_autoptr(GString) marks = g_string_new(relation->owner ? "?" : "");
    g_autofree char *sql = NULL;

    for (const Column *column = relation->columns; column->name; column++) {
        g_string_append_printf(names, "%s%s", names->len ? ", " : "",
                               column->name);
        g_string_append(marks, marks->len ? ", ?" : "?");
    }
    sql = g_strdup_printf("INSERT INTO %s (%s) VALUES (%s)", relation->table,
                          names->str, marks->str);
    return store_prepare(store, sql, err);
}

static bool
put_row(Store *store, const Relation *relation, sqlite3_stmt *stmt,
        gint64 owner, const void *row, GError **err)
{
    int index = 1;

    if (relation->owner &&
        !store_bound(store, sqlite3_bind_int64(stmt, index++, owner), err))
        return false;
    for (const Column *column = relation->columns; column->name; column++) {
        if (!column_codecs[column->type].bind(
                store, stmt, index++, (const char *) row + column->offset, err))
            return false;
    }
    return store_run(store, stmt, err);
}

bool
relation_put(Store *store, const Relation *relation, gint64 owner,
             void *const *rows, guint count, gint64 *ret_id, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = relation_insert(store, relation, err);
    gint64 id = 0;

    if (!stmt)
        return false;
    for (guint i = 0; i < count; i++) {
        if (!put_row(store, relation, stmt, owner, rows[i], err))
            return false;
        id = sqlite3_last_insert_rowid(store->db);
        if (relation->put_children &&
            !relation->put_children(store, id, rows[i], err))
            return false;
    }
    if (ret_id)
        *ret_id = id;
    return true;
}

sqlite3_stmt *
relation_select(Store *store, const Relation *relation, GError **err)
{
    g_autoptr(GString) sql = g_string_new("SELECT ");

    g_string_append(sql, relation->id);
    for (const Column *column = relation->columns; column->name; column++) {
        if (column->type == COLUMN_BODY)
            g_string_append_printf(sql,
                                   ", (SELECT body FROM text"
                                   " WHERE text.id = %s)",
                                   column->name);
        else
            g_string_append_printf(sql, ", %s", column->name);
    }
    g_string_append_printf(sql, " FROM %s", relation->from);
    if (relation->owner)
        g_string_append_printf(sql, " WHERE %s = ?", relation->owner);
    g_string_append_printf(sql, " ORDER BY %s", relation->id);
    return store_prepare(store, sql->str, err);
}

bool
relation_read(Store *store, const Relation *relation, sqlite3_stmt *stmt,
              void *row, GError **err)
{
    int index = 1; /* behind the id */

    for (const Column *column = relation->columns; column->name; column++) {
        if (!column_codecs[column->type].read(
                store, stmt, index++, (char *) row + column->offset, err))
            return false;
    }
    return !relation->get_children ||
           relation->get_children(store, sqlite3_column_int64(stmt, 0), row,
                                  err);
}

GPtrArray *
relation_get(Store *store, const Relation *relation, gint64 owner, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = relation_select(store, relation, err);
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(relation->free);
    bool more = false;

    if (!stmt || (relation->owner &&
                  !store_bound(store, sqlite3_bind_int64(stmt, 1, owner), err)))
        return NULL;
    while (true) {
        if (!store_next(store, stmt, &more, err))
            return NULL;
        if (!more)
            return g_steal_pointer(&rows);
        g_ptr_array_add(rows, g_malloc0(relation->size));
        if (!relation_read(store, relation, stmt, rows->pdata[rows->len - 1],
                           err))
            return NULL;
    }
}
