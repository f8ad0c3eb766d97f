/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that are made before a window and wait, so that starting them is
 * not measured.  One per CPU that this process may use.
 */
#pragma once

#include <stdbool.h>

#include "guest-payload/fail.h"

typedef struct Crew Crew;

/* CPUs this process may use. */
int crew_cpus(void);
/* `count` threads; each round calls work(i, data) in thread i (0..count-1). */
bool crew_make(int count, void (*work)(int thread, void *data), void *data,
               Crew **ret_crew, Fail *fail);
/* One round: all threads work, returns when the last has finished. */
void crew_round(Crew *crew);
void crew_free(Crew *crew);
