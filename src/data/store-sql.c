/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SQLite behind our error contract.
 */
#include "data/store-sql.h"

#include <errno.h>
#include <string.h>

/* Full disks show as SQLITE_FULL, or as an I/O error when the shared memory
 * file cannot grow. */
static bool
is_full(sqlite3 *db)
{
    const int code = sqlite3_errcode(db) & 0xff; /* the primary code */

    return code == SQLITE_FULL ||
           (code == SQLITE_IOERR && sqlite3_system_errno(db) == ENOSPC);
}

bool
store_fail(Store *store, bool writing, GError **err)
{
    const int code = sqlite3_errcode(store->db) & 0xff;
    const char *why = sqlite3_errmsg(store->db);

    if (is_full(store->db))
        why = "the disk it is on is full; make room there and run again";
    else if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        why = "another program keeps it locked";
    return vs_fail(err, "cannot %s '%s': %s", writing ? "write" : "read",
                   store->path, why);
}

bool
store_exec(Store *store, const char *sql, GError **err)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return store_fail(store, store->write, err);
    return true;
}

sqlite3_stmt *
store_prepare(Store *store, const char *sql, GError **err)
{
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        store_fail(store, store->write, err);
    return stmt;
}

int
store_bind_text(sqlite3_stmt *stmt, int index, const char *text)
{
    if (!text)
        return sqlite3_bind_null(stmt, index);
    if (g_utf8_validate(text, -1, NULL))
        return sqlite3_bind_text64(stmt, index, text, strlen(text),
                                   SQLITE_TRANSIENT, SQLITE_UTF8);
    char *valid = g_utf8_make_valid(text, -1);
    return sqlite3_bind_text64(stmt, index, valid, strlen(valid), g_free,
                               SQLITE_UTF8);
}

bool
store_run(Store *store, sqlite3_stmt *stmt, GError **err)
{
    const int code = sqlite3_step(stmt);

    if (code != SQLITE_DONE) {
        store_fail(store, true, err);
        sqlite3_reset(stmt);
        return false;
    }
    sqlite3_reset(stmt);
    return true;
}

bool
store_next(Store *store, sqlite3_stmt *stmt, bool *ret_row, GError **err)
{
    const int code = sqlite3_step(stmt);

    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_fail(store, false, err);
    *ret_row = code == SQLITE_ROW;
    return true;
}

char *
store_text(sqlite3_stmt *stmt, int column)
{
    return g_strdup((const char *) sqlite3_column_text(stmt, column));
}

bool
store_begin(Store *store, GError **err)
{
    /* IMMEDIATE: another writer shows now and not in the middle. */
    return store_exec(store, "BEGIN IMMEDIATE", err);
}

bool
store_end(Store *store, bool ok, GError **err)
{
    if (ok && store_exec(store, "COMMIT", err))
        return true;
    /* SQLite has rolled back by itself after some errors. */
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}
