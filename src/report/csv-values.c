/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers of a CSV file: what each run measured, as the grids of a report.
 *
 * Values that cannot be (zero, negative: they have no logarithm, METHOD 6.1)
 * are missing, and a note says how many there were and where the first is.
 */
#include "report/csv-input.h"

#include <math.h>
#include <string.h>

typedef struct Filler {
    CsvInput *input;
    guint n; /* metrics */
    /* of each run and metric */
    double *sum;
    guint *count;
    guint32 *line; /* of each item and metric; 0: none yet */
    bool *valid;   /* of each text in the column `valid` */
} Filler;

static void
filler_clear(Filler *filler)
{
    g_free(filler->sum);
    g_free(filler->count);
    g_free(filler->line);
    g_free(filler->valid);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Filler, filler_clear)

/* How people write it in a column `valid`. */
static const struct {
    const char *word;
    bool valid;
} truths[] = {{"1", true},  {"true", true},   {"yes", true}, {"ok", true},
              {"0", false}, {"false", false}, {"no", false}};

static bool
parse_truths(Filler *filler)
{
    const LongColumn *column = filler->input->role[ROLE_VALID];
    bool good = true;

    if (!column)
        return true;
    filler->valid = g_new0(bool, column->levels->len + 1);
    for (guint i = 0; i < column->levels->len; i++) {
        const char *word = column->levels->pdata[i];
        gsize k = 0;

        while (k < G_N_ELEMENTS(truths) &&
               g_ascii_strcasecmp(truths[k].word, word) != 0)
            k++;
        if (k < G_N_ELEMENTS(truths)) {
            filler->valid[i] = truths[k].valid;
            continue;
        }
        csv_problems_add(filler->input->problems,
                         longform_line_of(filler->input->form, column, i),
                         column->name, "'%s' is neither 1 nor 0", word);
        good = false;
    }
    return good;
}

/* A line counts unless it says otherwise. */
static bool
row_valid(const Filler *filler, guint row)
{
    const LongColumn *column = filler->input->role[ROLE_VALID];
    guint32 code = column ? long_code(column, row) : LONG_NO_TEXT;

    return code == LONG_NO_TEXT || filler->valid[code];
}

/* The next value of a line and the metric it belongs to; wide lines have one
 * of each metric, tidy ones have one. */
static void
take_value(Filler *filler, guint row, guint m)
{
    const CsvInput *input = filler->input;
    CsvMetric *column = &g_array_index(input->measured, CsvMetric, m);
    gsize run = (gsize) input->run[row] * filler->n + m;
    guint32 *line = &filler->line[(gsize) input->item[row] * filler->n + m];
    double x = long_number(column->numbers, row);

    if (*line) {
        csv_problems_add(input->problems, longform_line(input->form, row), NULL,
                         "the same cell, block and metric as line %u: number "
                         "repeats in a column `attempt` (the last valid one "
                         "counts) or `iter` (their mean counts), or name "
                         "what tells them apart with --setting",
                         *line);
        return;
    }
    *line = longform_line(input->form, row);
    if (isnan(x)) {
        column->absent_line = column->absent++ ? column->absent_line : *line;
        return;
    }
    if (x <= 0) {
        column->bad_line = column->impossible++ ? column->bad_line : *line;
        return;
    }
    if (!row_valid(filler, row))
        return;
    input->run_valid[input->run[row]] = true;
    if (input->item_value)
        input->item_value[(gsize) input->item[row] * filler->n + m] = x;
    filler->sum[run] += x;
    filler->count[run]++;
}

/* Number of the metric whose name has this code, -1: not wanted. */
static int *
metric_numbers(const Filler *filler)
{
    const LongColumn *names = filler->input->role[ROLE_METRIC];
    int *number = g_new(int, names->levels->len + 1);

    memset(number, -1, (names->levels->len + 1) * sizeof *number);
    for (guint m = 0; m < filler->n; m++)
        number[g_array_index(filler->input->measured, CsvMetric, m).code] =
            (int) m;
    return number;
}

static void
take_tidy(Filler *filler)
{
    const LongColumn *names = filler->input->role[ROLE_METRIC];
    g_autofree int *number = metric_numbers(filler);

    for (guint i = 0; i < longform_rows(filler->input->form); i++) {
        guint32 code = long_code(names, i);

        if (code != LONG_NO_TEXT && number[code] >= 0)
            take_value(filler, i, (guint) number[code]);
        else if (code == LONG_NO_TEXT && row_valid(filler, i))
            csv_problems_add(filler->input->problems,
                             longform_line(filler->input->form, i), names->name,
                             "no metric");
    }
}

static void
take_wide(Filler *filler)
{
    for (guint i = 0; i < longform_rows(filler->input->form); i++)
        for (guint m = 0; m < filler->n; m++)
            take_value(filler, i, m);
}

static int
compare_tries(const void *a, const void *b, void *data)
{
    const guint *try = data;
    guint x = try[*(const guint *) a], y = try[*(const guint *) b];

    return (x > y) - (x < y);
}

/* The last valid attempt of a cell in a block counts. */
static void
fill_grids(Filler *filler)
{
    const CsvInput *input = filler->input;
    g_autofree guint *order = g_new(guint, input->n_runs);

    for (guint r = 0; r < input->n_runs; r++)
        order[r] = r;
    if (input->role[ROLE_ATTEMPT])
        g_qsort_with_data(order, (int) input->n_runs, sizeof *order,
                          compare_tries, input->try);
    for (guint i = 0; i < input->n_runs; i++) {
        guint row = input->run_row[order[i]];

        for (guint m = 0; m < filler->n; m++) {
            gsize slot = (gsize) order[i] * filler->n + m;

            if (filler->count[slot] > 0)
                blocks_set(input->report->grids->pdata[m], input->cell[row],
                           input->block[row],
                           filler->sum[slot] / filler->count[slot]);
        }
    }
}

static void
add_note(const CsvInput *input, const CsvMetric *metric, guint count,
         guint line, const char *what)
{
    if (count > 0)
        g_ptr_array_add(input->report->notes,
                        g_strdup_printf("%s: %u line%s %s (first: line %u): "
                                        "missing",
                                        metric->metric->id, count,
                                        count == 1 ? "" : "s", what, line));
}

static void
add_notes(const CsvInput *input)
{
    for (guint m = 0; m < input->measured->len; m++) {
        const CsvMetric *metric = &g_array_index(input->measured, CsvMetric, m);

        add_note(input, metric, metric->impossible, metric->bad_line,
                 "at or below zero, which has no logarithm");
        add_note(input, metric, metric->absent, metric->absent_line,
                 "without a value");
    }
}

bool
csv_values_make(CsvInput *input)
{
    guint n = input->measured->len, before = input->problems->lines->len;
    g_auto(Filler) filler = {.input = input, .n = n};

    if ((guint64) n * input->n_cells * input->n_blocks > CSV_VALUES_MAX ||
        (guint64) n * input->n_items > CSV_VALUES_MAX) {
        csv_problems_add(input->problems, 0, NULL,
                         "%u cells, %u blocks and %u metrics are too many to "
                         "hold",
                         input->n_cells, input->n_blocks, n);
        return false;
    }
    filler.sum = g_new0(double, (gsize) n * input->n_runs);
    if (input->role[ROLE_ITERATION])
        input->item_value = g_new0(double, (gsize) n * input->n_items);
    filler.count = g_new0(guint, (gsize) n * input->n_runs);
    filler.line = g_new0(guint32, (gsize) n * input->n_items);
    for (guint m = 0; m < n; m++)
        g_ptr_array_add(input->report->grids,
                        blocks_new(input->n_cells, input->n_blocks));
    if (!parse_truths(&filler))
        return false;
    if (input->role[ROLE_METRIC])
        take_tidy(&filler);
    else
        take_wide(&filler);
    fill_grids(&filler);
    add_notes(input);
    return input->problems->lines->len == before;
}
