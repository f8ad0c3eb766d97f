/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a sweep has come: blocks that are complete, cells that were
 * measured, cells that were given up.
 */
#include "report/parts.h"

/* How a cell's turn in a block went. */
typedef enum { TURN_NONE, TURN_LOST, TURN_OK } Turn;

/* Of each planned cell: what has been seen of it. */
typedef struct Progress {
    guint n_blocks;
    GHashTable *places; /* Cell.index -> place + 1 */
    Turn *turns;        /* [place * n_blocks + block - 1] */
    bool *measured;     /* [place] */
    bool *open;         /* [block - 1]: some cell is still to have its turn */
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

static Turn *
turn_of(const Progress *progress, guint place, guint block)
{
    return &progress->turns[(gsize) place * progress->n_blocks + block - 1];
}

static void
see_run(const Progress *progress, const StoreRun *run)
{
    guint place = GPOINTER_TO_UINT(
        g_hash_table_lookup(progress->places, GUINT_TO_POINTER(run->cell)));

    if (place == 0 || run->discarded || run->block < 1 ||
        run->outcome == OUTCOME_INTERRUPTED)
        return;
    Turn *turn = turn_of(progress, place - 1, run->block);
    if (run->outcome == OUTCOME_OK)
        progress->measured[place - 1] = true;
    *turn = MAX(*turn, run->outcome == OUTCOME_OK ? TURN_OK : TURN_LOST);
}

/* Marks the blocks in which a cell still is to have its turn: one that was
 * given up before has none.  Returns whether it was. */
static bool
mark_open(const Progress *progress, guint place)
{
    guint lost = 0;

    for (guint block = 1; block <= progress->n_blocks; block++) {
        Turn turn = *turn_of(progress, place, block);

        if (turn == TURN_NONE && lost < ATTEMPT_BLOCKS_LOST)
            progress->open[block - 1] = true;
        lost += turn == TURN_LOST;
    }
    return lost >= ATTEMPT_BLOCKS_LOST;
}

void
report_count_progress(Report *report)
{
    guint n_blocks = last_block(report);
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    g_autofree Turn *turns =
        g_new0(Turn, (gsize) report->cells->len * n_blocks + 1);
    g_autofree bool *measured = g_new0(bool, report->cells->len + 1);
    g_autofree bool *open = g_new0(bool, n_blocks + 1);
    const Progress progress = {n_blocks, places, turns, measured, open};

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        g_hash_table_insert(places, GUINT_TO_POINTER(cell->index),
                            GUINT_TO_POINTER(i + 1));
    }
    for (guint i = 0; i < report->runs->len; i++)
        see_run(&progress, report->runs->pdata[i]);
    report->last_block = n_blocks;
    report->given_up = g_new0(bool, report->cells->len + 1);
    for (guint i = 0; i < report->cells->len; i++) {
        if (!report_cell_planned(report->cells->pdata[i]))
            continue;
        report->cells_planned++;
        report->cells_measured += measured[i];
        report->given_up[i] = mark_open(&progress, i);
    }
    for (guint block = 0; block < n_blocks; block++)
        report->blocks += !open[block];
}
