/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows and structs: one codec per type of column, SQL made from the tables.
 */
#include "data/store-table.h"

#include <math.h>

/* How one type of member becomes a parameter, and a column a member. */
typedef struct Codec {
    bool (*bind)(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
                 GError **err);
    bool (*read)(Store *store, sqlite3_stmt *stmt, int column, void *slot,
                 GError **err);
} Codec;

/* Numbers always fit; a bind can only fail for lack of memory or for a text
 * beyond SQLite's limit of 10^9 bytes. */
static bool
bound(Store *store, int code, GError **err)
{
    return code == SQLITE_OK || store_fail(store, true, err);
}

static bool
bind_uint(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
          GError **err)
{
    return bound(store, sqlite3_bind_int64(stmt, index, *(const guint *) slot),
                 err);
}

static bool
read_uint(Store *store, sqlite3_stmt *stmt, int column, void *slot,
          GError **err)
{
    const gint64 value = sqlite3_column_int64(stmt, column);

    if (value < 0 || value > G_MAXUINT)
        return vs_fail(err, "'%s' is damaged: %s is %" G_GINT64_FORMAT,
                       store->path, sqlite3_column_name(stmt, column), value);
    *(guint *) slot = (guint) value;
    return true;
}

static bool
bind_int(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
         GError **err)
{
    return bound(store, sqlite3_bind_int64(stmt, index, *(const gint64 *) slot),
                 err);
}

static bool
bind_int0(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
          GError **err)
{
    if (*(const gint64 *) slot == 0)
        return bound(store, sqlite3_bind_null(stmt, index), err);
    return bind_int(store, stmt, index, slot, err);
}

static bool
read_int(Store *store, sqlite3_stmt *stmt, int column, void *slot, GError **err)
{
    (void) store;
    (void) err;
    *(gint64 *) slot = sqlite3_column_int64(stmt, column); /* NULL: 0 */
    return true;
}

static bool
bind_bool(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
          GError **err)
{
    return bound(store, sqlite3_bind_int(stmt, index, *(const bool *) slot),
                 err);
}

static bool
read_bool(Store *store, sqlite3_stmt *stmt, int column, void *slot,
          GError **err)
{
    (void) store;
    (void) err;
    *(bool *) slot = sqlite3_column_int(stmt, column) != 0;
    return true;
}

static bool
bind_real(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
          GError **err)
{
    const double value = *(const double *) slot;

    return bound(store,
                 isfinite(value) ? sqlite3_bind_double(stmt, index, value)
                                 : sqlite3_bind_null(stmt, index),
                 err);
}

static bool
bind_real0(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
           GError **err)
{
    if (*(const double *) slot == 0)
        return bound(store, sqlite3_bind_null(stmt, index), err);
    return bind_real(store, stmt, index, slot, err);
}

static bool
read_real(Store *store, sqlite3_stmt *stmt, int column, void *slot,
          GError **err)
{
    const bool null = sqlite3_column_type(stmt, column) == SQLITE_NULL;

    (void) store;
    (void) err;
    *(double *) slot = null ? NAN : sqlite3_column_double(stmt, column);
    return true;
}

static bool
read_real0(Store *store, sqlite3_stmt *stmt, int column, void *slot,
           GError **err)
{
    (void) store;
    (void) err;
    *(double *) slot = sqlite3_column_double(stmt, column); /* NULL: 0 */
    return true;
}

static bool
bind_text(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
          GError **err)
{
    return bound(
        store, store_bind_text(stmt, index, *(const char *const *) slot), err);
}

static bool
read_text(Store *store, sqlite3_stmt *stmt, int column, void *slot,
          GError **err)
{
    (void) store;
    (void) err;
    *(char **) slot = store_text(stmt, column);
    return true;
}

static bool
bind_outcome(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
             GError **err)
{
    return bound(
        store,
        store_bind_text(stmt, index, outcome_name(*(const Outcome *) slot)),
        err);
}

static bool
read_outcome(Store *store, sqlite3_stmt *stmt, int column, void *slot,
             GError **err)
{
    g_autofree char *name = store_text(stmt, column);

    if (!name || !outcome_parse(name, slot))
        return vs_fail(err, "'%s' is damaged: no outcome is called '%s'",
                       store->path, name ? name : "");
    return true;
}

/* The id of a text, which is added when it is new. */
static bool
intern_text(Store *store, const char *text, gint64 *ret_id, GError **err)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_autofree char *digest =
        g_compute_checksum_for_string(G_CHECKSUM_SHA256, valid, -1);
    g_autoptr(sqlite3_stmt) add =
        store_prepare(store,
                      "INSERT INTO text (sha256, body) VALUES (?, ?)"
                      " ON CONFLICT DO NOTHING",
                      err);
    g_autoptr(sqlite3_stmt) find =
        add ? store_prepare(store, "SELECT id FROM text WHERE sha256 = ?", err)
            : NULL;
    bool row = false;

    if (!find || !bound(store, store_bind_text(add, 1, digest), err) ||
        !bound(store, store_bind_text(add, 2, valid), err) ||
        !store_run(store, add, err) ||
        !bound(store, store_bind_text(find, 1, digest), err) ||
        !store_next(store, find, &row, err))
        return false;
    *ret_id = sqlite3_column_int64(find, 0);
    return true;
}

static bool
bind_body(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
          GError **err)
{
    const char *text = *(const char *const *) slot;
    gint64 id = 0;

    if (text && !intern_text(store, text, &id, err))
        return false;
    return bind_int0(store, stmt, index, &id, err);
}

static const Codec codecs[] = {
    [COLUMN_UINT] = {bind_uint, read_uint},
    [COLUMN_INT] = {bind_int, read_int},
    [COLUMN_INT0] = {bind_int0, read_int},
    [COLUMN_UINT64] = {bind_int, read_int},
    [COLUMN_BOOL] = {bind_bool, read_bool},
    [COLUMN_REAL] = {bind_real, read_real},
    [COLUMN_REAL0] = {bind_real0, read_real0},
    [COLUMN_TEXT] = {bind_text, read_text},
    [COLUMN_BODY] = {bind_body, read_text},
    [COLUMN_OUTCOME] = {bind_outcome, read_outcome},
};
G_STATIC_ASSERT(G_N_ELEMENTS(codecs) == COLUMN_MAX);

/* --------------------------------------------------------------- relations */

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
        !bound(store, sqlite3_bind_int64(stmt, index++, owner), err))
        return false;
    for (const Column *column = relation->columns; column->name; column++) {
        if (!codecs[column->type].bind(
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
        if (!codecs[column->type].read(store, stmt, index++,
                                       (char *) row + column->offset, err))
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
                  !bound(store, sqlite3_bind_int64(stmt, 1, owner), err)))
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
