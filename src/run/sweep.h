/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: blocks in seeded random order, every attempt in the database
 * before the next begins, retries at the end of their block, resumable.
 */
#pragma once

#include <glib.h>
#include "plan/design.h"
#include "run/executor.h"
#include "run/stopping.h"

typedef struct SweepOptions {
    const char *out;  /* the sweep's directory; NULL: below SWEEPDIR_ROOT */
    const char *only; /* filter, part of what makes a sweep the same */
    bool fresh;       /* do not resume */
    bool seed_given;
    guint64 seed;
    guint retries;      /* of a failed attempt within its block */
    gint64 budget_ns;   /* 0: none */
    guint add_blocks;   /* to a sweep that is finished; 0: none */
    SweepLookFunc look; /* NULL: no looks, all blocks */
} SweepOptions;

typedef struct SweepResult {
    char *directory, *db;
    guint failed_cells; /* without a value in some block */
    bool resumed;
} SweepResult;

/* Runs or resumes with an executor made for this matrix and design.  An
 * interrupt is an error VS_ERROR_INTERRUPTED after the
 * attempt has been recorded; *ret_result is set then too, as soon as there is
 * a database. */
bool sweep_run(const Matrix *matrix, Design *design, Executor *executor,
               const SweepOptions *options, SweepResult *ret_result,
               GError **err);
void sweep_result_clear(SweepResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SweepResult, sweep_result_clear)
