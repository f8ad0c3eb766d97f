/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the store share (inside data/store only): the connection,
 * statements, transactions, and one way for the texts of all errors.
 */
#pragma once

#include <glib.h>
#include <sqlite3.h>
#include "base/error.h"
#include "data/store.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(sqlite3_stmt, sqlite3_finalize)

struct Store {
    sqlite3 *db;
    char *path; /* for messages */
    bool write;
};

/* The connection's last error: "cannot write 'x/results.db': ...". */
bool store_fail(Store *store, bool writing, GError **err);
/* One or more statements without parameters or rows. */
bool store_exec(Store *store, const char *sql, GError **err);
sqlite3_stmt *store_prepare(Store *store, const char *sql, GError **err);
/* Binds a copy; NULL binds NULL; what is not UTF-8 is replaced, since readers
 * of TEXT may rely on it.  Returns SQLite's code. */
int store_bind_text(sqlite3_stmt *stmt, int index, const char *text);
/* Runs a statement that returns no row and resets it for the next one. */
bool store_run(Store *store, sqlite3_stmt *stmt, GError **err);
/* The next row: *ret_row is false behind the last one. */
bool store_next(Store *store, sqlite3_stmt *stmt, bool *ret_row, GError **err);
/* A copy of a column's text; NULL for NULL. */
char *store_text(sqlite3_stmt *stmt, int column);

/* A transaction: store_end() commits when `ok`, else rolls back and keeps the
 * error that is set already.  Returns whether the work is on disk. */
bool store_begin(Store *store, GError **err);
bool store_end(Store *store, bool ok, GError **err);
