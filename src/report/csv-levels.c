/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The repeats inside runs of a CSV file: those of a cell make levels when all
 * of its runs have as many.
 */
#include "report/csv-input.h"

#include "report/levels.h"
#include "stats/signedrank.h"

/* The values of one metric, by run. */
typedef struct Repeats {
    const CsvInput *input;
    guint metric;
    const guint *item_run; /* of each item */
    guint *count;          /* of each run */
} Repeats;

static double
value_of(const Repeats *r, guint item)
{
    return r->input
        ->item_value[(gsize) item * r->input->measured->len + r->metric];
}

static void
count_repeats(const Repeats *r)
{
    for (guint i = 0; i < r->input->n_items; i++)
        if (value_of(r, i) > 0)
            r->count[r->item_run[i]]++;
}

/* Number of runs of a cell that have values; *ret_each is 0 when they do not
 * all have as many. */
static guint
runs_of(const Repeats *r, guint cell, guint *ret_each)
{
    guint runs = 0, each = 0;
    bool even = true;

    for (guint i = 0; i < r->input->n_runs; i++) {
        if (r->count[i] == 0 || r->input->cell[r->input->run_row[i]] != cell)
            continue;
        even = even && (runs == 0 || r->count[i] == each);
        each = r->count[i];
        runs++;
    }
    *ret_each = even ? each : 0;
    return runs;
}

/* x[run * each + i], runs by first appearance. */
static void
gather(const Repeats *r, guint cell, guint each, double *x)
{
    g_autofree guint *next = g_new0(guint, r->input->n_runs);
    guint runs = 0;

    for (guint i = 0; i < r->input->n_runs; i++)
        if (r->count[i] > 0 && r->input->cell[r->input->run_row[i]] == cell)
            next[i] = each * runs++;
    for (guint i = 0; i < r->input->n_items; i++) {
        guint run = r->item_run[i];

        if (value_of(r, i) > 0 &&
            r->input->cell[r->input->run_row[run]] == cell)
            x[next[run]++] = value_of(r, i);
    }
}

static double
half_width(const double *x, guint runs, guint each)
{
    g_autofree double *mean = g_new0(double, runs);

    for (guint i = 0; i < runs; i++)
        for (guint k = 0; k < each; k++)
            mean[i] += x[(gsize) i * each + k] / each;
    Interval interval = student_interval(mean, runs, REPORT_ALPHA);
    return (interval.hi - interval.lo) / 2;
}

static void
add_cell(const Repeats *r, guint cell)
{
    const CsvOptions *options = r->input->options;
    guint each = 0, runs = runs_of(r, cell, &each);

    if (runs < 2 || each < 2)
        return;
    g_autofree double *x = g_new(double, (gsize) runs *each);
    gather(r, cell, each, x);
    ReportLevels levels = {.metric = r->metric,
                           .cell = cell,
                           .runs = runs,
                           .iterations = each,
                           .levels = precision_levels(x, runs, each),
                           .half_width = half_width(x, runs, each)};
    if (options->run_cost > 0)
        levels.best =
            precision_iterations(levels.levels.within, levels.levels.between,
                                 options->iteration_cost, options->run_cost);
    g_array_append_val(r->input->report->levels, levels);
}

void
csv_levels_make(CsvInput *input)
{
    g_autofree guint *item_run = g_new(guint, input->n_items);

    if (!input->item_value)
        return;
    for (guint i = 0; i < longform_rows(input->form); i++)
        item_run[input->item[i]] = input->run[i];
    for (guint m = 0; m < input->measured->len; m++) {
        g_autofree guint *count = g_new0(guint, input->n_runs);
        Repeats repeats = {input, m, item_run, count};

        count_repeats(&repeats);
        for (guint c = 0; c < input->n_cells; c++)
            add_cell(&repeats, c);
    }
}
