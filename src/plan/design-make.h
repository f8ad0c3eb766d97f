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
