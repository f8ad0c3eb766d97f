/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each column of a CSV file is: by its name, by what the options say, and
 * for the others by what is in them: numbers make a metric, texts a setting.
 */
#include "report/csv-input.h"

#include <string.h>
#include "base/suggest.h"

#define NO_ROLE ROLE_MAX

/* Names of columns.  Those of vsweep's own runs.csv hold only there (it has a
 * cell_id): "class" may be anyone's setting. */
static const struct {
    const char *name;
    Role role;
    LongType type;
    bool own;
} known[] = {
    {"block", ROLE_BLOCK, LONG_TEXT, false},
    {"boot", ROLE_BLOCK, LONG_TEXT, false},
    {"cell", ROLE_CELL, LONG_TEXT, false},
    {"cell_id", ROLE_CELL, LONG_TEXT, false},
    {"kind", ROLE_KIND, LONG_TEXT, false},
    {"metric", ROLE_METRIC, LONG_TEXT, false},
    {"value", ROLE_VALUE, LONG_NUMBER, false},
    {"workload", ROLE_WORKLOAD, LONG_TEXT, true},
    {"unit", ROLE_UNIT, LONG_TEXT, false},
    {"better", ROLE_BETTER, LONG_TEXT, false},
    {"attempt", ROLE_ATTEMPT, LONG_TEXT, false},
    {"iter", ROLE_ITERATION, LONG_TEXT, false},
    {"iteration", ROLE_ITERATION, LONG_TEXT, false},
    {"valid", ROLE_VALID, LONG_TEXT, false},
    {"reason", ROLE_REASON, LONG_TEXT, false},
    {"pos", ROLE_POS, LONG_NUMBER, false},
    {"time", ROLE_TIME, LONG_GUESS, false},
    {"seq", ROLE_TIME, LONG_GUESS, false},
    {"t_start_ns", ROLE_TIME, LONG_NUMBER, true},
    {"accel", ROLE_ACCEL, LONG_TEXT, true},
    {"campaign", NO_ROLE, LONG_SKIP, true},
    {"session", NO_ROLE, LONG_SKIP, true},
    {"tile", NO_ROLE, LONG_SKIP, true},
    {"n_samples", NO_ROLE, LONG_SKIP, true},
    {"class", NO_ROLE, LONG_SKIP, true},
    {"t_end_ns", NO_ROLE, LONG_SKIP, true},
};

GStrv
csv_words(const char *list)
{
    GStrv words = g_strsplit(list ? list : "", ",", -1);

    for (guint i = 0; words[i]; i++)
        g_strstrip(words[i]);
    return words;
}

bool
csv_listed(const char *list, const char *word)
{
    g_auto(GStrv) words = csv_words(list);

    return list && (g_strv_contains((const char *const *) words, word) ||
                    g_strv_contains((const char *const *) words, "all"));
}

static bool
has_name(const LongForm *form, const char *name)
{
    for (guint i = 0; i < form->columns->len; i++)
        if (g_ascii_strcasecmp(((LongColumn *) form->columns->pdata[i])->name,
                               name) == 0)
            return true;
    return false;
}

/* One value a line, its metric beside it. */
static bool
is_tidy(const CsvInput *input)
{
    return input->role[ROLE_METRIC] && input->role[ROLE_VALUE];
}

/* What a column is by its name and the options; LONG_GUESS: no one knows. */
static LongType
classify(CsvInput *input, LongColumn *column, bool own, bool tidy)
{
    const CsvOptions *options = input->options;

    if (csv_listed(options->settings, column->name))
        return LONG_TEXT;
    if (!tidy && csv_listed(options->metrics, column->name))
        return LONG_NUMBER;
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
        bool half =
            (known[i].role == ROLE_METRIC || known[i].role == ROLE_VALUE) &&
            !tidy;

        if (g_ascii_strcasecmp(known[i].name, column->name) != 0 || half ||
            (known[i].own && !own))
            continue;
        if (known[i].role == NO_ROLE)
            return LONG_SKIP;
        if (input->role[known[i].role])
            csv_problems_add(input->problems, 1, column->name,
                             "is the same as the column '%s': name one of "
                             "them otherwise",
                             input->role[known[i].role]->name);
        input->role[known[i].role] = column;
        return known[i].type;
    }
    /* In vsweep's own file numbers are levels as well. */
    return own ? LONG_TEXT : LONG_GUESS;
}

static void
complain_unknown(const CsvInput *input, const char *option, const char *word)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < input->form->columns->len; i++)
        g_ptr_array_add(names,
                        ((LongColumn *) input->form->columns->pdata[i])->name);
    g_ptr_array_add(names, NULL);
    const char *near = suggest_name(word, (const char *const *) names->pdata);
    g_autofree char *all = g_strjoinv(", ", (GStrv) names->pdata);
    csv_problems_add(input->problems, 1, NULL, "no column '%s' for %s; %s%s%s",
                     word, option,
                     near ? "did you mean '" : "there are: ", near ? near : all,
                     near ? "'?" : "");
}

static void
check_names(const CsvInput *input, const char *option, const char *list)
{
    g_auto(GStrv) words = csv_words(list);

    for (guint i = 0; words[i]; i++)
        if (strcmp(words[i], "all") != 0 &&
            longform_column(input->form, words[i]) < 0)
            complain_unknown(input, option, words[i]);
}

void
csv_columns_types(LongForm *form, void *data, CsvProblems *problems)
{
    CsvInput *input = data;
    bool own = has_name(form, "cell_id");
    bool tidy = has_name(form, "metric") && has_name(form, "value");

    input->form = form;
    input->problems = problems;
    check_names(input, "--setting", input->options->settings);
    if (!tidy)
        check_names(input, "--metric", input->options->metrics);
    for (guint i = 0; i < form->columns->len; i++) {
        LongColumn *column = form->columns->pdata[i];

        column->type = classify(input, column, own, tidy);
    }
}

static bool
has_role(const CsvInput *input, const LongColumn *column)
{
    for (guint i = 0; i < ROLE_MAX; i++)
        if (input->role[i] == column)
            return true;
    return false;
}

static GPtrArray *
place_of(CsvInput *input, const LongColumn *column)
{
    const CsvOptions *options = input->options;

    if (csv_listed(options->settings, column->name))
        return input->settings;
    if (!is_tidy(input) && column->type == LONG_NUMBER &&
        (!options->metrics || csv_listed(options->metrics, column->name)))
        return input->metrics;
    if (!options->settings && column->type == LONG_TEXT)
        return input->settings;
    return input->unused;
}

void
csv_columns_settle(CsvInput *input)
{
    const LongColumn *time = input->role[ROLE_TIME];

    for (guint i = 0; i < input->form->columns->len; i++) {
        LongColumn *column = input->form->columns->pdata[i];

        if (!has_role(input, column))
            g_ptr_array_add(place_of(input, column), column);
    }
    if (input->form->columns->len == 1 && input->metrics->len == 0)
        csv_problems_add(input->problems, 1, NULL,
                         "has one column, and no numbers in it: --delimiter "
                         "says what stands between fields");
    else if (!is_tidy(input) && input->metrics->len == 0)
        csv_problems_add(input->problems, 1, NULL,
                         "no column of numbers to analyse%s%s%s",
                         time ? ": '" : "", time ? time->name : "",
                         time ? "' says when a run was, unless --metric names "
                                "it"
                              : "");
}

static void
add_names(GString *out, const char *what, const GPtrArray *columns)
{
    if (columns->len > 0)
        g_string_append_printf(out, "%s%s ", out->len ? "; " : "", what);
    for (guint i = 0; i < columns->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               ((LongColumn *) columns->pdata[i])->name);
}

char *
csv_columns_text(const CsvInput *input)
{
    static const struct {
        Role role;
        const char *what;
    } shown[] = {{ROLE_BLOCK, "block"},        {ROLE_CELL, "cell"},
                 {ROLE_METRIC, "metric"},      {ROLE_VALUE, "value"},
                 {ROLE_TIME, "time"},          {ROLE_POS, "position"},
                 {ROLE_ITERATION, "iteration"}};
    g_autoptr(GString) out = g_string_new(NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(shown); i++)
        if (input->role[shown[i].role])
            g_string_append_printf(out, "%s%s %s", out->len ? "; " : "",
                                   shown[i].what,
                                   input->role[shown[i].role]->name);
    add_names(out, "settings", input->settings);
    add_names(out, "metrics", input->metrics);
    add_names(out, "not used:", input->unused);
    if (input->form->delimiter != ',')
        g_string_append_printf(out, "; separated by %s",
                               input->form->delimiter == '\t' ? "tabs"
                               : input->form->delimiter == ';'
                                   ? "semicolons"
                                   : "another character");
    return g_strdup(out->str);
}
