/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters of a workload as numbers.  The spelling is that of vsweep's
 * matrix: sizes in powers of 1024 (4k, 256M), durations (500us, 20ms, 5s, 2m;
 * a bare number is seconds).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "guest-payload/catalogue.h"
#include "guest-payload/fail.h"

typedef struct Params {
    const WorkloadInfo *workload;
    /* In the order of workload->params: bytes, nanoseconds, a count, or the
     * index of the chosen word. */
    uint64_t value[CATALOGUE_PARAMS_MAX];
} Params;

/* Fills in the normal or the quick values. */
bool params_init(Params *params, const WorkloadInfo *workload, bool quick,
                 Fail *fail);
/* Sets one from text; unknown names and values out of bounds are refused. */
bool params_set(Params *params, const char *name, const char *text, Fail *fail);
/* The value; the name must be one of the workload's. */
uint64_t params_get(const Params *params, const char *name);
