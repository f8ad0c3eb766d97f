/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside a sweep: what sweep-open.c prepares and sweep.c runs.  Nobody else
 * uses this.
 */
#pragma once

#include "run/sweep.h"
#include "run/tally.h"

typedef struct Sweep {
    const Matrix *matrix;
    Design *design;
    SweepOptions options;
    Executor *executor; /* not owned */
    Store *store;
    Tally *tally;
    const char *db;
    guint *workloads; /* order in the current block */
    gint64 begun;     /* this invocation */
    guint run;        /* attempts of this invocation */
    gint64 run_ns;    /* their time, for the ETA */
} Sweep;

/* The directory and database of the sweep, new or to be taken up again, and
 * whether they hold this one. */
bool sweep_find(const Sweep *sweep, SweepResult *result, GError **err);
/* Set store, tally and seed: of a new database, of the one there is. */
bool sweep_begin(Sweep *sweep, GError **err);
bool sweep_resume(Sweep *sweep, GError **err);
