/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sharing the configuration step out over the settings in which best and
 * baseline differ (METHOD 8.2), over the corners between them that were run.
 */
#include "report/ladder-parts.h"

#include <string.h>
#include "report/lattice.h"
#include "report/parts.h"
#include "stats/best.h"
#include "stats/ladder.h"

/* Above it there are more orders than anybody has cells for. */
#define SHAPLEY_MAX 4

void
ladder_part_free(ReportPart *part)
{
    if (!part)
        return;
    g_free(part->setting);
    g_free(part->level);
    g_free(part->base);
    g_free(part);
}

static void
find_settings(const Report *report, Rungs *rungs)
{
    const StoreCell *best = report->cells->pdata[rungs->best];
    const StoreCell *baseline = report->cells->pdata[rungs->baseline];

    for (guint i = 0; i < baseline->settings->len; i++) {
        char *setting = baseline->settings->pdata[i];

        if (g_strcmp0(report_cell_level(best, setting),
                      baseline->levels->pdata[i]) != 0)
            g_ptr_array_add(rungs->settings, setting);
    }
}

/* The cell in which the settings of `set` are at their best and the others at
 * the baseline; LATTICE_NO_CELL: not planned or without values. */
static guint
corner_cell(const Report *report, const Rungs *rungs, guint set)
{
    const StoreCell *best = report->cells->pdata[rungs->best];
    Coordinate to[LADDER_MAX_SETTINGS];
    guint n = 0, place = LATTICE_NO_CELL;

    for (guint i = 0; i < rungs->settings->len; i++) {
        const char *setting = rungs->settings->pdata[i];

        if (!(set & 1u << i))
            continue;
        if (!lattice_coordinate(report->lattice, setting,
                                report_cell_level(best, setting), &to[n]))
            return LATTICE_NO_CELL;
        n++;
    }
    place = lattice_move(report->lattice, rungs->baseline, to, n);
    return place != LATTICE_NO_CELL && report_logs_any(rungs->logs, place)
               ? place
               : LATTICE_NO_CELL;
}

/* Of many settings only those corners that first-in and last-in need. */
static bool
is_needed(guint set, guint k)
{
    guint n = (guint) __builtin_popcount(set);

    return k <= SHAPLEY_MAX || n == 1 || n == k - 1;
}

/* Appends the values of a cell as a row; returns the row. */
static guint
add_row(Rungs *rungs, guint place)
{
    Blocks *table = rungs->table;
    Blocks *longer = blocks_new(table->n_cells + 1, table->n_blocks);

    memcpy(longer->y, table->y,
           (gsize) table->n_cells * table->n_blocks * sizeof *table->y);
    for (guint b = 0; b < table->n_blocks; b++)
        blocks_set(longer, table->n_cells, b,
                   blocks_get(rungs->logs, place, b));
    blocks_free(table);
    rungs->table = longer;
    return longer->n_cells - 1;
}

void
ladder_find_corners(const Report *report, ReportLadder *ladder, Rungs *rungs)
{
    guint all = 0, k = 0;

    if (!rungs->is_there[RUNG_BEST])
        return;
    if (rungs->best == BEST_NO_CELL) {
        g_ptr_array_add(ladder->notes,
                        g_strdup("the configuration step is not split over "
                                 "settings: the best guest is not the same "
                                 "cell in all blocks (best: declares one)"));
        return;
    }
    find_settings(report, rungs);
    k = rungs->settings->len;
    if (k < 2 || k > LADDER_MAX_SETTINGS)
        return; /* one setting is the whole step */
    all = (1u << k) - 1;
    rungs->corner = g_new(guint, all + 1);
    for (guint set = 0; set <= all; set++) {
        guint place = set == 0 || set == all || !is_needed(set, k)
                          ? LATTICE_NO_CELL
                          : corner_cell(report, rungs, set);

        rungs->corner[set] =
            place == LATTICE_NO_CELL ? LADDER_NO_CELL : add_row(rungs, place);
    }
    rungs->corner[0] = RUNG_BASELINE;
    rungs->corner[all] = RUNG_BEST;
}

typedef gboolean Weigh(const Ladder *ladder, guint setting, double *weights);

static ReportStep
share_of(const Report *report, const ReportLadder *ladder, const Rungs *rungs,
         const Ladder *corners, Weigh *weigh, guint setting)
{
    g_autofree double *weights = g_new0(double, corners->n_cells);

    /* Weights that are all 0 give no estimate. */
    weigh(corners, setting, weights);
    return ladder_infer(report, ladder, rungs, weights);
}

static void
add_part(const Report *report, ReportLadder *ladder, const Rungs *rungs,
         const Ladder *corners, guint setting)
{
    const char *name = rungs->settings->pdata[setting];
    const StoreCell *best = report->cells->pdata[rungs->best];
    const StoreCell *baseline = report->cells->pdata[rungs->baseline];
    ReportPart *part = g_new0(ReportPart, 1);

    part->setting = g_strdup(name);
    part->level = g_strdup(report_cell_level(best, name));
    part->base = g_strdup(report_cell_level(baseline, name));
    part->first_in =
        share_of(report, ladder, rungs, corners, ladder_first_in, setting);
    part->last_in =
        share_of(report, ladder, rungs, corners, ladder_last_in, setting);
    if (corners->n_settings <= SHAPLEY_MAX)
        part->shapley =
            share_of(report, ladder, rungs, corners, ladder_shapley, setting);
    g_ptr_array_add(ladder->parts, part);
}

static bool
any_alone(const Ladder *corners)
{
    for (guint i = 0; i < corners->n_settings; i++)
        if (corners->cell[1u << i] != LADDER_NO_CELL)
            return true;
    return false;
}

void
ladder_split(const Report *report, ReportLadder *ladder, const Rungs *rungs)
{
    const Ladder corners = {rungs->settings->len, rungs->table->n_cells,
                            rungs->corner};
    g_autofree double *weights = g_new0(double, corners.n_cells);

    if (!rungs->corner)
        return;
    if (!any_alone(&corners)) {
        g_ptr_array_add(ladder->notes,
                        g_strdup("the configuration step is not split over "
                                 "settings: no cell has one of them alone at "
                                 "its best level"));
        return;
    }
    for (guint i = 0; i < corners.n_settings; i++)
        add_part(report, ladder, rungs, &corners, i);
    ladder_remainder(&corners, weights);
    ladder->remainder = ladder_infer(report, ladder, rungs, weights);
    ladder->remainder.name = "interaction / unexplained";
}
