/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order within a block (METHOD 4.2): a function of seed and block only,
 * so that it can be made again at any time, and resuming needs no record.
 */
#include "base/random.h"
#include "plan/design.h"

/* The odd constants of METHOD 4.2 that keep blocks, and the order of cells
 * and workloads in one block, apart. */
#define BLOCK_STEP G_GUINT64_CONSTANT(0xD1B54A32D192ED03)
#define WORKLOAD_STEP G_GUINT64_CONSTANT(0x5851F42D4C957F2D)

static void
shuffle(guint64 seed, guint block, guint64 step, guint *order, guint length)
{
    Random random = {0};

    random_init(&random, random_mix64(seed + block * BLOCK_STEP + step));
    random_shuffle(&random, order, length);
}

void
design_block_order(const Design *design, guint64 seed, guint block,
                   guint **ret_order, guint *ret_length)
{
    g_autoptr(GArray) planned = g_array_new(FALSE, FALSE, sizeof(guint));
    guint *order = NULL;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (cell->state == CELL_PLANNED)
            g_array_append_val(planned, i);
    }
    order = g_new0(guint, planned->len + 1);
    shuffle(seed, block, 0, order, planned->len);
    for (guint i = 0; i < planned->len; i++)
        order[i] = g_array_index(planned, guint, order[i]);
    *ret_order = order;
    *ret_length = planned->len;
}

void
design_workload_order(const Design *design, guint64 seed, guint block,
                      guint *order)
{
    shuffle(seed, block, WORKLOAD_STEP, order, design->matrix->workloads->len);
}
