/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See chase.h.
 */
#include "guest-payload/chase.h"

#include <errno.h>
#include <stdlib.h>

#include "guest-payload/blocks.h"

/* Loads between two looks at the clock: about 1 ms natively. */
#define CHUNK 8192

typedef struct Chase {
    unsigned char *memory;
    uint64_t bytes, stride, count; /* count: of words */
    void **from, **to;             /* where the window's chase began, ended */
    uint64_t loads;                /* between the two */
} Chase;

static void **
word(const Chase *chase, uint64_t i)
{
    return (void **) (chase->memory + i * chase->stride +
                      i * CHASE_LINE % chase->stride);
}

/* Sattolo's shuffle: of all permutations of one cycle each is as likely. */
static bool
shuffle(const Chase *chase, uint64_t seed, Fail *fail)
{
    for (uint64_t i = 0; i < chase->count; i++)
        *word(chase, i) = word(chase, i);
    for (uint64_t i = chase->count - 1; i > 0; i--) {
        void **a = word(chase, i), **b = word(chase, splitmix64(&seed) % i);
        void *swap = *a;
        *a = *b;
        *b = swap;
        if (i % CHUNK == 0 && !stop_check(fail))
            return false;
    }
    return true;
}

bool
chase_setup(Run *run, uint64_t bytes, uint64_t stride, Fail *fail)
{
    Pages pages = (Pages) params_get(&run->params, "pages");
    Chase *chase = calloc(1, sizeof(*chase));
    void *memory;

    if (!chase)
        return fail_set(fail, ENOMEM, "cannot set up %s", run->info->name);
    run->state = chase;
    chase->bytes = bytes;
    chase->stride = stride;
    chase->count = bytes / stride;
    if (!memory_map(bytes, pages, &memory, fail))
        return false;
    chase->memory = memory;
    chase->to = word(chase, 0);
    return shuffle(chase, run->seed, fail);
}

/* noipa: the loads must be made. */
__attribute__((noipa)) static void **
follow(void **p, uint64_t loads)
{
    while (loads--)
        p = *p;
    return p;
}

bool
chase_warm_up(Run *run, Fail *fail)
{
    Chase *chase = run->state;

    chase->to = follow(chase->to, CHUNK);
    return stop_check(fail);
}

bool
chase_measure(Run *run, Fail *fail)
{
    Chase *chase = run->state;
    int64_t span = (int64_t) params_get(&run->params, "time");
    void **p = chase->to;
    uint64_t loads = 0;

    chase->from = p;
    if (!window_open(run, "chase", false, fail))
        return false;
    do {
        p = follow(p, CHUNK);
        loads += CHUNK;
    } while (raw_ns() < run->t0 + span && !stop_requested());
    if (!window_close(run, (int64_t) loads, fail))
        return false;
    chase->to = p;
    chase->loads = loads;
    result_sample(run, run->info->metrics[0].id,
                  (double) (run->t1 - run->t0) / (double) loads,
                  (int64_t) loads);
    return true;
}

/* Goes round once more: the cycle must close after all words and not before,
 * and the window's chase must have ended where that many loads lead. */
bool
chase_check(Run *run, Fail *fail)
{
    const Chase *chase = run->state;
    uint64_t round = 0, found = 0;
    void **p = chase->from;

    do {
        if (p == chase->to)
            found = round;
        p = *p;
        round++;
    } while (p != chase->from && round <= chase->count);
    if (round != chase->count)
        return fail_set(fail, 0,
                        "%s: the chase visits %s %llu words, not each of %llu "
                        "once",
                        run->info->name,
                        round > chase->count ? "more than" : "only",
                        (unsigned long long) (round - (round > chase->count)),
                        (unsigned long long) chase->count);
    if (found != chase->loads % chase->count)
        return fail_set(fail, 0,
                        "%s: the chase did not end where %llu loads lead",
                        run->info->name, (unsigned long long) chase->loads);
    return true;
}

void
chase_teardown(Run *run)
{
    Chase *chase = run->state;

    if (!chase)
        return;
    memory_unmap(chase->memory, chase->bytes);
    free(chase);
}
