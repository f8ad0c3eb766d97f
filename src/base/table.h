/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain text tables: columns as wide as their widest cell, two spaces between
 * them, numbers to the right, no line ends in white space.
 */
#pragma once

#include <glib.h>

typedef enum { TABLE_LEFT, TABLE_RIGHT } TableAlign;

typedef struct Table Table;

/* `columns` headings and alignments; the texts are copied. */
Table *table_new(guint columns, const char *const *headings,
                 const TableAlign *align);
/* Adds a row of `columns` texts (copied; NULL is an empty cell). */
void table_add(Table *table, const char *const *cells);
/* Adds an empty line between rows. */
void table_rule(Table *table);
/* Appends the table to `out`, each line behind `indent` spaces.  Width is
 * counted in Unicode characters. */
void table_format(const Table *table, guint indent, GString *out);
/* The same as a Markdown pipe table; '|' in cells is escaped. */
void table_format_markdown(const Table *table, GString *out);
void table_free(Table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)
