/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the local role shows to people, and how they say what to run.
 */
#pragma once

#include <stdio.h>

#include "guest-payload/job.h"
#include "guest-payload/workload.h"

/* What was asked for on the command line. */
typedef struct Selection {
    const char *suite;                    /* NULL: none named */
    const char *workloads[JOB_ITEMS_MAX]; /* "NAME:key=value,..." */
    size_t count;
} Selection;

/* Fills in the job's items; without suite and workloads the quick suite. */
bool selection_resolve(const Selection *selection, bool quick, Job *job,
                       Fail *fail);
/* Whether a directory is needed; ret_bytes (may be NULL): the size of the
 * work file, 0 when only a database is made. */
bool selection_needs_disk(const Job *job, uint64_t *ret_bytes);

typedef struct Figure {
    const MetricInfo *metric;
    double value;
    int64_t n;
    bool supported; /* enough operations for this percentile */
} Figure;

typedef struct LocalView {
    bool progress; /* stderr is a terminal */
    int total, current;
    Figure figures[JOB_ITEMS_MAX * CATALOGUE_METRICS_MAX];
    int count;
} LocalView;

void local_begin(LocalView *view);
void local_end(LocalView *view);
void local_print(const LocalView *view, FILE *out);

/* For Engine; data is a LocalView. */
void local_on_phase(const Run *run, void *data);
void local_on_result(const Run *run, void *data);
void local_on_error(const WorkloadInfo *info, const Fail *what, void *data);
