/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of src/stats: the data of the worked example E1.
 */
#pragma once

#include "stats-util.h"

#include "stats/contrast.h"

static const char *const e1_cells[] = {
    "base",        "cache=writeback", "cache=directsync",
    "io=io_uring", "io=threads",      "aa"};
#define E1_CELLS G_N_ELEMENTS(e1_cells)
#define E1_BLOCKS 8
#define E1_LEVELS 4 /* cells 1..4 are the family, cell 5 the twin */

static inline guint
e1_cell(const char *name)
{
    for (guint i = 0; i < E1_CELLS; i++)
        if (strcmp(e1_cells[i], name) == 0)
            return i;
    fail_msg("unknown cell '%s'", name);
    return 0;
}

static inline Blocks *
e1_load(void)
{
    Blocks *blocks = blocks_new(E1_CELLS, E1_BLOCKS);
    g_autoptr(GPtrArray) rows = oracle_csv("e1_ofat.csv");
    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        double x = g_ascii_strtod(row[2], NULL);
        blocks_set(blocks, e1_cell(row[1]),
                   (guint) g_ascii_strtoull(row[0], NULL, 10) - 1,
                   contrast_log(x, TRUE));
    }
    return blocks;
}

static inline guint
e1_differences(const Blocks *blocks, guint cell, double *d)
{
    double weights[E1_CELLS] = {-1};
    weights[cell] = 1;
    return contrast_differences(blocks, weights, d);
}
