/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two threads that wake each other in turn, both on one CPU: what
 * cpu.ctx times.  The first one serves: it hands over and waits
 * to be handed back to, until the time is over.
 *
 * That the two really slept and were woken is the scheduler's to say: its
 * counts of context switches are kept beside our own count of turns.
 */
#pragma once

#include "guest-payload/workload.h"

typedef struct Pair Pair;

/* The way of waking: both take the number of a thread, 0 or 1, and block when
 * they must.  pair_give wakes it, pair_take waits in it.  False with errno. */
typedef struct PairWay {
    bool (*give)(void *data, int to);
    bool (*take)(void *data, int self);
} PairWay;

/* Both on one CPU. */
bool pair_make(Run *run, const PairWay *way, void *data, Pair **ret_pair,
               Fail *fail);
bool pair_warm_up(Pair *pair, Fail *fail);
/* One window; the result is nanoseconds an operation, of which a round trip
 * has `per_round`. */
bool pair_measure(Run *run, Pair *pair, int per_round, const char *metric,
                  Fail *fail);
/* As many changes of context as there were turns to take. */
bool pair_check(Run *run, const Pair *pair, Fail *fail);
void pair_free(Pair *pair);
