/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain text and Markdown tables: see table.h. */
#include <string.h>
#include "base/table.h"

struct Table {
    guint columns;
    GStrv headings;
    TableAlign *align;
    GPtrArray *rows; /* GStrv of `columns` texts; NULL: a rule */
};

static GStrv
copy_row(guint columns, const char *const *cells)
{
    GStrv row = g_new0(char *, columns + 1);

    for (guint i = 0; i < columns; i++)
        row[i] = g_strdup(cells[i] ? cells[i] : "");
    return row;
}

Table *
table_new(guint columns, const char *const *headings, const TableAlign *align)
{
    Table *table = g_new0(Table, 1);

    table->columns = columns;
    table->headings = copy_row(columns, headings);
    table->align = g_memdup2(align, columns * sizeof(*align));
    table->rows = g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    return table;
}

void
table_add(Table *table, const char *const *cells)
{
    g_ptr_array_add(table->rows, copy_row(table->columns, cells));
}

void
table_rule(Table *table)
{
    g_ptr_array_add(table->rows, NULL);
}

static guint
width_of(const char *text)
{
    return (guint) g_utf8_strlen(text, -1);
}

static guint *
column_widths(const Table *table)
{
    guint *widths = g_new0(guint, table->columns);

    for (guint c = 0; c < table->columns; c++) {
        widths[c] = width_of(table->headings[c]);
        for (guint r = 0; r < table->rows->len; r++) {
            GStrv row = table->rows->pdata[r];

            if (row)
                widths[c] = MAX(widths[c], width_of(row[c]));
        }
    }
    return widths;
}

static void
append_spaces(GString *out, guint n)
{
    for (guint i = 0; i < n; i++)
        g_string_append_c(out, ' ');
}

static void
format_row(const Table *table, GStrv row, const guint *widths, guint indent,
           GString *out)
{
    append_spaces(out, indent);
    for (guint c = 0; c < table->columns; c++) {
        guint pad = widths[c] - width_of(row[c]);

        if (table->align[c] == TABLE_RIGHT)
            append_spaces(out, pad);
        g_string_append(out, row[c]);
        if (table->align[c] == TABLE_LEFT)
            append_spaces(out, pad);
        append_spaces(out, 2);
    }
    while (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

void
table_format(const Table *table, guint indent, GString *out)
{
    g_autofree guint *widths = column_widths(table);

    format_row(table, table->headings, widths, indent, out);
    for (guint r = 0; r < table->rows->len; r++) {
        GStrv row = table->rows->pdata[r];

        if (row)
            format_row(table, row, widths, indent, out);
        else
            g_string_append_c(out, '\n');
    }
}

static void
markdown_row(const Table *table, GStrv row, GString *out)
{
    for (guint c = 0; c < table->columns; c++) {
        g_autoptr(GString) cell = g_string_new(row[c]);

        g_string_replace(cell, "|", "\\|", 0);
        g_string_append_printf(out, "| %s ", cell->str);
    }
    g_string_append(out, "|\n");
}

void
table_format_markdown(const Table *table, GString *out)
{
    markdown_row(table, table->headings, out);
    for (guint c = 0; c < table->columns; c++)
        g_string_append(out, table->align[c] == TABLE_RIGHT ? "|---:" : "|---");
    g_string_append(out, "|\n");
    for (guint r = 0; r < table->rows->len; r++)
        if (table->rows->pdata[r])
            markdown_row(table, table->rows->pdata[r], out);
}

void
table_free(Table *table)
{
    if (!table)
        return;
    g_strfreev(table->headings);
    g_free(table->align);
    g_ptr_array_unref(table->rows);
    g_free(table);
}
