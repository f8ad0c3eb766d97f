/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside plan/: the parts of the planner.
 */
#pragma once

#include "plan/design.h"
#include "plan/pairwise.h"

/* Which part of a matrix makes it impossible to plan. */
typedef enum {
    FAULT_MATRIX,
    FAULT_DESIGN,
    FAULT_BASELINE,
    FAULT_EXCLUDE,
    FAULT_INCLUDE,
    FAULT_BEST,
    FAULT_SIZE /* it can be planned, but no sweep can run it */
} DesignFault;

/* design_make() for a reader who can say where the fault stands. */
Design *design_make_for(const Matrix *matrix, DesignFault *ret_fault,
                        GError **err);

/* design-rules.c: why a cell must not be, or NULL.  Caller frees. */
char *design_exclusion(const Design *design, const Cell *cell);
/* Of those only what QEMU and qemu-img refuse, which include cannot undo. */
char *design_constraint(const Design *design, const Cell *cell);
/* The same rules as sets of levels that no row may have; the
 * factors of the model are those of the matrix. */
PairModel *design_pair_model(const Design *design);

/* design-contrasts.c */

/* Contexts of a level against the baseline's, which are combinations of the
 * other settings. */
typedef struct LevelContexts {
    guint factor, level;
    guint used;    /* both cells are planned; 0 for the baseline's own level */
    guint total;   /* the cell of the level is there, planned or not */
    guint planned; /* and planned */
} LevelContexts;
/* LevelContexts of every level of every factor, in order.  Free with
 * g_array_unref(). */
GArray *design_contexts(const Design *design);
guint design_count_comparisons(const Design *design);
/* Sets comparisons and blocks from the cells as they are now. */
void design_settle(Design *design);
/* design-blocks.c: sets the blocks from the comparisons. */
void design_set_blocks(Design *design);

/* design-cells.c */

Design *design_new(const Matrix *matrix, DesignKind kind);
/* An empty planned cell at the end. */
Cell *design_add_cell(Design *design, CellKind kind);
/* The cells of the matrix by the kind of the design.  Fails when the rules are
 * a puzzle that no pairwise design was found for. */
bool design_add_cells(Design *design, GError **err);
/* The cells of the include rules: planned even where exclude leaves them out;
 * one that is there already takes the label. */
void design_add_includes(Design *design);
/* The cell of these levels, planned or with the reason why not. */
void design_add_levels(Design *design, const guint *levels);
guint *design_baseline_levels(const Matrix *matrix);

/* design-pairs.c */

/* Up to this many factors star+pairs takes every pair when none is named:
 * beyond it that is more cells than anybody meant. */
#define DESIGN_ALL_PAIRS_MAX 3
/* Whether star+pairs crosses these two factors. */
bool design_crosses(const Matrix *matrix, guint a, guint b);
/* For each crossed pair all cells with neither at its baseline. */
void design_add_corners(Design *design);
/* The baseline and a covering array of strength 2. */
bool design_add_pairwise(Design *design, GError **err);

/* design-size.c: how many cells a design has, before it is made: those that
 * rules leave out among them.  G_MAXUINT64: that many or more.  For pairwise
 * it is what it needs at least, rules apart. */
guint64 design_size(const Matrix *matrix, DesignKind kind);

/* design-advice.c: "choose design: ofat (21 cells), ...".  Caller frees. */
char *design_advice(const Matrix *matrix);

/* design-cells.c, again: the tuned cell, when the matrix declares one. */
bool design_add_best(Design *design, GError **err);
/* The twin and the host. */
void design_add_specials(Design *design);
