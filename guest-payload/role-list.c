/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list: the catalogue as a table.
 */
#include <getopt.h>
#include <stdio.h>

#include "guest-payload/catalogue.h"
#include "guest-payload/roles.h"

static const char help[] =
    "usage: vsweep-payload list [--params]\n\n"
    "Lists workloads with their metrics, units and better direction.\n"
    "  --params  their parameters instead, with defaults and bounds\n";

static const char *const better_names[] = {
    [BETTER_HIGHER] = "higher",
    [BETTER_LOWER] = "lower",
};

static void
list_metrics(void)
{
    printf("%-20s %-8s %-8s %-8s\n", "METRIC", "UNIT", "BETTER", "PRIMARY");
    for (const WorkloadInfo *w = NULL; (w = catalogue_next(w));) {
        printf("%s: %s\n", w->name, w->summary);
        for (const MetricInfo *m = w->metrics; m->id; m++)
            printf("  %-18s %-8s %-8s %s\n", m->id, m->unit,
                   better_names[m->better], m->primary ? "primary" : "-");
    }
}

static void
list_params(void)
{
    printf("%-20s %-8s %-8s %s\n", "PARAMETER", "DEFAULT", "QUICK", "ALLOWED");
    for (const WorkloadInfo *w = NULL; (w = catalogue_next(w));) {
        printf("%s: %s\n", w->name, w->summary);
        for (const ParamInfo *p = w->params; p->name; p++) {
            printf("  %-18s %-8s %-8s ", p->name, p->normal, p->quick);
            if (p->choices)
                printf("%s", p->choices);
            else
                printf("%s to %s", p->min, p->max);
            printf("; %s\n", p->help);
        }
    }
}

int
role_list(int argc, char **argv)
{
    static const struct option options[] = {
        {"params", no_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    void (*list)(void) = list_metrics;
    int option;

    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return STATUS_OK;
        }
        if (option != 'p')
            return STATUS_USAGE;
        list = list_params;
    }
    if (optind < argc)
        return usage_error("list: unexpected \"%s\"", argv[optind]);
    list();
    return STATUS_OK;
}
