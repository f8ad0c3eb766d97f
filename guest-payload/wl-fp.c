/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.fp: floating-point arithmetic in double precision that stays in
 * registers.  Like cpu.int it is a control: a guest must do about as much as
 * the host, else the set-up is wrong.
 *
 * IEEE 754 says what every operation gives, to the last bit, so the result is
 * known.  The payload is built for plain x86-64, which has no fused
 * multiply-add that would round otherwise.
 */
#include <stdlib.h>

#include "guest-payload/workload.h"

extern const Workload wl_fp;

/* Iterations between two looks at the clock: about 0.3 ms natively. */
#define CHUNK 65536
/* At 3.9 the logistic map is chaotic and stays between 0 and 1: no overflow,
 * no denormal number, and any wrong bit soon shows in all of them. */
#define GROWTH 3.9
#define START 0.4142135623730951
/* What CHUNK iterations make of START, worked out outside this program. */
#define RESULT 0x1.8da946fbb7c2bp-4

typedef struct Fp {
    uint64_t chunks;
    uint64_t wrong; /* chunks that came out otherwise than RESULT */
} Fp;

/* The logistic map, a dependent chain.  noipa: it must not see that the result
 * is always the same. */
__attribute__((noipa)) static double
iterate(double x, unsigned count)
{
    while (count--)
        x = GROWTH * x * (1.0 - x);
    return x;
}

static bool
setup(Run *run, Fail *fail)
{
    run->state = calloc(1, sizeof(Fp));
    return run->state ? true : fail_set(fail, 0, "no memory for cpu.fp");
}

static void
iterate_until(Fp *state, int64_t deadline)
{
    do {
        state->wrong += iterate(START, CHUNK) != RESULT;
        state->chunks++;
    } while (raw_ns() < deadline && !stop_requested());
}

static bool
warm_up(Run *run, Fail *fail)
{
    Fp scratch = {0};

    iterate_until(&scratch, raw_ns() + 20 * NS_PER_MS);
    (void) run;
    return stop_check(fail);
}

static bool
measure(Run *run, Fail *fail)
{
    Fp *state = run->state;
    int64_t span = (int64_t) params_get(&run->params, "time");

    if (!window_open(run, "run", false, fail))
        return false;
    iterate_until(state, run->t0 + span);
    int64_t iterations = (int64_t) state->chunks * CHUNK;
    if (!window_close(run, iterations, fail))
        return false;
    result_sample(run, "cpu.fp.rate", window_rate(run, (double) iterations),
                  iterations);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    const Fp *state = run->state;

    if (state->wrong)
        return fail_set(fail, 0, "cpu.fp: %llu of %llu results are wrong",
                        (unsigned long long) state->wrong,
                        (unsigned long long) state->chunks);
    return true;
}

static void
teardown(Run *run)
{
    free(run->state);
}

const Workload wl_fp = {
    .name = "cpu.fp",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
