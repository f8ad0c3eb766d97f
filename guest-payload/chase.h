/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pointer chase: one word in every `stride` bytes holds the address of the
 * next, in one random cycle through all of them, so that each load waits for
 * the one before and no prefetcher knows what follows.
 */
#pragma once

#include "guest-payload/memory.h"

#define CHASE_LINE 64 /* bytes of a cache line on x86-64 */

/* Makes run->state.  With a stride of more than a line the word lies in
 * another line of each stride, lest all compete for one set of the caches. */
bool chase_setup(Run *run, uint64_t bytes, uint64_t stride, Fail *fail);

/* The rest of a Workload; nanoseconds a load are its first metric. */
bool chase_warm_up(Run *run, Fail *fail);
bool chase_measure(Run *run, Fail *fail);
bool chase_check(Run *run, Fail *fail);
void chase_teardown(Run *run);
