/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.clock: one reading of CLOCK_MONOTONIC.  With a clock source that the
 * guest can read itself it stays in user space, without one it is a system
 * call, and often an exit.
 *
 * Readings must follow each other, and the last one must lie in the window as
 * CLOCK_MONOTONIC_RAW saw it.
 */
#include "guest-payload/perop.h"

extern const Workload wl_clock;

/* Readings between two looks at the other clock: about 30 us natively. */
#define CLOCK_BATCH 1024
/* A time daemon slews by 500 ppm at most: in 10 minutes, the longest window,
 * that is 0.3 s; a clock that is not read stays behind by all of it. */
#define CLOCK_SLEW (300 * NS_PER_MS)

static int64_t
clock_now(void)
{
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* `expected` is the reading before: each must be later. */
static void
clock_batch(PerOp *state, unsigned count)
{
    int64_t last = (int64_t) state->expected, right = 0;

    while (count--) {
        int64_t now = clock_now();
        right += now > last;
        last = now;
    }
    state->expected = (uint64_t) last;
    state->right += right;
}

static bool
clock_setup(Run *run, Fail *fail)
{
    return perop_setup(run, 0, fail);
}

static bool
clock_warm_up(Run *run, Fail *fail)
{
    return perop_warm_up(run, clock_batch, CLOCK_BATCH, fail);
}

static bool
clock_measure(Run *run, Fail *fail)
{
    return perop_measure(run, clock_batch, CLOCK_BATCH, "cpu.clock.time", fail);
}

/* A clock as coarse as a tick gives the same reading many times; a figure
 * made of such readings would say nothing of clocks in use. */
static bool
clock_check(Run *run, Fail *fail)
{
    const PerOp *state = run->state;
    int64_t last = (int64_t) state->expected - (clock_now() - raw_ns());

    if (state->right < state->ops / 2)
        return fail_set(fail, 0,
                        "cpu.clock: %lld of %lld readings are no "
                        "later than the one before",
                        (long long) (state->ops - state->right),
                        (long long) state->ops);
    if (last < run->t0 - CLOCK_SLEW || last > run->t1 + CLOCK_SLEW)
        return fail_set(fail, 0,
                        "cpu.clock: the last reading is not of the "
                        "measured window");
    return true;
}

const Workload wl_clock = {
    .name = "cpu.clock",
    .setup = clock_setup,
    .warm_up = clock_warm_up,
    .run = clock_measure,
    .check = clock_check,
    .teardown = perop_teardown,
};
