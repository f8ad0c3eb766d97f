/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a design as points: one coordinate a setting, its level.  It
 * answers "the cell like this one, but with that level" without a search
 * through all cells.
 *
 * Points are the real cells (kind "cell") that were to be measured; they are
 * named by their place in Report.cells, and so are the answers.  A setting
 * that a cell does not have is a level of its own, NULL.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#define LATTICE_NO_CELL G_MAXUINT

typedef struct Lattice Lattice;

/* Of StoreCell *.  Keeps no reference to them. */
Lattice *lattice_new(const GPtrArray *cells);
void lattice_free(Lattice *lattice);

/* A coordinate: a setting that some cell has, and a level that it has
 * there. */
typedef struct Coordinate {
    guint setting, level;
} Coordinate;

/* FALSE when no cell has such a setting, or none has that level of it. */
bool lattice_coordinate(const Lattice *lattice, const char *setting,
                        const char *level, Coordinate *ret_coordinate);
/* Whether this is a point that has the coordinate. */
bool lattice_has(const Lattice *lattice, guint place, Coordinate coordinate);
/* The first cell that is like the point `place` but for these coordinates;
 * LATTICE_NO_CELL when there is none. */
guint lattice_move(const Lattice *lattice, guint place,
                   const Coordinate *coordinates, guint n);
