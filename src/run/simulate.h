/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The executor that measures nothing: every attempt is drawn from a model
 * (METHOD 14.1).  Windows get counters that show what the model does to them,
 * and the gates of real windows judge them.
 *
 * What is drawn is a function of the model, the seed, the block, the cell, the
 * try and the metric alone (drift: also of how many attempts went before), so
 * that neither the order nor an interruption changes anything.  Times are
 * those of a clock of its own.
 */
#pragma once

#include "run/executor.h"
#include "run/model.h"

/* Cells that the model says are unsupported become so in `design`.  The model
 * must outlive the executor. */
Executor *simulate_new(const Matrix *matrix, Design *design, const Model *model,
                       GError **err);
