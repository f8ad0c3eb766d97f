/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line from the payload as a typed record (guest-payload/wire.h).  The
 * guest is not trusted: every field is checked for type, range and length.
 */
#pragma once

#include <glib.h>
#include "base/error.h"
#include "data/attempt.h"

typedef enum {
    RECORD_READY,
    RECORD_NOTE,
    RECORD_PHASE,
    RECORD_END,
    RECORD_SAMPLE,
    RECORD_HIST,
    RECORD_ERROR,
    RECORD_DONE
} RecordType;

typedef struct Record {
    RecordType type;
    char *workload, *phase, *metric, *text, *role; /* NULL when not of type */
    gint64 seq, t0, t1, ops, n, lines, errnum;
    bool cold;
    double value;
    GHashTable *facts; /* name -> text; NULL when none */
    GArray *bins;      /* HistBin */
} Record;

/* NULL with an error that says what is wrong with the line. */
Record *record_parse(const char *line, GError **err);
void record_free(Record *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Record, record_free)

/* The lines vsweep sends.  Caller frees. */
typedef struct RecordJob RecordJob;
RecordJob *record_job_new(void);
/* Working directory of a host run. */
void record_job_dir(RecordJob *job, const char *dir);
/* A key of the "guest" object. */
void record_job_guest(RecordJob *job, const char *key, const char *value);
/* Adds a workload; then its parameters. */
void record_job_workload(RecordJob *job, const char *name);
void record_job_param(RecordJob *job, const char *name, const char *value);
/* The line; frees the job. */
char *record_job_line(RecordJob *job);
char *record_go_line(guint seq);
