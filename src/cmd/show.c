/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep show: everything about the attempts of one cell. */
#include <stdio.h>
#include <string.h>
#include "base/table.h"
#include "base/units.h"
#include "cmd/commands.h"
#include "data/store.h"
#include "run/sweepdir.h"

static gboolean arg_xml, arg_console, arg_argv, arg_records;
static int arg_block;

static const GOptionEntry options[] = {
    {"block", 'b', 0, G_OPTION_ARG_INT, &arg_block,
     "the attempt of this block (default: the last)", "N"},
    {"xml", 0, 0, G_OPTION_ARG_NONE, &arg_xml, "only the live domain XML",
     NULL},
    {"argv", 0, 0, G_OPTION_ARG_NONE, &arg_argv, "only QEMU's arguments", NULL},
    {"console", 0, 0, G_OPTION_ARG_NONE, &arg_console,
     "only the end of the console", NULL},
    {"records", 0, 0, G_OPTION_ARG_NONE, &arg_records,
     "only the payload's lines", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

static const StoreCell *
find_cell(const GPtrArray *cells, const char *name, GError **err)
{
    g_autoptr(GString) names = g_string_new(NULL);

    for (guint i = 0; i < cells->len; i++) {
        const StoreCell *cell = cells->pdata[i];

        if (strcmp(cell->name, name) == 0)
            return cell;
        g_string_append_printf(names, "%s%s", i ? ", " : "", cell->name);
    }
    vs_usage(err, "no cell '%s' in this sweep; it has %s", name, names->str);
    return NULL;
}

/* The attempt that was asked for: the last of the block, or of all. */
static gint64
find_run(const GPtrArray *runs, guint cell)
{
    gint64 id = 0;

    for (guint i = 0; i < runs->len; i++) {
        const StoreRun *run = runs->pdata[i];

        if (run->cell == cell && (!arg_block || (int) run->block == arg_block))
            id = run->id;
    }
    return id;
}

static void
print_proofs(const Attempt *attempt)
{
    static const char *const headings[] = {"setting", "source", "asked",
                                           "found", ""};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
                                       TABLE_LEFT, TABLE_LEFT};
    g_autoptr(Table) table = table_new(5, headings, align);
    g_autoptr(GString) text = g_string_new("\nproof of settings:\n");

    for (guint i = 0; i < attempt->proofs->len; i++) {
        const AttemptProof *p = attempt->proofs->pdata[i];

        table_add(table, (const char *const[]){p->setting, p->source,
                                               p->requested, p->effective,
                                               p->ok ? "ok" : "MISMATCH"});
    }
    table_format(table, 2, text);
    if (attempt->proofs->len)
        fputs(text->str, stdout);
}

static void
print_values(const Attempt *attempt)
{
    static const char *const headings[] = {"metric", "value", "n", "note"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_RIGHT, TABLE_RIGHT,
                                       TABLE_LEFT};
    g_autoptr(Table) table = table_new(4, headings, align);
    g_autoptr(GString) text = g_string_new("\nvalues:\n");

    for (guint i = 0; i < attempt->values->len; i++) {
        const AttemptValue *v = attempt->values->pdata[i];
        g_autofree char *value = units_format_value(v->value, v->unit);
        g_autofree char *n = g_strdup_printf("%" G_GINT64_FORMAT, v->n);

        table_add(table, (const char *const[]){v->metric, value, n, v->reason});
    }
    table_format(table, 2, text);
    fputs(text->str, stdout);
}

static void
print_windows(const Attempt *attempt)
{
    puts("\nwindows:");
    for (guint i = 0; i < attempt->windows->len; i++) {
        const AttemptWindow *w = attempt->windows->pdata[i];
        g_autofree char *span = units_format_duration(w->host_t1 - w->host_t0);

        printf("  %s %s: %s, %" G_GINT64_FORMAT " operations%s%s\n",
               w->workload, w->phase, span, w->ops,
               w->breach ? "; disturbed: " : "", w->breach ? w->breach : "");
    }
}

static void
print_attempt(const StoreCell *cell, const Attempt *a)
{
    printf("%s, block %u, try %u: %s%s%s\nstarted %s\n", cell->name, a->block,
           a->try, outcome_name(a->outcome), a->reason ? ": " : "",
           a->reason ? a->reason : "", a->started);
    print_proofs(a);
    print_values(a);
    print_windows(a);
    if (a->outcome != OUTCOME_OK && a->console && *a->console)
        printf("\nend of the console:\n%s\n", a->console);
}

static void
print_lines(const Attempt *attempt)
{
    for (guint i = 0; i < attempt->lines->len; i++)
        puts(attempt->lines->pdata[i]);
}

static void
print_wanted(const StoreCell *cell, const Attempt *a)
{
    const struct {
        gboolean wanted;
        const char *text;
    } texts[] = {{arg_xml, a->live_xml ? a->live_xml : a->asked_xml},
                 {arg_argv, a->argv},
                 {arg_console, a->console}};

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
        if (texts[i].wanted) {
            puts(texts[i].text ? texts[i].text : "");
            return;
        }
    if (arg_records)
        print_lines(a);
    else
        print_attempt(cell, a);
}

static bool
show(const char *db, const char *name, GError **err)
{
    g_autoptr(Store) store = store_open(db, false, err);
    g_autoptr(GPtrArray) cells = store ? store_cells(store, err) : NULL;
    const StoreCell *cell = cells ? find_cell(cells, name, err) : NULL;
    g_autoptr(GPtrArray) runs = cell ? store_runs(store, err) : NULL;
    g_autoptr(Attempt) attempt = NULL;
    gint64 id = 0;

    if (!runs)
        return false;
    id = find_run(runs, cell->index);
    if (!id)
        return vs_fail(err, "cell '%s' is %s%s%s and has no attempt%s", name,
                       cell->state, cell->why ? ": " : "",
                       cell->why ? cell->why : "",
                       arg_block ? " in that block" : "");
    attempt = store_attempt(store, id, err);
    if (!attempt)
        return false;
    print_wanted(cell, attempt);
    return true;
}

static int
run(int argc, char **argv, GError **err)
{
    g_autofree char *db = NULL;

    if (!command_arguments(&command_show, argc, 1, 2, err))
        return VS_ERROR_USAGE;
    db = sweepdir_resolve(argc > 2 ? argv[1] : NULL, err);
    if (!db || !show(db, argv[argc - 1], err))
        return VS_ERROR_FAILED;
    return 0;
}

const Command command_show = {
    .name = "show",
    .arguments = "[SWEEP] CELL",
    .summary = "Show an attempt: proof, values, XML, console, records",
    .options = options,
    .run = run,
};
