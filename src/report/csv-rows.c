/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which line of a CSV file belongs to which cell, block and run: lines alike
 * in some columns get the same number, by first appearance.
 */
#include "report/csv-input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries of the table that numbers pairs: 256 MiB of it. */
#define PAIRS_MAX (1u << 26)

/* Numbers the distinct pairs of id[] (n_ids of them) and a code (n_codes);
 * LONG_NO_TEXT is a code as well.  Returns how many there are; 0, with id[]
 * as it was, when there can be too many. */
static guint
refine(guint *id, guint n_ids, const guint32 *code, guint n_codes, guint rows)
{
    guint n = 0;

    if ((guint64) n_ids * (n_codes + 1) > PAIRS_MAX)
        return 0;
    g_autofree guint *number = g_new0(guint, (gsize) n_ids * (n_codes + 1));
    for (guint i = 0; i < rows; i++) {
        guint *slot = &number[(gsize) id[i] * (n_codes + 1) +
                              (code[i] == LONG_NO_TEXT ? n_codes : code[i])];

        if (*slot == 0)
            *slot = ++n;
        id[i] = *slot - 1;
    }
    return n;
}

/* The same by a column; nothing to do without one. */
static guint
refine_by(guint *id, guint n_ids, const LongColumn *column, guint rows)
{
    if (!column)
        return n_ids;
    return refine(id, n_ids, (const guint32 *) column->codes->data,
                  column->levels->len, rows);
}

static guint *
first_rows(const guint *id, guint n_ids, guint rows)
{
    guint *first = g_new(guint, MAX(n_ids, 1));

    for (guint i = rows; i-- > 0;)
        first[id[i]] = i;
    return first;
}

/* The column that makes so many cells. */
static const LongColumn *
most_levels(const CsvInput *input)
{
    const LongColumn *most = input->role[ROLE_CELL];

    for (guint i = 0; i < input->settings->len; i++) {
        const LongColumn *column = input->settings->pdata[i];

        if (!most || column->levels->len > most->levels->len)
            most = column;
    }
    return most;
}

static bool
number_cells(CsvInput *input)
{
    guint rows = longform_rows(input->form);
    guint n = refine_by(input->cell, 1, input->role[ROLE_CELL], rows);

    n = n ? refine_by(input->cell, n, input->role[ROLE_KIND], rows) : 0;
    for (guint i = 0; n > 0 && i < input->settings->len; i++)
        n = refine_by(input->cell, n, input->settings->pdata[i], rows);
    if (n == 0 || n > CSV_CELLS_MAX) {
        const LongColumn *most = most_levels(input);

        csv_problems_add(input->problems, 0, NULL,
                         "more than %u cells (combinations of settings); '%s' "
                         "alone has %u levels: --setting names the columns "
                         "that are settings",
                         CSV_CELLS_MAX, most->name, most->levels->len);
        return false;
    }
    input->n_cells = n;
    input->cell_row = first_rows(input->cell, n, rows);
    return true;
}

static bool
take_blocks(CsvInput *input)
{
    const LongColumn *column = input->role[ROLE_BLOCK];
    bool good = true;

    for (guint i = 0; i < longform_rows(input->form); i++) {
        input->block[i] = long_code(column, i);
        if (input->block[i] != LONG_NO_TEXT)
            continue;
        csv_problems_add(input->problems, longform_line(input->form, i),
                         column->name, "no block");
        good = false;
    }
    input->n_blocks = column->levels->len;
    return good;
}

/* Without a column of blocks the first line of each cell (and metric) is
 * taken for one block, the second ones for another. */
static void
count_blocks(CsvInput *input)
{
    const LongColumn *metric = input->role[ROLE_METRIC];
    guint n_metrics = metric ? metric->levels->len + 1 : 1;
    g_autofree guint *seen = g_new0(guint, (gsize) input->n_cells * n_metrics);
    bool repeats = !input->role[ROLE_ITERATION];

    for (guint i = 0; i < longform_rows(input->form); i++) {
        guint32 code = metric ? long_code(metric, i) : 0;
        gsize slot = (gsize) input->cell[i] * n_metrics +
                     (code == LONG_NO_TEXT ? n_metrics - 1 : code);

        input->block[i] = repeats ? seen[slot]++ : 0;
        input->n_blocks = MAX(input->n_blocks, input->block[i] + 1);
    }
}

/* What a block comes after: the time of its first run, or its own number. */
typedef struct BlockKey {
    guint block;
    double number; /* NaN: none */
    const char *text;
} BlockKey;

static int
compare_keys(const void *a, const void *b)
{
    const BlockKey *x = a, *y = b;

    if (x->number != y->number && !isnan(x->number) && !isnan(y->number))
        return x->number < y->number ? -1 : 1;
    int order = g_strcmp0(x->text, y->text);
    return order ? order : (x->block > y->block) - (x->block < y->block);
}

static void
take_time(const LongColumn *time, guint row, BlockKey *key)
{
    double number =
        time->type == LONG_NUMBER ? long_number(time, row) : (double) NAN;
    const char *text = time->type == LONG_TEXT ? long_text(time, row) : NULL;

    key->number = fmin(key->number, number);
    if (text && (!key->text || strcmp(text, key->text) < 0))
        key->text = text;
}

/* Numbers of blocks that are whole numbers themselves; false: some are not. */
static bool
take_numbers(const CsvInput *input, BlockKey *keys)
{
    for (guint b = 0; b < input->n_blocks; b++) {
        const LongColumn *column = input->role[ROLE_BLOCK];
        gint64 number;

        if (!column ||
            !g_ascii_string_to_signed(column->levels->pdata[b], 10, G_MININT,
                                      G_MAXINT, &number, NULL))
            return false;
        keys[b].number = (double) number;
    }
    return true;
}

/* Blocks in order of time where there is a column of it, of their numbers
 * where they have such, else as the file has them: the order of the lines
 * shall not matter. */
static void
order_blocks(CsvInput *input)
{
    const LongColumn *time = input->role[ROLE_TIME];
    guint rows = longform_rows(input->form);
    g_autofree BlockKey *keys = g_new(BlockKey, input->n_blocks);
    g_autofree guint *place = g_new(guint, input->n_blocks);

    for (guint b = 0; b < input->n_blocks; b++)
        keys[b] = (BlockKey){b, NAN, NULL};
    if (time)
        for (guint i = 0; i < rows; i++)
            take_time(time, i, &keys[input->block[i]]);
    else if (!take_numbers(input, keys))
        return;
    qsort(keys, input->n_blocks, sizeof *keys, compare_keys);
    for (guint i = 0; i < input->n_blocks; i++)
        place[keys[i].block] = i;
    for (guint i = 0; i < rows; i++)
        input->block[i] = place[input->block[i]];
}

static bool
number_runs(CsvInput *input)
{
    guint rows = longform_rows(input->form);
    guint n = 0;

    memcpy(input->run, input->cell, rows * sizeof *input->run);
    n = refine(input->run, input->n_cells, input->block, input->n_blocks, rows);
    n = n ? refine_by(input->run, n, input->role[ROLE_ATTEMPT], rows) : 0;
    input->n_runs = n;
    if (n > 0) {
        input->run_row = first_rows(input->run, n, rows);
        memcpy(input->item, input->run, rows * sizeof *input->item);
        n = refine_by(input->item, n, input->role[ROLE_ITERATION], rows);
    }
    if (n == 0)
        csv_problems_add(input->problems, 0, NULL,
                         "%u cells in %u blocks are too many to hold",
                         input->n_cells, input->n_blocks);
    input->n_items = n;
    return n > 0;
}

bool
csv_rows_number(CsvInput *input)
{
    guint rows = longform_rows(input->form);

    input->cell = g_new0(guint, rows);
    input->block = g_new0(guint, rows);
    input->run = g_new0(guint, rows);
    input->item = g_new0(guint, rows);
    if (!number_cells(input))
        return false;
    if (!input->role[ROLE_BLOCK])
        count_blocks(input);
    else if (!take_blocks(input))
        return false;
    order_blocks(input);
    return number_runs(input);
}
