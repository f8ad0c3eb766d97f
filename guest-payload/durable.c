/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See durable.h.
 */
#include "guest-payload/durable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* One unmeasured iteration of a tenth of the window, a quarter of a second
 * at most: enough for the journal and the device to be awake. */
#define WARM_UP_DIVISOR 10
#define WARM_UP_MAX (250 * NS_PER_MS)

typedef struct Durable {
    int fd;
    Blocks blocks;
    Hist hist;
} Durable;

bool
durable_setup(Run *run, int flags, Fail *fail)
{
    uint64_t bytes = params_get(&run->params, "file");
    uint64_t size = params_get(&run->params, "size");
    Durable *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up %s", run->info->name);
    state->fd = -1;
    run->state = state;
    if (size % 512 != 0)
        return fail_set(fail, EINVAL, "%s: size is not a multiple of 512",
                        run->info->name);
    return workfile_open(run->dir, O_RDWR | flags, bytes, &state->fd, fail) &&
           workfile_evict(state->fd, run->drop_caches, fail) &&
           blocks_init(&state->blocks, run->seed, size, bytes, fail);
}

/* Writes until `deadline`; a latency reaches from the end of one operation
 * to the end of the next, so it costs one read of the clock.  `hist` NULL:
 * not kept.  False with errno set. */
static bool
write_until(Durable *state, DurableWrite write_one, int64_t now,
            int64_t deadline, Hist *hist)
{
    do {
        if (!write_one(&state->blocks, state->fd))
            return false;
        int64_t after = raw_ns();
        if (hist)
            hist_add(hist, (uint64_t) (after - now));
        now = after;
    } while (now < deadline && !stop_requested());
    return true;
}

static bool
write_failed(const Run *run, Fail *fail)
{
    return fail_set(fail, errno, "%s: a write failed", run->info->name);
}

bool
durable_warm_up(Run *run, DurableWrite write_one, Fail *fail)
{
    Durable *state = run->state;
    int64_t span = (int64_t) params_get(&run->params, "time");
    int64_t now = raw_ns();

    span /= WARM_UP_DIVISOR;
    span = span < WARM_UP_MAX ? span : WARM_UP_MAX;
    return write_until(state, write_one, now, now + span, NULL) ||
           write_failed(run, fail);
}

bool
durable_run(Run *run, DurableWrite write_one, const char *rate_metric,
            const char *hist_metric, Fail *fail)
{
    Durable *state = run->state;
    int64_t span = (int64_t) params_get(&run->params, "time");

    if (!window_open(run, "run", false, fail))
        return false;
    if (!write_until(state, write_one, run->t0, run->t0 + span, &state->hist))
        return write_failed(run, fail);
    if (!window_close(run, (int64_t) state->hist.n, fail))
        return false;
    result_sample(run, rate_metric, window_rate(run, (double) state->hist.n),
                  (int64_t) state->hist.n);
    result_hist(run, hist_metric, &state->hist);
    return true;
}

bool
durable_check(Run *run, Fail *fail)
{
    const Durable *state = run->state;

    return blocks_verify(&state->blocks, state->fd, fail);
}

void
durable_teardown(Run *run)
{
    Durable *state = run->state;

    if (!state)
        return;
    if (state->fd >= 0)
        close(state->fd);
    blocks_clear(&state->blocks);
    free(state);
}
