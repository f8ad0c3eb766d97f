/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside plan/: the parts of the planner.
 */
#pragma once

#include "plan/design.h"

/* Which part of a matrix makes it impossible to plan. */
typedef enum { FAULT_MATRIX, FAULT_BASELINE, FAULT_INCLUDE } DesignFault;

/* design_make() for a reader who can say where the fault stands. */
Design *design_make_for(const Matrix *matrix, DesignFault *ret_fault,
                        GError **err);

/* design-rules.c: why a cell must not be, or NULL.  Caller frees. */
char *design_exclusion(const Design *design, const Cell *cell);
/* Of those only what QEMU and qemu-img refuse, which include cannot undo. */
char *design_constraint(const Design *design, const Cell *cell);

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
void design_add_include(Design *design, const Rule *rule);
/* The twin and the host. */
void design_add_specials(Design *design);
