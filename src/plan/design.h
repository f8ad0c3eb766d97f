/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a matrix to cells: which combinations are measured (METHOD 3), which
 * are left out and why, and the order of each block (METHOD 4).
 */
#pragma once

#include <glib.h>
#include "plan/matrix.h"

typedef enum { CELL_CELL, CELL_AA, CELL_HOST, CELL_HOST_MATCHED } CellKind;

typedef enum {
    CELL_PLANNED,
    CELL_EXCLUDED,   /* by the matrix or a built-in constraint */
    CELL_UNSUPPORTED /* libvirt or QEMU cannot do it, in their words */
} CellState;

typedef struct Cell {
    guint index; /* in Design.cells */
    char *name;  /* its levels joined by '/', "aa", "host", "host-matched",
                    or the label */
    CellKind kind;
    CellState state;
    char *why;     /* for the last two states */
    guint *levels; /* index of the level, by factor; NULL on the host */
    Rule *extra;   /* include: further settings; else NULL */
    bool baseline;
    bool best; /* the matrix declares it */
} Cell;

/* More cells than this would make one block last a day. */
#define DESIGN_CELLS_MAX 1024

typedef struct Design {
    const Matrix *matrix; /* not owned */
    DesignKind kind;      /* resolved, never DESIGN_AUTO */
    GPtrArray *cells;     /* Cell *: real cells in matrix order, then aa, then
                             those on the host; excluded ones stay in place */
    guint comparisons;    /* m: level-against-baseline contrasts a metric */
    guint blocks_min; /* fewest to end with, for precision: the first look */
    guint blocks_max; /* most; the same: the number is fixed, no looks */
} Design;

/* The cells of the matrix after exclusions and built-in constraints (native
 * aio needs cache none or directsync ...).  An empty design, one without its
 * baseline, and one of more than DESIGN_CELLS_MAX cells are errors; the last
 * of them names the designs that fit. */
Design *design_make(const Matrix *matrix, GError **err);
/* Whether design_make() refuses a matrix because its full design has too many
 * cells; design_count() then says what it would be. */
bool design_too_large(const Matrix *matrix);

/* Cells that the matrix or a built-in constraint leaves out. */
typedef struct DesignReason {
    char *why;
    guint64 cells;
} DesignReason;

/* A full design that is too large to be made, counted without its cells. */
typedef struct DesignCount {
    guint64 cells; /* G_MAXUINT64: as many, or more */
    bool exact;    /* false: rules name settings with too many combinations,
                      and the rest is as if nothing were excluded */
    guint64 excluded;
    GArray *reasons; /* DesignReason: each cell under the first that it meets */
    guint comparisons, blocks_min;
} DesignCount;
DesignCount *design_count(const Matrix *matrix);
void design_count_free(DesignCount *count);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DesignCount, design_count_free)
/* DesignReason of the excluded cells of a design, in order of the first cell
 * of each.  Free with g_array_unref(). */
GArray *design_reasons(const Design *design);

/* The level of a setting in a cell: swept, fixed, included or default. */
const char *design_level(const Design *design, const Cell *cell,
                         const Setting *setting);
const Cell *design_cell(const Design *design, const char *name);
const Cell *design_baseline(const Design *design);
/* The cell the matrix declares the best, or NULL. */
const Cell *design_best(const Design *design);
/* Keeps only cells that FILTER names: a cell name, or setting=level terms
 * joined by ','; the baseline, aa and the host's always stay. */
bool design_filter(Design *design, const char *filter, GError **err);
/* The order of block `block` (from 1) over the planned cells: *ret_order is
 * an array of cell indices, *ret_length its length (METHOD 4.2). */
void design_block_order(const Design *design, guint64 seed, guint block,
                        guint **ret_order, guint *ret_length);
/* The order of the workloads in that block: same for all its cells. */
void design_workload_order(const Design *design, guint64 seed, guint block,
                           guint *order);
/* Blocks needed by METHOD 3.4: 1 + ceil(log2(m / alpha)), at least 6. */
guint design_blocks_bound(guint comparisons);
/* Whether the sweep ends after that block if it is precise enough by then
 * (METHOD 4.4): a function of the design alone. */
bool design_is_look(const Design *design, guint block);
/* The first block, from this one on, after which the sweep may end. */
guint design_next_end(const Design *design, guint block);
/* So many blocks whatever the matrix says, and no looks. */
void design_fix_blocks(Design *design, guint blocks);
/* Sentences on what this design cannot claim.  (char *, owned) */
GPtrArray *design_limits(const Design *design);
/* What is kept of a cell: the texts of its kind and state, and every setting
 * it was given. */
typedef struct CellRecord {
    const char *name, *kind, *state, *why;
    bool baseline, best;
    const GPtrArray *settings, *levels; /* char * */
} CellRecord;
/* Makes the cells those of an earlier plan of the same matrix; *ret_changed is
 * false, and nothing is touched, where they are the same anyway. */
bool design_restore(Design *design, const CellRecord *records, guint n,
                    bool *ret_changed, GError **err);
const char *design_kind_name(DesignKind kind);
const char *cell_kind_name(CellKind kind);
/* Whether a cell is measured in a guest, not on the host. */
bool cell_is_guest(const Cell *cell);
const char *cell_state_name(CellState state);
void design_free(Design *design);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Design, design_free)
