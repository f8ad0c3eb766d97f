/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.ctx: two threads on one CPU hand a byte to and fro through two pipes,
 * as `perf bench sched pipe` does; an operation is a round trip, that is two
 * changes of context.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "guest-payload/pair.h"

extern const Workload wl_ctx;

typedef struct Ctx {
    Pair *pair;
    int pipe[2][2]; /* [n]: to thread n */
} Ctx;

static bool
ctx_give(void *data, int to)
{
    const Ctx *state = data;

    return write(state->pipe[to][1], "x", 1) == 1;
}

static bool
ctx_take(void *data, int self)
{
    const Ctx *state = data;
    char byte;

    return read(state->pipe[self][0], &byte, 1) == 1;
}

static const PairWay ctx_way = {ctx_give, ctx_take};

static bool
ctx_setup(Run *run, Fail *fail)
{
    Ctx *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up cpu.ctx");
    *state = (Ctx){.pipe = {{-1, -1}, {-1, -1}}};
    run->state = state;
    for (int i = 0; i < 2; i++)
        if (pipe2(state->pipe[i], O_CLOEXEC) < 0)
            return fail_set(fail, errno, "cpu.ctx: cannot make a pipe");
    return pair_make(run, &ctx_way, state, &state->pair, fail);
}

static bool
ctx_warm_up(Run *run, Fail *fail)
{
    const Ctx *state = run->state;

    return pair_warm_up(state->pair, fail);
}

static bool
ctx_measure(Run *run, Fail *fail)
{
    const Ctx *state = run->state;

    return pair_measure(run, state->pair, 1, "cpu.ctx.time", fail);
}

static bool
ctx_check(Run *run, Fail *fail)
{
    const Ctx *state = run->state;

    return pair_check(run, state->pair, fail);
}

static void
ctx_teardown(Run *run)
{
    Ctx *state = run->state;

    if (!state)
        return;
    pair_free(state->pair);
    for (int i = 0; i < 4; i++)
        if (state->pipe[i / 2][i % 2] >= 0)
            close(state->pipe[i / 2][i % 2]);
    free(state);
}

const Workload wl_ctx = {
    .name = "cpu.ctx",
    .setup = ctx_setup,
    .warm_up = ctx_warm_up,
    .run = ctx_measure,
    .check = ctx_check,
    .teardown = ctx_teardown,
};
