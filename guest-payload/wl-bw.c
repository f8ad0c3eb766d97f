/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.bw: the triad of STREAM, a[i] = b[i] + q * c[i], on one thread and on
 * all.  As STREAM counts, every element moves three times 8 bytes; the line
 * that a store may read first is not counted.
 *
 * The three arrays change places after every pass, so each pass works on what
 * the last one left: a pass, or a part of one, that was skipped leaves other
 * values behind, and all of them are compared with a replay.
 */
#include <errno.h>
#include <stdlib.h>

#include "guest-payload/blocks.h"
#include "guest-payload/crew.h"
#include "guest-payload/memory.h"

extern const Workload wl_bw;

#define ARRAYS 3
#define LEAST_BYTES (UINT64_C(1) << 20) /* less is over before it is timed */
/* So small that the values, which grow by about q/2 a pass, stay finite for
 * millions of passes; so large that every pass changes every value. */
#define Q 0x1p-20
/* Values repeat so that few need replaying; a prime, so that a part that was
 * done in the place of another shows. */
#define PERIOD 1021

typedef struct Triad {
    double *array[ARRAYS];
    uint64_t bytes, count; /* of one array */
    uint64_t passes;       /* since the arrays were filled */
    Crew *crew;
    int threads;
    void (*part)(struct Triad *triad, uint64_t from, uint64_t to);
    double start[ARRAYS][PERIOD];
} Triad;

/* noipa: nothing may be concluded from what the arguments are. */
__attribute__((noipa)) static void
kernel(double *restrict a, const double *restrict b, const double *restrict c,
       double q, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        a[i] = b[i] + q * c[i];
}

static void
pass_part(Triad *triad, uint64_t from, uint64_t to)
{
    uint64_t k = triad->passes;

    kernel(triad->array[k % ARRAYS] + from,
           triad->array[(k + 1) % ARRAYS] + from,
           triad->array[(k + 2) % ARRAYS] + from, Q, to - from);
}

/* Each thread touches its own part first, so it lies in its NUMA node. */
static void
fill_part(Triad *triad, uint64_t from, uint64_t to)
{
    for (int a = 0; a < ARRAYS; a++)
        for (uint64_t i = from; i < to; i++)
            triad->array[a][i] = triad->start[a][i % PERIOD];
}

static void
work_part(int thread, void *data)
{
    Triad *triad = data;
    uint64_t each = triad->count / (uint64_t) triad->threads;
    uint64_t from = each * (uint64_t) thread;

    triad->part(triad, from,
                thread + 1 == triad->threads ? triad->count : from + each);
}

static bool
take_arrays(Run *run, Triad *triad, Fail *fail)
{
    Pages pages = (Pages) params_get(&run->params, "pages");
    uint64_t bytes, seed = run->seed;

    if (!memory_size(run, ARRAYS, LEAST_BYTES, &bytes, fail))
        return false;
    triad->bytes = bytes;
    triad->count = bytes / sizeof(double);
    for (int a = 0; a < ARRAYS; a++) {
        void *memory;
        if (!memory_map(bytes, pages, &memory, fail))
            return false;
        triad->array[a] = memory;
        for (int i = 0; i < PERIOD; i++) /* in [1, 2) */
            triad->start[a][i] =
                1 + (double) (splitmix64(&seed) >> 12) * 0x1p-52;
    }
    return true;
}

static bool
setup(Run *run, Fail *fail)
{
    uint64_t threads = params_get(&run->params, "threads");
    Triad *triad = calloc(1, sizeof(*triad));

    if (!triad)
        return fail_set(fail, ENOMEM, "cannot set up mem.bw");
    run->state = triad;
    triad->threads = threads ? (int) threads : crew_cpus();
    if (!take_arrays(run, triad, fail) ||
        !crew_make(triad->threads, work_part, triad, &triad->crew, fail))
        return false;
    triad->part = fill_part;
    crew_round(triad->crew);
    return stop_check(fail);
}

static void
pass(Triad *triad, bool all)
{
    triad->part = pass_part;
    if (all)
        crew_round(triad->crew);
    else
        pass_part(triad, 0, triad->count);
    triad->passes++;
}

static bool
warm_up(Run *run, Fail *fail)
{
    pass(run->state, true);
    return stop_check(fail);
}

static bool
measure_one(Run *run, const char *phase, bool all, const char *metric,
            Fail *fail)
{
    Triad *triad = run->state;
    uint64_t before = triad->passes;

    if (!window_open(run, phase, false, fail))
        return false;
    int64_t deadline = run->t0 + (int64_t) params_get(&run->params, "time");
    do
        pass(triad, all);
    while (raw_ns() < deadline && !stop_requested());
    int64_t passes = (int64_t) (triad->passes - before);
    if (!window_close(run, passes, fail))
        return false;
    double megabytes = (double) (triad->bytes * ARRAYS) / 1e6;
    result_sample(run, metric, window_rate(run, megabytes * (double) passes),
                  passes);
    return true;
}

static bool
measure(Run *run, Fail *fail)
{
    return measure_one(run, "all", true, "mem.bw.triad", fail) &&
           measure_one(run, "one", false, "mem.bw.triad.one", fail);
}

/* What all passes make of the first PERIOD elements. */
static void
replay(Triad *triad)
{
    for (int i = 0; i < PERIOD; i++) {
        double x[ARRAYS] = {triad->start[0][i], triad->start[1][i],
                            triad->start[2][i]};
        for (uint64_t k = 0; k < triad->passes; k++)
            x[k % ARRAYS] = x[(k + 1) % ARRAYS] + Q * x[(k + 2) % ARRAYS];
        for (int a = 0; a < ARRAYS; a++)
            triad->start[a][i] = x[a];
    }
}

static bool
check(Run *run, Fail *fail)
{
    Triad *triad = run->state;

    replay(triad);
    for (int a = 0; a < ARRAYS; a++)
        for (uint64_t i = 0; i < triad->count; i++)
            if (triad->array[a][i] != triad->start[a][i % PERIOD])
                return fail_set(fail, 0,
                                "mem.bw: element %llu of array %d is %.17g, "
                                "not %.17g",
                                (unsigned long long) i, a, triad->array[a][i],
                                triad->start[a][i % PERIOD]);
    return true;
}

static void
teardown(Run *run)
{
    Triad *triad = run->state;

    if (!triad)
        return;
    crew_free(triad->crew);
    for (int a = 0; a < ARRAYS; a++)
        memory_unmap(triad->array[a], triad->bytes);
    free(triad);
}

const Workload wl_bw = {
    .name = "mem.bw",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
