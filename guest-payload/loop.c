/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See loop.h.
 */
#include "guest-payload/loop.h"

#include <errno.h>
#include <stdlib.h>

#include "guest-payload/crew.h"

/* Long enough to reach the clock speed and code paths of the window. */
#define WARM_UP_NS (10 * NS_PER_MS)

/* 128 bytes, two cache lines as they are prefetched in pairs: the counters of
 * two threads never share one. */
typedef struct Count {
    int64_t ops, wrong;
    char padding[112];
} Count;

struct Loop {
    LoopOperation operation;
    int64_t deadline;
    void *data;
    Crew *crew;
    int threads;
    Count count[];
};

static void
repeat(int thread, void *data)
{
    Loop *loop = data;
    Count *count = &loop->count[thread];

    do {
        count->wrong += !loop->operation(loop->data, thread);
        count->ops++;
    } while (raw_ns() < loop->deadline && !stop_requested());
}

bool
loop_make(int threads, void *data, Loop **ret_loop, Fail *fail)
{
    Loop *loop = calloc(1, sizeof(*loop) + sizeof(Count) * (size_t) threads);

    if (!loop)
        return fail_set(fail, ENOMEM, "cannot set up %d threads", threads);
    loop->threads = threads;
    loop->data = data;
    if (!crew_make(threads, repeat, loop, &loop->crew, fail)) {
        free(loop);
        return false;
    }
    *ret_loop = loop;
    return true;
}

bool
loop_warm_up(Loop *loop, const LoopWindow *list, Fail *fail)
{
    for (; list->phase; list++) {
        loop->operation = list->operation;
        loop->deadline = raw_ns() + WARM_UP_NS;
        crew_round(loop->crew);
    }
    return stop_check(fail);
}

static bool
measure_one(Run *run, Loop *loop, const LoopWindow *window, Fail *fail)
{
    Count sum = {0};

    loop->operation = window->operation;
    for (int i = 0; i < loop->threads; i++)
        loop->count[i] = (Count){0};
    if (!window_open(run, window->phase, false, fail))
        return false;
    loop->deadline = run->t0 + (int64_t) params_get(&run->params, "time");
    if (window->all)
        crew_round(loop->crew);
    else
        repeat(0, loop);
    for (int i = 0; i < loop->threads; i++) {
        sum.ops += loop->count[i].ops;
        sum.wrong += loop->count[i].wrong;
    }
    if (!window_close(run, sum.ops, fail))
        return false;
    if (sum.wrong)
        return fail_set(fail, 0, "%s: %lld of %lld results of %s are wrong",
                        run->info->name, (long long) sum.wrong,
                        (long long) sum.ops, window->phase);
    result_sample(run, window->metric,
                  window_rate(run, window->units * (double) sum.ops), sum.ops);
    return true;
}

bool
loop_measure(Run *run, Loop *loop, const LoopWindow *list, Fail *fail)
{
    for (; list->phase; list++)
        if (!measure_one(run, loop, list, fail))
            return false;
    return true;
}

void
loop_free(Loop *loop)
{
    if (!loop)
        return;
    crew_free(loop->crew);
    free(loop);
}
