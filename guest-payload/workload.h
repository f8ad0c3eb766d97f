/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a workload is made of.  A wl-NAME.c file exports one const Workload;
 * workload-table.c lists them.  The engine calls the functions in order:
 *
 *   setup     takes every byte of memory and opens every file that is needed
 *   warm_up   one short unmeasured iteration
 *   run       one or more windows: window_open(), work, window_close()
 *   check     proves from what is on disk, or from the arithmetic, that the
 *             work was done; outside every window
 *   teardown  frees and removes; called whatever happened before
 *
 * Between window_open() and window_close() a workload allocates nothing of
 * its own and sends nothing.  Results are kept in the Run and sent by the
 * engine only after check has passed, so failed work leaves no figures.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "guest-payload/clock.h"
#include "guest-payload/fail.h"
#include "guest-payload/hist.h"
#include "guest-payload/params.h"

typedef struct Sample {
    const char *metric; /* static */
    double value;
    int64_t n; /* operations behind the value */
    unsigned seq;
} Sample;

typedef struct Run {
    /* Given. */
    const WorkloadInfo *info;
    Params params;
    char dir[PATH_MAX]; /* holds the file "work"; needs_disk only */
    bool drop_caches;   /* this machine is ours: drop all its page cache */
    uint64_t seed;      /* of this run's random data */

    /* The workload's own. */
    void *state;

    /* The open or last window. */
    const char *phase;
    unsigned seq;
    int64_t t0, t1;

    /* Results. */
    Sample samples[CATALOGUE_METRICS_MAX];
    int sample_count;
    const char *hist_metric; /* "fs.fsync.lat"; static; NULL: none */
    const Hist *hist;        /* in the workload's state */
    unsigned hist_seq;

    struct Engine *engine;
} Run;

typedef struct Workload {
    const char *name; /* as in the catalogue */
    bool (*setup)(Run *run, Fail *fail);
    bool (*warm_up)(Run *run, Fail *fail);
    bool (*run)(Run *run, Fail *fail);
    bool (*check)(Run *run, Fail *fail);
    void (*teardown)(Run *run);
} Workload;

/* All workloads; ends at NULL. */
extern const Workload *const workload_table[];

/* Announces a window, waits for the host, and stamps run->t0 last. */
bool window_open(Run *run, const char *phase, bool cold, Fail *fail);
/* Stamps run->t1 first, and reports the window. */
bool window_close(Run *run, int64_t ops, Fail *fail);
/* Tells the host something in effect that the parameters do not say ("size" of
 * an array made smaller); outside every window. */
bool run_fact(Run *run, const char *name, const char *value, Fail *fail);
/* Units of work a second in the last window. */
double window_rate(const Run *run, double units);
/* Keeps a result of the last window. */
void result_sample(Run *run, const char *metric, double value, int64_t n);
void result_hist(Run *run, const char *metric, const Hist *hist);
