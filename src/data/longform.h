/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table in long form, one line per run, as columns: numbers as they are,
 * texts numbered by first appearance, so that a million lines cost a few
 * words each.
 */
#pragma once

#include <glib.h>
#include "data/csv-problems.h"

/* The code of an empty field in a column of texts. */
#define LONG_NO_TEXT G_MAXUINT32

typedef enum {
    LONG_GUESS, /* the first field that is not empty decides; in a table that
                   was read: all fields are empty */
    LONG_NUMBER,
    LONG_TEXT,
    LONG_SKIP /* not kept */
} LongType;

typedef struct LongColumn {
    char *name;
    LongType type;
    GArray *numbers;   /* double, one a row; NaN: empty, NA, NaN ... */
    GArray *codes;     /* guint32, one a row: index in levels */
    GPtrArray *levels; /* char *: distinct texts by first appearance */
    GHashTable *index; /* text -> its code + 1 */
    guint32 last;      /* code of the row before */
} LongColumn;

typedef struct LongForm {
    char delimiter;
    GPtrArray *columns; /* LongColumn * */
    GArray *lines;      /* guint32: line of the file that a row began on */
} LongForm;

/* Reads a file; `types` names the type of each column, once the names are
 * known (complaints about names go to `problems`).  A table that comes with
 * problems must not be used.  NULL: the file cannot be read. */
LongForm *longform_read(const char *path, char delimiter,
                        void (*types)(LongForm *form, void *data,
                                      CsvProblems *problems),
                        void *data, CsvProblems *problems, GError **err);
void longform_free(LongForm *form);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LongForm, longform_free)

/* Lines of data. */
guint longform_rows(const LongForm *form);
/* Line of the file. */
guint longform_line(const LongForm *form, guint row);
/* The first line with that text in a column of texts; 0: none. */
guint longform_line_of(const LongForm *form, const LongColumn *column,
                       guint32 code);
/* Number of the column of that name, or -1. */
int longform_column(const LongForm *form, const char *name);
double long_number(const LongColumn *column, guint row);
guint32 long_code(const LongColumn *column, guint row);
/* NULL: empty. */
const char *long_text(const LongColumn *column, guint row);
