/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows and structs (inside data/store only).  A table of columns says which
 * member of a struct is which column; writing and reading both follow it, so
 * they cannot differ, and a new member is one row.
 */
#pragma once

#include "data/store-column.h"

typedef struct Relation {
    const char *table;     /* to insert into, or NULL: only read */
    const char *owner;     /* the column that names the owner's row, or NULL */
    const char *from;      /* to read from: a table or a join */
    const char *id;        /* the row's id; rows are read in its order */
    const Column *columns; /* ends at name == NULL */
    gsize size;            /* of the struct */
    GDestroyNotify free;
    /* Rows that belong to a row; NULL: none. */
    bool (*put_children)(Store *store, gint64 id, const void *row,
                         GError **err);
    bool (*get_children)(Store *store, gint64 id, void *row, GError **err);
} Relation;

/* Writes all rows (pointers to the struct), in order, with their children.
 * *ret_id, unless NULL, is the id of the last. */
bool relation_put(Store *store, const Relation *relation, gint64 owner,
                  void *const *rows, guint count, gint64 *ret_id, GError **err);
/* All rows of `owner` (ignored when the relation has none). */
GPtrArray *relation_get(Store *store, const Relation *relation, gint64 owner,
                        GError **err);
/* The statement relation_get() runs: id first, then the columns. */
sqlite3_stmt *relation_select(Store *store, const Relation *relation,
                              GError **err);
/* Fills the struct from the current row of relation_select(). */
bool relation_read(Store *store, const Relation *relation, sqlite3_stmt *stmt,
                   void *row, GError **err);
