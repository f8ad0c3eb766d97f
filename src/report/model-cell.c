/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a report needs to know about a cell: its levels, whether it was to be
 * measured, and what its cache mode promises (METHOD 6.4).
 */
#include "report/parts.h"

#include <math.h>
#include <string.h>

/* libvirt's cache modes.  What is not here (and no mode at all) is QEMU's
 * default, writeback. */
static const struct {
    const char *cache, *durability;
} durability_classes[] = {
    {"none", "D"},        {"writeback", "D"}, {"writethrough", "D+"},
    {"directsync", "D+"}, {"unsafe", "N"},
};

const char *
report_cell_level(const StoreCell *cell, const char *setting)
{
    for (guint i = 0; i < cell->settings->len; i++)
        if (strcmp(cell->settings->pdata[i], setting) == 0)
            return cell->levels->pdata[i];
    return NULL;
}

bool
report_cell_planned(const StoreCell *cell)
{
    return strcmp(cell->state, "excluded") != 0 &&
           strcmp(cell->state, "unsupported") != 0;
}

bool
report_cell_is_host(const StoreCell *cell)
{
    return g_str_has_prefix(cell->kind, "host");
}

int
report_cell_of(const Report *report, const char *kind)
{
    bool baseline = strcmp(kind, "baseline") == 0;

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        if (baseline ? cell->baseline && strcmp(cell->kind, "cell") == 0
                     : strcmp(cell->kind, kind) == 0)
            return (int) i;
    }
    return -1;
}

const char *
report_cell_class(const StoreCell *cell)
{
    const char *cache = report_cell_level(cell, "disk.cache");

    if (report_cell_is_host(cell))
        return "";
    for (gsize i = 0; i < G_N_ELEMENTS(durability_classes); i++)
        if (g_strcmp0(durability_classes[i].cache, cache) == 0)
            return durability_classes[i].durability;
    return "D";
}

bool
report_allows_unsafe(const Report *report)
{
    return g_strcmp0(report_fact(report, "allow_unsafe"), "yes") == 0;
}

bool
report_design_is(const Report *report, const char *design)
{
    return g_strcmp0(report_fact(report, "design"), design) == 0;
}

bool
report_logs_any(const Blocks *logs, guint cell)
{
    for (guint b = 0; b < logs->n_blocks; b++)
        if (!isnan(blocks_get(logs, cell, b)))
            return true;
    return false;
}
