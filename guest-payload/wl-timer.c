/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.timer: how late a timer of 1 ms wakes its waiter, as cyclictest does.
 * The instants are absolute and laid down beforehand: one that was missed
 * because the one before came late counts with all of its delay.
 *
 * A timerfd, since the slack that sleeps are given does not apply to it; the
 * kernel says how many times it expired, and a clock must agree.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "guest-payload/workload.h"

extern const Workload wl_timer;

#define TIMER_INTERVAL NS_PER_MS
#define TIMER_WARM_UP 20 /* expirations */
/* From setting the timer to its first instant, so that it is not missed. */
#define TIMER_LEAD (2 * NS_PER_MS)

typedef struct Timer {
    int fd;
    uint64_t wanted; /* expirations, one for each interval of the time */
    int64_t early;   /* waits that ended before their instant */
    Hist hist;
} Timer;

/* The clock of the timer: CLOCK_MONOTONIC_RAW cannot have timers. */
static int64_t
timer_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static bool
timer_start(int fd, int64_t first)
{
    struct itimerspec spec = {
        .it_value = {first / NS_PER_S, first % NS_PER_S},
        .it_interval = {0, TIMER_INTERVAL},
    };

    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, NULL) == 0;
}

/* Waits for `wanted` expirations.  False with errno set. */
static bool
timer_wait(Timer *state, uint64_t wanted)
{
    int64_t due = timer_now() + TIMER_LEAD;

    if (!timer_start(state->fd, due))
        return false;
    while (state->hist.n < wanted && !stop_requested()) {
        uint64_t expired;
        if (read(state->fd, &expired, sizeof(expired)) != sizeof(expired)) {
            if (errno == EINTR)
                continue;
            return false;
        }
        int64_t now = timer_now();
        for (; expired && state->hist.n < wanted; expired--) {
            state->early += now < due;
            hist_add(&state->hist, now < due ? 0 : (uint64_t) (now - due));
            due += TIMER_INTERVAL;
        }
    }
    return true;
}

static bool
timer_failed(Fail *fail)
{
    return fail_set(fail, errno, "cpu.timer: cannot wait for a timer");
}

static bool
timer_setup(Run *run, Fail *fail)
{
    Timer *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up cpu.timer");
    state->wanted = params_get(&run->params, "time") / TIMER_INTERVAL;
    run->state = state;
    state->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    return state->fd >= 0 || timer_failed(fail);
}

static bool
timer_warm_up(Run *run, Fail *fail)
{
    Timer *state = run->state;
    bool ok = timer_wait(state, TIMER_WARM_UP) || timer_failed(fail);

    state->hist = (Hist){0};
    state->early = 0;
    return ok && stop_check(fail);
}

static bool
timer_measure(Run *run, Fail *fail)
{
    Timer *state = run->state;

    if (!window_open(run, "run", false, fail))
        return false;
    if (!timer_wait(state, state->wanted))
        return timer_failed(fail);
    if (!window_close(run, (int64_t) state->hist.n, fail))
        return false;
    result_hist(run, "cpu.timer.lat", &state->hist);
    return true;
}

/* So many intervals cannot be over sooner; one is left for clocks that do not
 * run alike. */
static bool
timer_check(Run *run, Fail *fail)
{
    const Timer *state = run->state;
    int64_t least = ((int64_t) state->wanted - 1) * TIMER_INTERVAL;

    if (state->early)
        return fail_set(fail, 0, "cpu.timer: %lld of %llu waits ended early",
                        (long long) state->early,
                        (unsigned long long) state->hist.n);
    if (state->hist.n != state->wanted ||
        run->t1 - run->t0 < least - least / 1000)
        return fail_set(fail, 0,
                        "cpu.timer: %llu expirations in %lld ms, one a "
                        "millisecond is due",
                        (unsigned long long) state->hist.n,
                        (long long) ((run->t1 - run->t0) / NS_PER_MS));
    return true;
}

static void
timer_teardown(Run *run)
{
    Timer *state = run->state;

    if (!state)
        return;
    if (state->fd >= 0)
        close(state->fd);
    free(state);
}

const Workload wl_timer = {
    .name = "cpu.timer",
    .setup = timer_setup,
    .warm_up = timer_warm_up,
    .run = timer_measure,
    .check = timer_check,
    .teardown = timer_teardown,
};
