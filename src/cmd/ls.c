/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep ls: the sweeps below reports/. */
#include <stdio.h>
#include "base/table.h"
#include "cmd/commands.h"
#include "data/store.h"
#include "run/sweepdir.h"

static char *
fact(Store *store, const char *key)
{
    char *value = store ? store_get(store, key) : NULL;

    return value ? value : g_strdup("?");
}

static void
add_row(Table *table, const char *name)
{
    g_autofree char *db =
        g_build_filename(SWEEPDIR_ROOT, name, SWEEPDIR_DB, NULL);
    g_autoptr(GError) why = NULL;
    g_autoptr(Store) store = store_open(db, false, &why);
    g_autofree char *status = fact(store, "status");
    g_autofree char *accel = fact(store, "accel");
    g_autofree char *created = fact(store, "created");
    g_autofree char *question = fact(store, "question");

    table_add(table, (const char *const[]){name, status, accel, created,
                                           why ? why->message : question});
}

static int
run(int argc, char **argv G_GNUC_UNUSED, GError **err)
{
    static const char *const headings[] = {"sweep", "status", "accel",
                                           "created", "question"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
                                       TABLE_LEFT, TABLE_LEFT};
    g_autoptr(GPtrArray) names = sweepdir_list(SWEEPDIR_ROOT);
    g_autoptr(Table) table = table_new(5, headings, align);
    g_autoptr(GString) text = g_string_new(NULL);

    if (!command_arguments(&command_ls, argc, 0, 0, err))
        return VS_ERROR_USAGE;
    for (guint i = 0; i < names->len; i++)
        add_row(table, names->pdata[i]);
    table_format(table, 0, text);
    fputs(text->str, stdout);
    return 0;
}

const Command command_ls = {
    .name = "ls",
    .arguments = NULL,
    .summary = "List the sweeps below " SWEEPDIR_ROOT "/, newest first",
    .run = run,
};
