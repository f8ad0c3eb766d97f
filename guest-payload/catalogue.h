/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of workloads: names, metrics with unit and better direction,
 * parameters with default and quick values.  Plain C without any library: it
 * is compiled into the payload, which runs the workloads, and into vsweep,
 * which checks a matrix against it.  A new workload is one row in its group's
 * file catalogue-*.c and one file wl-*.c; nothing else knows them by name.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CATALOGUE_METRICS_MAX 8
#define CATALOGUE_PARAMS_MAX 8

typedef enum { BETTER_HIGHER, BETTER_LOWER } Better;

typedef struct MetricInfo {
    const char *id;   /* "fs.fsync.p50": workload name and a last part */
    const char *unit; /* "us", "op/s", "MB/s" (10^6 bytes) */
    Better better;
    double delta;      /* equivalence band, a ratio: 0.03 (METHOD 6.2) */
    double percentile; /* > 0: from the workload's histogram; 0: a sample */
    bool primary;      /* the workload's default primary metric */
} MetricInfo;

typedef enum {
    PARAM_SIZE,
    PARAM_DURATION,
    PARAM_COUNT,
    PARAM_CHOICE
} ParamType;

typedef struct ParamInfo {
    const char *name; /* "size" */
    ParamType type;
    const char *normal; /* default, as written in a matrix: "4k", "5s" */
    const char *quick;  /* under --quick */
    const char *min;    /* inclusive bounds for the first three types ... */
    const char *max;
    const char *choices; /* ... "delete wal" for PARAM_CHOICE */
    const char *help;
} ParamInfo;

typedef struct WorkloadInfo {
    const char *name;    /* "fs.fsync" */
    const char *summary; /* one line */
    bool needs_disk;     /* works in the directory under test */
    bool write_path;     /* durability class belongs beside its figures */
    MetricInfo metrics[CATALOGUE_METRICS_MAX]; /* ends at id == NULL */
    ParamInfo params[CATALOGUE_PARAMS_MAX];    /* ends at name == NULL */
} WorkloadInfo;

/* All workloads one after the other, from NULL to NULL. */
const WorkloadInfo *catalogue_next(const WorkloadInfo *workload);

const WorkloadInfo *catalogue_workload(const char *name);
/* The metric and, if wanted, the workload it belongs to; NULL if unknown. */
const MetricInfo *catalogue_metric(const char *id,
                                   const WorkloadInfo **ret_workload);
const ParamInfo *catalogue_param(const WorkloadInfo *workload,
                                 const char *name);
