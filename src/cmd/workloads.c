/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep workloads: the catalogue of workloads. */
#include <stdio.h>
#include "base/table.h"
#include "cmd/commands.h"
#include "guest-payload/catalogue.h"

static void
add_metrics(Table *table, const WorkloadInfo *w)
{
    for (gsize i = 0; w->metrics[i].id; i++) {
        const MetricInfo *m = &w->metrics[i];

        table_add(table, (const char *const[]){
                             i ? "" : w->name, m->id, m->unit,
                             m->better == BETTER_HIGHER ? "higher" : "lower",
                             i ? "" : w->summary});
    }
}

static void
add_params(Table *table, const WorkloadInfo *w)
{
    for (gsize i = 0; w->params[i].name; i++) {
        const ParamInfo *p = &w->params[i];

        table_add(table, (const char *const[]){i ? "" : w->name, p->name,
                                               p->normal, p->quick, p->help});
    }
}

static int
run(int argc, char **argv G_GNUC_UNUSED, GError **err)
{
    static const char *const metrics[] = {"workload", "metric", "unit",
                                          "better", "what it does"};
    static const char *const params[] = {"workload", "parameter", "default",
                                         "quick", "meaning"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
                                       TABLE_LEFT, TABLE_LEFT};
    g_autoptr(Table) first = table_new(5, metrics, align);
    g_autoptr(Table) second = table_new(5, params, align);
    g_autoptr(GString) text = g_string_new(NULL);

    if (!command_arguments(&command_workloads, argc, 0, 0, err))
        return VS_ERROR_USAGE;
    for (const WorkloadInfo *w = NULL; (w = catalogue_next(w));) {
        add_metrics(first, w);
        add_params(second, w);
    }
    table_format(first, 0, text);
    g_string_append_c(text, '\n');
    table_format(second, 0, text);
    fputs(text->str, stdout);
    return 0;
}

const Command command_workloads = {
    .name = "workloads",
    .arguments = NULL,
    .summary = "List the workloads, their metrics and parameters",
    .run = run,
};
