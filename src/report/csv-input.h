/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How report_from_csv() is put together: what the columns of the file are,
 * which line belongs to which cell, block and run, and the values.  Only
 * src/report/csv-*.c and from-csv.c use this.
 */
#pragma once

#include "data/longform.h"
#include "report/from-csv.h"
#include "report/parts.h"

/* What a column can be besides a setting or a metric. */
typedef enum {
    ROLE_BLOCK,
    ROLE_CELL,
    ROLE_KIND,
    ROLE_METRIC, /* these two: one value a line */
    ROLE_VALUE,
    ROLE_WORKLOAD,
    ROLE_UNIT,
    ROLE_BETTER,
    ROLE_ATTEMPT,
    ROLE_ITERATION,
    ROLE_VALID,
    ROLE_REASON,
    ROLE_POS,
    ROLE_TIME,
    ROLE_ACCEL,
    ROLE_MAX
} Role;

/* More cells than this are no design but a wrong column. */
#define CSV_CELLS_MAX 4096u
/* Cells x blocks x metrics: 64 Mi, two tables of 512 MiB. */
#define CSV_VALUES_MAX (1u << 26)

/* One metric while its values come in. */
typedef struct CsvMetric {
    ReportMetric *metric;      /* the report's */
    const LongColumn *numbers; /* where its values are */
    guint32 code; /* of its name among ROLE_METRIC's, when there are those */
    guint absent, absent_line;  /* lines without a value */
    guint impossible, bad_line; /* at or below zero */
    bool assumed;               /* nobody said which way is better */
} CsvMetric;

typedef struct CsvInput {
    const CsvOptions *options;
    CsvProblems *problems;
    LongForm *form;
    Report *report; /* being filled */

    /* csv-columns.c; members of form->columns */
    const LongColumn *role[ROLE_MAX];
    GPtrArray *settings, *metrics, *unused;

    /* csv-rows.c; of each row */
    guint *cell, *block, *run, *item;
    guint n_cells, n_blocks, n_runs, n_items;
    guint *cell_row, *run_row; /* the first row of each */

    GArray *measured; /* CsvMetric, as Report.metrics */
    /* csv-runs.c; of each run */
    guint *try;
    bool *run_valid; /* some value of it counts */
    /* csv-values.c; of each item and metric, 0: none; NULL without a column of
     * iterations */
    double *item_value;
} CsvInput;

/* csv-columns.c.  For longform_read(). */
void csv_columns_types(LongForm *form, void *input, CsvProblems *problems);
/* Once all is read: what is a setting, a metric, neither. */
void csv_columns_settle(CsvInput *input);
/* "block: day; settings: cache, io; metrics: s".  Caller frees. */
char *csv_columns_text(const CsvInput *input);
/* The words of a comma-separated list.  (GStrv) */
GStrv csv_words(const char *list);
bool csv_listed(const char *list, const char *word);

/* csv-rows.c: false after a complaint. */
bool csv_rows_number(CsvInput *input);
/* csv-cells.c: Report.cells and .factors. */
/* csv-names.c: levels from names such as "cache=none/io=native". */
void csv_cells_split_names(CsvInput *input);
bool csv_cells_make(CsvInput *input);
/* csv-metrics.c: Report.metrics. */
bool csv_metrics_make(CsvInput *input);
/* csv-runs.c: reads the attempts, before the values; Report.runs behind
 * them. */
bool csv_runs_begin(CsvInput *input);
void csv_runs_make(CsvInput *input);
/* csv-values.c: Report.grids and .notes. */
bool csv_values_make(CsvInput *input);
/* csv-levels.c: Report.levels. */
void csv_levels_make(CsvInput *input);
