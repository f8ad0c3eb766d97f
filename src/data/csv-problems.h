/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is wrong with a CSV file, gathered, so that all of it comes out at
 * once: "file:row: ..." or "file:row:column name: ...".  Rows are lines of the
 * file, the heading being line 1.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

typedef struct CsvProblems {
    char *file;
    GPtrArray *lines; /* char *, the first ones */
    guint more;       /* that came after them */
} CsvProblems;

CsvProblems *csv_problems_new(const char *file);
/* row 0: the file as a whole; column NULL: the whole row.  Control characters
 * become '?'. */
void csv_problems_add(CsvProblems *problems, guint row, const char *column,
                      const char *format, ...) G_GNUC_PRINTF(4, 5);
/* True and no error when there is none; else false and a VS_ERROR_USAGE whose
 * message is all of them, one a line. */
bool csv_problems_check(const CsvProblems *problems, GError **err);
void csv_problems_free(CsvProblems *problems);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CsvProblems, csv_problems_free)
