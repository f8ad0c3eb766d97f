/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes the workloads of a job one after the other through their phases and
 * sends what comes out.
 */
#pragma once

#include <stdbool.h>

#include "guest-payload/conversation.h"
#include "guest-payload/job.h"
#include "guest-payload/workload.h"

/* Faults that tests ask for, acted out inside the first window. */
typedef enum { FAULT_NONE, FAULT_CRASH, FAULT_HANG_WINDOW } EngineFault;

typedef struct Engine {
    Conversation *talk;
    const char *dir; /* holds "work"; "" when there is none */
    bool drop_caches;
    EngineFault fault;
    /* For people who watch; each may be NULL. */
    void (*on_phase)(const Run *run, void *data);
    void (*on_result)(const Run *run, void *data);
    void (*on_error)(const WorkloadInfo *info, const Fail *what, void *data);
    void *data;
} Engine;

/* Runs all workloads of the job.  A workload that fails is an error line and
 * the next one runs; false only when the conversation itself ended (host
 * gone, or a signal asked for the end). *ret_failed counts failed ones. */
bool engine_run(Engine *engine, const Job *job, int *ret_failed, Fail *fail);
