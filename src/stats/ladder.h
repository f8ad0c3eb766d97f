/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who is to thank for a step of several settings (METHOD 8.2): each share is
 * made of weights over cells, so that contrast_differences() and
 * contrast_infer() give it an estimate and an interval.
 *
 * The steps between two rungs (METHOD 8.1) are such weights as well.  They add
 * up in their means, never in per cent.
 */
#pragma once

#include <glib.h>

/* A set of settings is a number of as many bits. */
#define LADDER_MAX_SETTINGS 16
#define LADDER_NO_CELL G_MAXUINT

/* The corners between default and best: cell[set] is the cell in which the
 * settings whose bit is in `set` have their best value and the others their
 * default.  cell[0] is the default, cell[2^n_settings - 1] the best. */
typedef struct Ladder {
    guint n_settings;  /* 1..LADDER_MAX_SETTINGS */
    guint n_cells;     /* weights to write; all of cell[] are below it */
    const guint *cell; /* 2^n_settings, LADDER_NO_CELL: was not run */
} Ladder;

/* All of these write n_cells weights and return TRUE, or, when a corner they
 * need was not run, return FALSE and leave the weights alone. */

/* y(to) - y(from), for two cells. */
gboolean ladder_step(guint n_cells, guint from, guint to, double *weights);
/* y(default with the setting at its best) - y(default). */
gboolean ladder_first_in(const Ladder *ladder, guint setting, double *weights);
/* y(best) - y(best with the setting at its default). */
gboolean ladder_last_in(const Ladder *ladder, guint setting, double *weights);
/* The mean of what the setting adds over all orders in which the settings can
 * be switched; the shares of all settings sum to y(best) - y(default).  Needs
 * all corners. */
gboolean ladder_shapley(const Ladder *ladder, guint setting, double *weights);
/* The bar "interaction / unexplained": y(best) - y(default) less the first-in
 * of every setting. */
gboolean ladder_remainder(const Ladder *ladder, double *weights);
