/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns (inside data/store only): which member of a struct is which column,
 * and how each type of member is written and read.
 */
#pragma once

#include "data/store-sql.h"

typedef enum {
    COLUMN_UINT,    /* guint */
    COLUMN_INT,     /* gint64 */
    COLUMN_INT0,    /* gint64; 0 is NULL */
    COLUMN_UINT64,  /* guint64; the same 64 bits */
    COLUMN_BOOL,    /* bool; 0 or 1 */
    COLUMN_REAL,    /* double; NaN and infinities are NULL, which reads NaN */
    COLUMN_REAL0,   /* double; 0 is NULL */
    COLUMN_TEXT,    /* char *, may be NULL */
    COLUMN_BODY,    /* char *, may be NULL; kept once in the table text */
    COLUMN_OUTCOME, /* Outcome; its name */
    COLUMN_MAX
} ColumnType;

typedef struct Column {
    const char *name; /* in `from`; also an expression when only read */
    ColumnType type;
    gsize offset; /* of the member in the struct */
} Column;

/* How one type of member becomes a parameter, and a column a member. */
typedef struct Codec {
    bool (*bind)(Store *store, sqlite3_stmt *stmt, int index, const void *slot,
                 GError **err);
    bool (*read)(Store *store, sqlite3_stmt *stmt, int column, void *slot,
                 GError **err);
} Codec;

/* By ColumnType. */
extern const Codec column_codecs[];

/* Turns the code of a bind into an error.  Numbers always fit; a bind fails
 * only for lack of memory or for a text beyond SQLite's limit of 10^9 bytes. */
bool store_bound(Store *store, int code, GError **err);
