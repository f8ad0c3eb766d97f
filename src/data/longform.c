/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in long form: see longform.h. */
#include "data/longform.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "data/csv-file.h"

/* More columns than any campaign has metrics: it is no table. */
#define COLUMNS_MAX 4096u
/* Bytes of a name or level; it stands in tables and sentences. */
#define TEXT_MAX 256u
/* Rows that a guint32 line number and the memory of a workstation hold. */
#define ROWS_MAX 100000000u

/* How people write that there is no value. */
static const char *const missing_words[] = {"NA",   "N/A", "NaN",
                                            "null", "-",   NULL};

typedef struct Loader {
    LongForm *form;
    CsvProblems *problems;
    void (*types)(LongForm *form, void *data, CsvProblems *problems);
    void *data;
    bool has_heading;
} Loader;

guint
longform_rows(const LongForm *form)
{
    return form->lines->len;
}

guint
longform_line(const LongForm *form, guint row)
{
    return g_array_index(form->lines, guint32, row);
}

int
longform_column(const LongForm *form, const char *name)
{
    for (guint i = 0; i < form->columns->len; i++)
        if (strcmp(((LongColumn *) form->columns->pdata[i])->name, name) == 0)
            return (int) i;
    return -1;
}

guint
longform_line_of(const LongForm *form, const LongColumn *column, guint32 code)
{
    for (guint i = 0; i < longform_rows(form); i++)
        if (long_code(column, i) == code)
            return longform_line(form, i);
    return 0;
}

double
long_number(const LongColumn *column, guint row)
{
    return g_array_index(column->numbers, double, row);
}

guint32
long_code(const LongColumn *column, guint row)
{
    return g_array_index(column->codes, guint32, row);
}

const char *
long_text(const LongColumn *column, guint row)
{
    guint32 code = long_code(column, row);

    return code == LONG_NO_TEXT ? NULL : column->levels->pdata[code];
}

static LongColumn *
column_new(const char *name)
{
    LongColumn *column = g_new0(LongColumn, 1);

    column->name = g_strdup(name);
    column->numbers = g_array_new(FALSE, FALSE, sizeof(double));
    column->codes = g_array_new(FALSE, FALSE, sizeof(guint32));
    column->levels = g_ptr_array_new_with_free_func(g_free);
    column->index = g_hash_table_new(g_str_hash, g_str_equal);
    column->last = LONG_NO_TEXT;
    return column;
}

static void
column_free(LongColumn *column)
{
    g_free(column->name);
    g_array_unref(column->numbers);
    g_array_unref(column->codes);
    g_hash_table_unref(column->index);
    g_ptr_array_unref(column->levels);
    g_free(column);
}

static void
add_name(Loader *loader, guint row, guint number, const char *name)
{
    GPtrArray *columns = loader->form->columns;

    if (columns->len == COLUMNS_MAX || loader->problems->more > 0)
        return; /* enough has been said, or will be at the end of the row */
    if (!g_utf8_validate(name, -1, NULL))
        csv_problems_add(loader->problems, row, name,
                         "the name of column %u is not UTF-8: save the file "
                         "as UTF-8",
                         number + 1);
    else if (!*name)
        csv_problems_add(loader->problems, row, NULL,
                         "column %u has no name: the first line names every "
                         "column",
                         number + 1);
    else if (strlen(name) > TEXT_MAX)
        csv_problems_add(loader->problems, row, NULL,
                         "the name of column %u has more than %u bytes",
                         number + 1, TEXT_MAX);
    else if (longform_column(loader->form, name) >= 0)
        csv_problems_add(loader->problems, row, name,
                         "is the name of columns %d and %u",
                         longform_column(loader->form, name) + 1, number + 1);
    g_ptr_array_add(columns, column_new(name));
}

static bool
is_missing(const char *text)
{
    if (!*text)
        return true;
    for (guint i = 0; missing_words[i]; i++)
        if (g_ascii_strcasecmp(text, missing_words[i]) == 0)
            return true;
    return false;
}

/* Whether it begins as a number does; strtod() would take hexadecimals and
 * words too. */
static bool
looks_numeric(const char *text)
{
    if (*text == '+' || *text == '-')
        text++;
    if (*text == '.')
        text++;
    return g_ascii_isdigit(*text) && text[1] != 'x' && text[1] != 'X';
}

/* The program never leaves the C locale's way of writing numbers. */
static bool
parse_number(const char *text, double *ret_value)
{
    char *end = NULL;

    if (!looks_numeric(text))
        return false;
    *ret_value = strtod(text, &end);
    return *end == '\0';
}

static bool
has_decimal_comma(const char *text)
{
    g_autofree char *point = g_strdelimit(g_strdup(text), ",", '.');
    double value;

    return strchr(text, ',') && parse_number(point, &value);
}

static void
complain_number(const Loader *loader, guint row, const LongColumn *column,
                const char *text)
{
    if (has_decimal_comma(text))
        csv_problems_add(
            loader->problems, row, column->name,
            "'%.64s' has a decimal comma: write a point; `--setting "
            "%s` takes the column for a setting",
            text, column->name);
    else
        csv_problems_add(loader->problems, row, column->name,
                         "'%.64s' is no number; `--setting %s` takes the "
                         "column for a setting",
                         text, column->name);
}

static double
number_field(const Loader *loader, guint row, const LongColumn *column,
             const char *text)
{
    double value = NAN;

    if (!parse_number(text, &value)) {
        if (!is_missing(text))
            complain_number(loader, row, column, text);
        return NAN;
    }
    if (!isfinite(value))
        csv_problems_add(loader->problems, row, column->name,
                         "'%.64s' is too large for a number", text);
    return value;
}

static guint32
new_level(const Loader *loader, guint row, LongColumn *column, const char *text)
{
    if (!g_utf8_validate(text, -1, NULL))
        csv_problems_add(loader->problems, row, column->name,
                         "'%.64s' is not UTF-8: save the file as UTF-8", text);
    else if (strlen(text) > TEXT_MAX)
        csv_problems_add(loader->problems, row, column->name,
                         "a text of more than %u bytes", TEXT_MAX);
    char *level = g_strdup(text);
    guint32 code = column->levels->len;
    g_ptr_array_add(column->levels, level);
    g_hash_table_insert(column->index, level, GUINT_TO_POINTER(code + 1));
    return code;
}

/* Lines of one run, block or cell often stand together: the text of the line
 * before is tried first. */
static guint32
text_field(const Loader *loader, guint row, LongColumn *column,
           const char *text)
{
    if (!*text)
        return LONG_NO_TEXT;
    if (column->last != LONG_NO_TEXT &&
        strcmp(column->levels->pdata[column->last], text) == 0)
        return column->last;
    guint code = GPOINTER_TO_UINT(g_hash_table_lookup(column->index, text));
    column->last = code > 0 ? code - 1 : new_level(loader, row, column, text);
    return column->last;
}

/* The type shows.  Until then fields were kept as texts: "NA" may be one. */
static void
settle_type(LongColumn *column, const char *text, guint rows)
{
    const double nothing = NAN;
    double value;

    /* One with a decimal comma is a number as well, and complained about. */
    column->type = parse_number(text, &value) || has_decimal_comma(text)
                       ? LONG_NUMBER
                       : LONG_TEXT;
    for (guint i = 0; column->type == LONG_NUMBER && i < rows; i++)
        g_array_append_val(column->numbers, nothing);
}

static void
add_field(Loader *loader, guint row, LongColumn *column, const char *text)
{
    if (column->type == LONG_GUESS && !is_missing(text))
        settle_type(column, text, longform_rows(loader->form));
    if (column->type == LONG_NUMBER) {
        double value = number_field(loader, row, column, text);
        g_array_append_val(column->numbers, value);
    } else if (column->type != LONG_SKIP) {
        guint32 code = text_field(loader, row, column, text);
        g_array_append_val(column->codes, code);
    }
}

static void
on_field(void *data, guint row, guint column, const char *text)
{
    Loader *loader = data;

    if (!loader->has_heading)
        add_name(loader, row, column, text);
    else if (column < loader->form->columns->len)
        add_field(loader, row, loader->form->columns->pdata[column], text);
}

static bool
end_heading(Loader *loader, guint row, guint fields)
{
    loader->has_heading = true;
    if (fields > COLUMNS_MAX)
        csv_problems_add(loader->problems, row, NULL,
                         "%u columns; there can be %u", fields, COLUMNS_MAX);
    if (loader->problems->lines->len > 0)
        return false;
    loader->types(loader->form, loader->data, loader->problems);
    return loader->problems->lines->len == 0;
}

static bool
on_end_row(void *data, guint row, guint fields)
{
    Loader *loader = data;
    LongForm *form = loader->form;
    guint32 line = row;

    if (!loader->has_heading)
        return end_heading(loader, row, fields);
    if (fields != form->columns->len)
        csv_problems_add(loader->problems, row, NULL,
                         "%u field%s where the heading has %u", fields,
                         fields == 1 ? "" : "s", form->columns->len);
    if (form->lines->len == ROWS_MAX)
        csv_problems_add(loader->problems, row, NULL, "more than %u lines",
                         ROWS_MAX);
    g_array_append_val(form->lines, line);
    return form->lines->len <= ROWS_MAX;
}

LongForm *
longform_read(const char *path, char delimiter,
              void (*types)(LongForm *form, void *data, CsvProblems *problems),
              void *data, CsvProblems *problems, GError **err)
{
    g_autoptr(LongForm) form = g_new0(LongForm, 1);
    Loader loader = {form, problems, types, data, false};
    const CsvSink sink = {on_field, on_end_row, &loader};

    form->columns =
        g_ptr_array_new_with_free_func((GDestroyNotify) column_free);
    form->lines = g_array_new(FALSE, FALSE, sizeof(guint32));
    if (!csv_file_read(path, delimiter, &sink, problems, &form->delimiter, err))
        return NULL;
    if (problems->lines->len > 0)
        return g_steal_pointer(&form);
    if (!loader.has_heading)
        csv_problems_add(problems, 0, NULL,
                         "is empty: the first line names the columns");
    else if (form->lines->len == 0)
        csv_problems_add(problems, 0, NULL,
                         "has a heading and no lines of data");
    return g_steal_pointer(&form);
}

void
longform_free(LongForm *form)
{
    if (!form)
        return;
    g_ptr_array_unref(form->columns);
    g_array_unref(form->lines);
    g_free(form);
}
