/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a sweep has come: blocks that are complete, cells that were
 * measured.
 */
#include "report/parts.h"

/* Of each planned cell: what has been seen of it. */
typedef struct Progress {
    guint n_blocks;
    GHashTable *places; /* Cell.index -> place + 1 */
    bool *had_turn;     /* [place * n_blocks + block - 1] */
    bool *measured;     /* [place] */
} Progress;

static guint
last_block(const Report *report)
{
    guint last = 0;

    for (guint i = 0; i < report->runs->len; i++) {
        const StoreRun *run = report->runs->pdata[i];

        if (!run->discarded)
            last = MAX(last, run->block);
    }
    return last;
}

/* A cell's turn in a block is over when it was measured or given up on. */
static void
see_run(const Progress *progress, const StoreRun *run)
{
    guint place = GPOINTER_TO_UINT(
        g_hash_table_lookup(progress->places, GUINT_TO_POINTER(run->cell)));

    if (place == 0 || run->discarded || run->block < 1)
        return;
    if (run->outcome != OUTCOME_INTERRUPTED)
        progress->had_turn[(gsize) (place - 1) * progress->n_blocks +
                           run->block - 1] = true;
    if (run->outcome == OUTCOME_OK)
        progress->measured[place - 1] = true;
}

static bool
block_complete(const Report *report, const Progress *progress, guint block)
{
    for (guint i = 0; i < report->cells->len; i++)
        if (report_cell_planned(report->cells->pdata[i]) &&
            !progress->had_turn[(gsize) i * progress->n_blocks + block])
            return false;
    return true;
}

void
report_count_progress(Report *report)
{
    guint n_blocks = last_block(report);
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    g_autofree bool *had_turn =
        g_new0(bool, (gsize) report->cells->len *n_blocks + 1);
    g_autofree bool *measured = g_new0(bool, report->cells->len + 1);
    const Progress progress = {n_blocks, places, had_turn, measured};

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        g_hash_table_insert(places, GUINT_TO_POINTER(cell->index),
                            GUINT_TO_POINTER(i + 1));
    }
    for (guint i = 0; i < report->runs->len; i++)
        see_run(&progress, report->runs->pdata[i]);
    report->last_block = n_blocks;
    for (guint block = 0; block < n_blocks; block++)
        report->blocks += block_complete(report, &progress, block);
    for (guint i = 0; i < report->cells->len; i++) {
        bool planned = report_cell_planned(report->cells->pdata[i]);

        report->cells_planned += planned;
        report->cells_measured += planned && measured[i];
    }
}
