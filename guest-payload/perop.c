/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See perop.h.
 */
#include "guest-payload/perop.h"

#include <errno.h>
#include <stdlib.h>

/* Enough for the CPU to leave its idle clock, and for caches. */
#define WARM_UP (20 * NS_PER_MS)

bool
perop_setup(Run *run, uint64_t expected, Fail *fail)
{
    PerOp *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up %s", run->info->name);
    state->expected = expected;
    run->state = state;
    return true;
}

static void
repeat_until(PerOp *state, PerOpBatch batch, unsigned count, int64_t deadline)
{
    do {
        batch(state, count);
        state->ops += count;
    } while (raw_ns() < deadline && !stop_requested());
}

bool
perop_warm_up(Run *run, PerOpBatch batch, unsigned count, Fail *fail)
{
    PerOp *state = run->state;
    PerOp scratch = {.expected = state->expected};

    repeat_until(&scratch, batch, count, raw_ns() + WARM_UP);
    return stop_check(fail);
}

double
perop_ns(const Run *run, int64_t ops)
{
    return (double) (run->t1 - run->t0) / (double) ops;
}

bool
perop_measure(Run *run, PerOpBatch batch, unsigned count, const char *metric,
              Fail *fail)
{
    PerOp *state = run->state;
    int64_t span = (int64_t) params_get(&run->params, "time");

    if (!window_open(run, "run", false, fail))
        return false;
    repeat_until(state, batch, count, run->t0 + span);
    if (!window_close(run, state->ops, fail))
        return false;
    result_sample(run, metric, perop_ns(run, state->ops), state->ops);
    return true;
}

bool
perop_check(Run *run, Fail *fail)
{
    const PerOp *state = run->state;

    if (state->right == state->ops)
        return true;
    return fail_set(fail, 0, "%s: %lld of %lld operations were not done",
                    run->info->name, (long long) (state->ops - state->right),
                    (long long) state->ops);
}

void
perop_teardown(Run *run)
{
    free(run->state);
}
