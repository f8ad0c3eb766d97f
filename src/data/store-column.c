/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One codec per type of column.
 */
#include "data/store-column.h"

#include <math.h>

bool
store_bound(Store *store, int code, GError **err)
{
    return code == SQLITE_OK || store_fail(store, true, err);
}

static bool
bind_uint(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
          GError **err)
{
    return store_bound(
        store, sqlite3_bind_int64(stmt, index, *(const guint *) slot), err);
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
    return store_bound(
        store, sqlite3_bind_int64(stmt, index, *(const gint64 *) slot), err);
}

static bool
bind_int0(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
          GError **err)
{
    if (*(const gint64 *) slot == 0)
        return store_bound(store, sqlite3_bind_null(stmt, index), err);
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
    return store_bound(
        store, sqlite3_bind_int(stmt, index, *(const bool *) slot), err);
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

    return store_bound(store,
                       isfinite(value) ? sqlite3_bind_double(stmt, index, value)
                                       : sqlite3_bind_null(stmt, index),
                       err);
}

static bool
bind_real0(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
           GError **err)
{
    if (*(const double *) slot == 0)
        return store_bound(store, sqlite3_bind_null(stmt, index), err);
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
    return store_bound(
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
    return store_bound(
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

    if (!find || !store_bound(store, store_bind_text(add, 1, digest), err) ||
        !store_bound(store, store_bind_text(add, 2, valid), err) ||
        !store_run(store, add, err) ||
        !store_bound(store, store_bind_text(find, 1, digest), err) ||
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

const Codec column_codecs[] = {
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
G_STATIC_ASSERT(G_N_ELEMENTS(column_codecs) == COLUMN_MAX);
