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
    FAULT_INCLUDE,
    FAULT_BEST
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

/* design-contrasts.c: contexts of a level against the baseline's, which are
 * combinations of the other settings: those where both cells are planned, and
 * all there are. */
void design_contexts(const Design *design, guint factor, guint level,
                     guint *ret_used, guint *ret_total);
/* Sets comparisons and blocks from the cells as they are now. */
void design_settle(Design *design);

/* More cells than this would make one block last a day. */
#define DESIGN_CELLS_MAX 1024

/* design-cells.c */

Design *design_new(const Matrix *matrix, DesignKind kind);
/* The number of combinations, DESIGN_CELLS_MAX + 1 for all beyond it. */
guint design_product(const Matrix *matrix);
/* The cells of the matrix by the kind of the design. */
void design_add_cells(Design *design);
/* The cell of an include rule: planned even where exclude leaves it out; one
 * that is there already takes the label. */
Cell *design_add_include(Design *design, const Rule *rule);
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
void design_add_pairwise(Design *design);

/* design-cells.c, again: the tuned cell, when the matrix declares one. */
bool design_add_best(Design *design, GError **err);
/* The twin and the host. */
void design_add_specials(Design *design);
