/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What carries out the attempts of a sweep: the rig, which boots guests
 * (rig-executor.h), or a model, which draws their results (simulate.h).  The
 * sweep knows this table only, so that everything from plan to report is the
 * same for both.
 */
#pragma once

#include <glib.h>
#include "data/attempt.h"
#include "plan/design.h"

typedef struct Executor Executor;

/* Which attempt of which cell. */
typedef struct Slot {
    guint block, pos, try;
    const guint *order; /* of the workloads */
    guint64 seed;       /* of the sweep */
    guint run;          /* attempts of the sweep before this one */
    const char *label;  /* for the progress line */
} Slot;

typedef struct ExecutorMethods {
    /* Always returns an attempt with an outcome.  Caller frees. */
    Attempt *(*attempt)(Executor *executor, const Cell *cell, const Slot *slot);
    /* Adds facts for results.db (name -> text, both owned by the table), which
     * are renewed when a sweep is resumed.  "session" is needed: what must
     * not change within a block; those of every executor are there already. */
    void (*facts)(const Executor *executor, GHashTable *facts);
    /* A clock in ns that goes on while attempts are made. */
    gint64 (*now)(const Executor *executor);
    void (*free)(Executor *executor);
} ExecutorMethods;

/* The head of every executor. */
struct Executor {
    const ExecutorMethods *methods;
    const char *accel; /* "kvm", "tcg" or "simulated" */
    char *accel_why;
    char *key; /* the part of what makes two sweeps the same that is its own */
    gint64 prepare_ns; /* spent before the first attempt */
};

Attempt *executor_attempt(Executor *executor, const Cell *cell,
                          const Slot *slot);
gint64 executor_now(const Executor *executor);
/* A table of every fact.  Free with g_hash_table_unref(). */
GHashTable *executor_facts(const Executor *executor);
void executor_free(Executor *executor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Executor, executor_free)
