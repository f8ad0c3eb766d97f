/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.int: integer arithmetic that stays in registers.  It is the control:
 * nothing a hypervisor does touches it, so a guest must do about as much as
 * the host, else the set-up is wrong.  One thread, so that the figure does
 * not depend on the number of CPUs.
 */
#include <stdlib.h>

#include "guest-payload/workload.h"

extern const Workload wl_int;

/* Iterations between two looks at the clock: about 0.2 ms natively. */
#define CHUNK 65536
#define START UINT64_C(0x9E3779B97F4A7C15)
/* What CHUNK iterations make of START, worked out with whole numbers of
 * unlimited length outside this program. */
#define RESULT UINT64_C(0x9802b452f64b5284)

typedef struct Int {
    uint64_t chunks;
    uint64_t wrong; /* chunks that came out otherwise than RESULT */
} Int;

/* A dependent chain of shifts, exclusive ors and a multiplication. noipa: the
 * compiler must not see that the result is always the same. */
__attribute__((noipa)) static uint64_t
iterate(uint64_t x, unsigned count)
{
    while (count--) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x *= UINT64_C(0x2545F4914F6CDD1D);
    }
    return x;
}

static bool
setup(Run *run, Fail *fail)
{
    run->state = calloc(1, sizeof(Int));
    return run->state ? true : fail_set(fail, 0, "no memory for cpu.int");
}

static void
iterate_until(Int *state, int64_t deadline)
{
    do {
        state->wrong += iterate(START, CHUNK) != RESULT;
        state->chunks++;
    } while (raw_ns() < deadline && !stop_requested());
}

static bool
warm_up(Run *run, Fail *fail)
{
    Int scratch = {0};

    iterate_until(&scratch, raw_ns() + 20 * NS_PER_MS);
    (void) run;
    return stop_check(fail);
}

static bool
measure(Run *run, Fail *fail)
{
    Int *state = run->state;
    int64_t span = (int64_t) params_get(&run->params, "time");

    if (!window_open(run, "run", false, fail))
        return false;
    iterate_until(state, run->t0 + span);
    int64_t iterations = (int64_t) state->chunks * CHUNK;
    if (!window_close(run, iterations, fail))
        return false;
    result_sample(run, "cpu.int.rate", window_rate(run, (double) iterations),
                  iterations);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    const Int *state = run->state;

    if (state->wrong)
        return fail_set(fail, 0, "cpu.int: %llu of %llu results are wrong",
                        (unsigned long long) state->wrong,
                        (unsigned long long) state->chunks);
    return true;
}

static void
teardown(Run *run)
{
    free(run->state);
}

const Workload wl_int = {
    .name = "cpu.int",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
