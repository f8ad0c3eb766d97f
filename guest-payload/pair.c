/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See pair.h.
 */
#include "guest-payload/pair.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "guest-payload/crew.h"

/* As in perop.c. */
#define WARM_UP (20 * NS_PER_MS)
/* Round trips between two looks at the clock: about 0.2 ms natively. */
#define PAIR_BATCH 32

typedef struct Side {
    int error;        /* errno of what failed first */
    int64_t turns;    /* taken */
    int64_t switches; /* of context, while it had work */
} Side;

struct Pair {
    const PairWay *way;
    void *data;
    Crew *crew;
    int64_t deadline;
    bool over; /* written before a give, read after the take */
    int cpu;   /* of both */
    Side side[2];
};

/* The one that is woken may push the other aside, which then has not slept
 * of its own will: both kinds count. */
static int64_t
switches_so_far(void)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

static bool
serve(Pair *pair, Side *side)
{
    do {
        for (int i = 0; i < PAIR_BATCH; i++) {
            if (!pair->way->give(pair->data, 1) ||
                !pair->way->take(pair->data, 0))
                return false;
            side->turns++;
        }
    } while (raw_ns() < pair->deadline && !stop_requested());
    pair->over = true;
    return pair->way->give(pair->data, 1);
}

static bool
answer(Pair *pair, Side *side)
{
    for (;;) {
        if (!pair->way->take(pair->data, 1))
            return false;
        if (pair->over)
            return true;
        side->turns++;
        if (!pair->way->give(pair->data, 0))
            return false;
    }
}

static void
work(int thread, void *data)
{
    Pair *pair = data;
    Side *side = &pair->side[thread];
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET((size_t) pair->cpu, &set);
    /* Costs nothing from the second time on.  A side that is on another CPU
     * than meant makes the figure wrong, not the pair stop: both go on, and
     * the failure is told afterwards. */
    if (sched_setaffinity(0, sizeof(set), &set) < 0)
        side->error = errno;
    int64_t before = switches_so_far();
    if (!(thread ? answer(pair, side) : serve(pair, side)) && !side->error)
        side->error = errno;
    side->switches = switches_so_far() - before;
}

/* The last of the CPUs that may be used: the first ones serve most of the
 * interrupts. */
static bool
choose_cpu(Run *run, Pair *pair, Fail *fail)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) < 0)
        return fail_set(fail, errno, "%s: cannot tell the CPUs",
                        run->info->name);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t) cpu, &set))
            pair->cpu = cpu;
    return true;
}

bool
pair_make(Run *run, const PairWay *way, void *data, Pair **ret_pair, Fail *fail)
{
    Pair *pair = calloc(1, sizeof(*pair));

    if (!pair)
        return fail_set(fail, ENOMEM, "cannot set up %s", run->info->name);
    *pair = (Pair){.way = way, .data = data};
    if (choose_cpu(run, pair, fail) &&
        crew_make(2, work, pair, &pair->crew, fail)) {
        *ret_pair = pair;
        return true;
    }
    free(pair);
    return false;
}

static void
play(Pair *pair, int64_t deadline)
{
    pair->deadline = deadline;
    pair->over = false;
    for (int i = 0; i < 2; i++)
        pair->side[i] = (Side){0};
    crew_round(pair->crew);
}

bool
pair_warm_up(Pair *pair, Fail *fail)
{
    play(pair, raw_ns() + WARM_UP);
    return stop_check(fail);
}

bool
pair_measure(Run *run, Pair *pair, int per_round, const char *metric,
             Fail *fail)
{
    int64_t span = (int64_t) params_get(&run->params, "time");

    if (!window_open(run, "run", false, fail))
        return false;
    play(pair, run->t0 + span);
    int64_t ops = pair->side[0].turns * per_round;
    if (!window_close(run, ops, fail))
        return false;
    result_sample(run, metric, (double) (run->t1 - run->t0) / (double) ops,
                  ops);
    return true;
}

bool
pair_check(Run *run, const Pair *pair, Fail *fail)
{
    const Side *side = pair->side;
    int64_t turns = side[0].turns + side[1].turns;
    int64_t switches = side[0].switches + side[1].switches;

    for (int i = 0; i < 2; i++)
        if (side[i].error)
            return fail_set(fail, side[i].error, "%s: thread %d on CPU %d",
                            run->info->name, i, pair->cpu);
    if (side[0].turns != side[1].turns)
        return fail_set(fail, 0, "%s: %lld turns were answered %lld times",
                        run->info->name, (long long) side[0].turns,
                        (long long) side[1].turns);
    /* Neither the first nor the last turn need be slept for. */
    if (switches < turns - 2)
        return fail_set(fail, 0, "%s: %lld turns, %lld changes of context",
                        run->info->name, (long long) turns,
                        (long long) switches);
    return true;
}

void
pair_free(Pair *pair)
{
    if (!pair)
        return;
    crew_free(pair->crew);
    free(pair);
}
