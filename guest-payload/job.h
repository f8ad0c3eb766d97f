/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The job line of wire.h, checked: known workloads, known parameters within
 * their bounds, texts of sane length.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "guest-payload/digest.h"
#include "guest-payload/fail.h"
#include "guest-payload/params.h"

#define JOB_ITEMS_MAX 64 /* workloads of one boot */

/* What a guest sets up before the workloads; "" where the job has nothing. */
typedef struct JobGuest {
    char disk[64];      /* "vda" */
    char fs[32];        /* "ext4" */
    char mount[512];    /* "noatime,data=writeback" */
    char scheduler[64]; /* "mq-deadline" */
    char payload[256];  /* path below the disk's root */
    char sha256[DIGEST_SIZE];
} JobGuest;

typedef struct Job {
    char dir[PATH_MAX]; /* working directory of a host run */
    JobGuest guest;
    Params items[JOB_ITEMS_MAX];
    size_t count;
} Job;

/* Parses and checks a job line.  On failure ret_workload, which must have
 * room for 64 bytes, names the workload to blame, or is "". */
bool job_parse(const char *line, Job *job, char *ret_workload, Fail *fail);
