/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runs of a CSV file as those of a report: in order of time, with how they
 * ended.
 */
#include "report/csv-input.h"

#include <math.h>
#include <string.h>

static bool
parse_tries(CsvInput *input)
{
    const LongColumn *column = input->role[ROLE_ATTEMPT];
    bool good = true;

    for (guint r = 0; r < input->n_runs; r++) {
        const char *text = column ? long_text(column, input->run_row[r]) : NULL;
        guint64 number = 1;

        if (text &&
            !g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT, &number, NULL)) {
            csv_problems_add(
                input->problems, longform_line(input->form, input->run_row[r]),
                column->name, "'%s' is no number of an attempt", text);
            good = false;
        }
        input->try[r] = (guint) number;
    }
    return good;
}

bool
csv_runs_begin(CsvInput *input)
{
    input->try = g_new0(guint, input->n_runs);
    input->run_valid = g_new0(bool, input->n_runs);
    return parse_tries(input);
}

/* Where a run of the file comes in time: by its own column, else by block and
 * position, else as the file has it. */
static int
compare_runs(const void *a, const void *b, void *data)
{
    const CsvInput *input = data;
    guint x = input->run_row[*(const guint *) a];
    guint y = input->run_row[*(const guint *) b];
    const LongColumn *time = input->role[ROLE_TIME];
    const LongColumn *pos = input->role[ROLE_POS];

    if (time && time->type == LONG_TEXT) {
        int order = g_strcmp0(long_text(time, x), long_text(time, y));
        if (order != 0)
            return order;
    } else if (time && time->type == LONG_NUMBER) {
        double tx = long_number(time, x), ty = long_number(time, y);
        if (tx != ty && !isnan(tx) && !isnan(ty))
            return tx < ty ? -1 : 1;
    }
    if (!time && pos && input->block[x] != input->block[y])
        return input->block[x] < input->block[y] ? -1 : 1;
    if (pos && long_number(pos, x) != long_number(pos, y))
        return long_number(pos, x) < long_number(pos, y) ? -1 : 1;
    return (x > y) - (x < y);
}

/* A run none of whose values counts was invalid; vsweep's own file says in
 * the reason how it ended: "panic: ...".  What is behind that is the reason. */
static Outcome
outcome_of(const CsvInput *input, guint run, const char **reason)
{
    g_auto(GStrv) parts = g_strsplit(*reason ? *reason : "", ": ", 2);
    Outcome outcome = OUTCOME_INVALID;

    if (input->run_valid[run] || !input->role[ROLE_VALID])
        return OUTCOME_OK;
    if (parts[0] && outcome_parse(parts[0], &outcome))
        *reason = parts[1] ? strstr(*reason, ": ") + 2 : NULL;
    return outcome;
}

static void
add_run(const CsvInput *input, guint run)
{
    const LongColumn *reasons = input->role[ROLE_REASON];
    const LongColumn *pos = input->role[ROLE_POS];
    guint row = input->run_row[run];
    const char *reason = reasons ? long_text(reasons, row) : NULL;
    StoreRun *result = g_new0(StoreRun, 1);
    const ReportSpan unknown = {0, 0, NULL};

    result->id = (gint64) input->report->runs->len + 1;
    result->block = input->block[row] + 1;
    result->cell = input->cell[row];
    result->try = input->try[run];
    if (pos && long_number(pos, row) >= 0 && long_number(pos, row) <= G_MAXINT)
        result->pos = (guint) long_number(pos, row);
    result->outcome = outcome_of(input, run, &reason);
    result->discarded = result->outcome != OUTCOME_OK && reason &&
                        (strcmp(reason, "session") == 0 ||
                         g_str_has_prefix(reason, "session; "));
    if (result->outcome != OUTCOME_OK)
        result->reason = g_strdup(reason);
    g_ptr_array_add(input->report->runs, result);
    g_array_append_val(input->report->spans, unknown);
}

void
csv_runs_make(CsvInput *input)
{
    g_autofree guint *order = g_new(guint, input->n_runs);

    for (guint r = 0; r < input->n_runs; r++)
        order[r] = r;
    g_qsort_with_data(order, (int) input->n_runs, sizeof *order, compare_runs,
                      input);
    for (guint r = 0; r < input->n_runs; r++)
        add_run(input, order[r]);
}
