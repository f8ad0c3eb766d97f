/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV files as other programs write them: RFC 4180, with or without a byte
 * order mark, LF, CRLF or CR, fields separated by commas or by what the
 * heading shows (semicolons, tabs).  Empty lines are passed over.
 */
#pragma once

#include <glib.h>
#include "base/error.h"
#include "data/csv-problems.h"

/* Bytes of one field: beyond it a quote was left open, or it is no CSV. */
#define CSV_FIELD_MAX (1u << 20)

/* What is done with the fields as they come.  Rows are numbered by the line
 * of the file that they begin on, columns from 0. */
typedef struct CsvSink {
    /* NUL-terminated; the text lasts until the call returns. */
    void (*field)(void *data, guint row, guint column, const char *text);
    /* Behind the last field of a row; false: read no further. */
    bool (*end_row)(void *data, guint row, guint fields);
    void *data;
} CsvSink;

/* Reads a file ("-": standard input).  delimiter 0: found out, and written to
 * *ret_delimiter before the first field comes.  What is wrong with the file is
 * added to `problems`; false is only for one that cannot be read. */
bool csv_file_read(const char *path, char delimiter, const CsvSink *sink,
                   CsvProblems *problems, char *ret_delimiter, GError **err);
