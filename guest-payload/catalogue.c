/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue from its groups, and look-ups in it.
 */
#include "guest-payload/catalogue.h"

#include <string.h>

extern const WorkloadInfo catalogue_fs[], catalogue_db[], catalogue_cpu[],
    catalogue_sys[], catalogue_mem[];

/* In the order in which everything is listed. */
static const WorkloadInfo *const groups[] = {
    catalogue_fs,  catalogue_db,  catalogue_cpu,
    catalogue_sys, catalogue_mem, NULL,
};

/* The group that ends where this row ends. */
static const WorkloadInfo *const *
group_of(const WorkloadInfo *end)
{
    for (const WorkloadInfo *const *group = groups; *group; group++)
        for (const WorkloadInfo *w = *group;; w++) {
            if (w == end)
                return group;
            if (!w->name)
                break;
        }
    return NULL;
}

const WorkloadInfo *
catalogue_next(const WorkloadInfo *workload)
{
    if (!workload)
        return groups[0];
    if (workload[1].name)
        return workload + 1;
    return group_of(workload + 1)[1];
}

const WorkloadInfo *
catalogue_workload(const char *name)
{
    const WorkloadInfo *w = NULL;

    while ((w = catalogue_next(w)))
        if (strcmp(w->name, name) == 0)
            return w;
    return NULL;
}

const MetricInfo *
catalogue_metric(const char *id, const WorkloadInfo **ret_workload)
{
    const WorkloadInfo *w = NULL;

    while ((w = catalogue_next(w)))
        for (const MetricInfo *m = w->metrics; m->id; m++)
            if (strcmp(m->id, id) == 0) {
                if (ret_workload)
                    *ret_workload = w;
                return m;
            }
    return NULL;
}

const ParamInfo *
catalogue_param(const WorkloadInfo *workload, const char *name)
{
    for (const ParamInfo *p = workload->params; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}
