/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The complaints about a CSV file: see csv-problems.h. */
#include "data/csv-problems.h"

#include <string.h>

/* More are counted only: a file that is wrong throughout says so in one
 * screen. */
#define PROBLEMS_SHOWN 20u
/* Bytes of one complaint: texts of the file are quoted in it. */
#define PROBLEM_LENGTH 400

CsvProblems *
csv_problems_new(const char *file)
{
    CsvProblems *problems = g_new0(CsvProblems, 1);

    problems->file = g_strdup(file);
    problems->lines = g_ptr_array_new_with_free_func(g_free);
    return problems;
}

/* One line of valid UTF-8 without control characters. */
static char *
plain_line(const char *text)
{
    char *line = g_utf8_make_valid(text, -1);

    for (char *p = line; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);

        if (c < 0x80 && g_unichar_iscntrl(c))
            *p = '?';
    }
    if (strlen(line) > PROBLEM_LENGTH) {
        char *cut = g_utf8_find_prev_char(line, line + PROBLEM_LENGTH);
        *cut = '\0';
    }
    return line;
}

void
csv_problems_add(CsvProblems *problems, guint row, const char *column,
                 const char *format, ...)
{
    g_autoptr(GString) text = g_string_new(problems->file);
    va_list args;

    if (problems->lines->len == PROBLEMS_SHOWN) {
        problems->more++;
        return;
    }
    if (row > 0)
        g_string_append_printf(text, ":%u", row);
    if (column)
        g_string_append_printf(text, ":%s", column);
    g_string_append(text, ": ");
    va_start(args, format);
    g_string_append_vprintf(text, format, args);
    va_end(args);
    g_ptr_array_add(problems->lines, plain_line(text->str));
}

bool
csv_problems_check(const CsvProblems *problems, GError **err)
{
    g_autoptr(GString) all = g_string_new(NULL);

    if (problems->lines->len == 0)
        return true;
    for (guint i = 0; i < problems->lines->len; i++)
        g_string_append_printf(all, "%s%s", i ? "\n" : "",
                               (char *) problems->lines->pdata[i]);
    if (problems->more > 0)
        g_string_append_printf(all, "\nand %u more", problems->more);
    return vs_usage(err, "%s", all->str);
}

void
csv_problems_free(CsvProblems *problems)
{
    if (!problems)
        return;
    g_free(problems->file);
    g_ptr_array_unref(problems->lines);
    g_free(problems);
}
