/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything about one attempt to run one cell once: what the runner gathers
 * and the store keeps.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* A cell without a good attempt in this many blocks is given up. */
#define ATTEMPT_BLOCKS_LOST 2

/* Names and meanings in outcome_name(), outcome_summary(). */
typedef enum {
    OUTCOME_OK,
    OUTCOME_INVALID,     /* a validity gate (METHOD 5.5) was breached */
    OUTCOME_MISMATCH,    /* a setting did not take effect */
    OUTCOME_REFUSED,     /* libvirt or QEMU refused to start the domain */
    OUTCOME_NO_BOOT,     /* no READY in time */
    OUTCOME_HANG,        /* nothing more after READY in time */
    OUTCOME_PANIC,       /* the guest's kernel crashed */
    OUTCOME_EARLY_OFF,   /* powered off before DONE */
    OUTCOME_RUBBISH,     /* talked against the protocol */
    OUTCOME_QEMU_DIED,   /* QEMU was killed or aborted */
    OUTCOME_QEMU_STUCK,  /* QEMU answered nothing; the watchdog killed it */
    OUTCOME_GUEST_ERROR, /* a workload failed or its check did */
    OUTCOME_IMAGE,       /* the cell's image could not be made */
    OUTCOME_INTERRUPTED, /* SIGINT or SIGTERM */
    OUTCOME_MAX
} Outcome;

const char *outcome_name(Outcome outcome);    /* "qemu-died" */
const char *outcome_summary(Outcome outcome); /* one line */
bool outcome_parse(const char *name, Outcome *ret_outcome);

/* Where the time of a sweep goes, for the "time:" line. */
typedef enum {
    PART_PREPARE, /* libguestfs, initramfs, KVM proof, plan check */
    PART_BOOT,    /* create to READY, settle */
    PART_MEASURE, /* inside measured windows */
    PART_STOP,    /* DONE to process reaped, syncfs */
    PART_IMAGES,  /* slots filled */
    PART_WAIT,    /* quiet test */
    PART_OTHER,   /* set-up, warm-up, check, hand-shakes, database */
    PART_MAX
} Part;

const char *part_name(Part part);

typedef struct AttemptValue {
    char *workload, *metric, *unit;
    bool higher_better;
    double value;
    gint64 n; /* operations or samples behind it */
    bool valid;
    char *reason; /* why not valid; or NULL */
} AttemptValue;

typedef struct AttemptHist {
    char *workload, *metric; /* metric "fs.fsync.lat", ns */
    gint64 n;
    GArray *bins; /* guint32 index, then gint64 count: struct HistBin */
} AttemptHist;

typedef struct HistBin {
    guint32 index;
    gint64 count;
} HistBin;

/* One measured window and its counters. */
typedef struct AttemptWindow {
    char *workload, *phase;
    guint seq;
    gint64 host_t0, host_t1, guest_t0, guest_t1; /* ns */
    gint64 ops;
    bool cold;
    GHashTable *before, *after; /* name -> gint64 *, owned */
    char *breach;               /* validity gate, or NULL */
} AttemptWindow;

typedef struct AttemptProof {
    char *setting, *source, *requested, *effective;
    bool ok;
} AttemptProof;

typedef struct Attempt {
    guint block, pos, try; /* block and try from 1, pos from 0 */
    guint cell;            /* Cell.index */
    Outcome outcome;
    char *reason;  /* one line; NULL when ok */
    char *started; /* wall clock, ISO 8601 */
    /* clock_raw_ns; 0: never reached */
    gint64 t_begin, t_create, t_resume, t_ready, t_done, t_gone, t_end;
    gint64 part_ns[PART_MAX];
    /* May be NULL. */
    char *asked_xml, *live_xml, *argv, *console;
    GHashTable *facts;  /* name -> text, owned */
    GPtrArray *values;  /* AttemptValue * */
    GPtrArray *hists;   /* AttemptHist * */
    GPtrArray *windows; /* AttemptWindow * */
    GPtrArray *proofs;  /* AttemptProof * */
    GPtrArray *lines;   /* char *: the payload's raw result lines */
    char *slot;         /* image path, or NULL */
    guint64 slot_generation;
    double cpu_s; /* QEMU's user + system time, 0: unknown */
    gint64 maxrss_kb;
} Attempt;

Attempt *attempt_new(guint block, guint pos, guint try, guint cell);
/* Sets outcome and reason unless one is set already (the first cause wins). */
void attempt_fail(Attempt *attempt, Outcome outcome, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* A histogram without bins (n 0). */
AttemptHist *attempt_hist_new(const char *workload, const char *metric);
/* Replaces outcome and reason: the cause behind the first symptom. */
void attempt_override(Attempt *attempt, Outcome outcome, const char *format,
                      ...) G_GNUC_PRINTF(3, 4);
AttemptWindow *attempt_window_new(const char *workload, const char *phase,
                                  guint seq);
/* For parts that did not end up in an attempt: its arrays own what is in
 * them. */
void attempt_value_free(AttemptValue *value);
void attempt_hist_free(AttemptHist *hist);
void attempt_window_free(AttemptWindow *window);
void attempt_proof_free(AttemptProof *proof);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AttemptValue, attempt_value_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AttemptHist, attempt_hist_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AttemptWindow, attempt_window_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AttemptProof, attempt_proof_free)
void attempt_free(Attempt *attempt);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Attempt, attempt_free)
