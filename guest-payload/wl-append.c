/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.append: a write at the end of a file that grows, then fsync, which has
 * to make the new length durable as well: the journal is in the path.  The
 * window ends early when the file has reached its limit, so that a fast disk
 * is not filled.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest-payload/blocks.h"
#include "guest-payload/workload.h"

extern const Workload wl_append;

/* Unmeasured operations: enough for the journal to be awake. */
#define WARM_UP_OPS 16

typedef struct Append {
    char path[PATH_MAX];
    int fd;
    Blocks blocks;
} Append;

static bool
setup(Run *run, Fail *fail)
{
    Append *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up fs.append");
    state->fd = -1;
    run->state = state;
    snprintf(state->path, sizeof(state->path), "%.*s/append", PATH_MAX - 16,
             run->dir);
    state->fd = open(state->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (state->fd < 0)
        return fail_set(fail, errno, "cannot make %s", state->path);
    return blocks_init(&state->blocks, run->seed,
                       params_get(&run->params, "size"),
                       params_get(&run->params, "limit"), fail);
}

/* False with errno set. */
static bool
append_one(Append *state)
{
    return blocks_put(&state->blocks, state->fd) && fsync(state->fd) == 0;
}

static bool
append_failed(Fail *fail)
{
    return stop_check(fail) &&
           fail_set(fail, errno, "fs.append: a write failed");
}

static bool
warm_up(Run *run, Fail *fail)
{
    Append *state = run->state;

    for (int i = 0; i < WARM_UP_OPS; i++)
        if (!append_one(state))
            return append_failed(fail);
    return true;
}

static bool
measure(Run *run, Fail *fail)
{
    Append *state = run->state;
    int64_t span = (int64_t) params_get(&run->params, "time");
    uint64_t before = state->blocks.written;

    if (!window_open(run, "run", false, fail))
        return false;
    do {
        if (!append_one(state))
            return append_failed(fail);
    } while (raw_ns() < run->t0 + span && !stop_requested() &&
             state->blocks.written < state->blocks.span);
    int64_t ops = (int64_t) (state->blocks.written - before);
    if (!window_close(run, ops, fail))
        return false;
    result_sample(run, "fs.append.rate", window_rate(run, (double) ops), ops);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    const Append *state = run->state;
    uint64_t bytes = state->blocks.written * state->blocks.size;
    struct stat status;

    if (fstat(state->fd, &status) != 0 || (uint64_t) status.st_size != bytes)
        return fail_set(fail, EILSEQ,
                        "fs.append: the file has %lld bytes, %llu were "
                        "appended",
                        (long long) status.st_size, (unsigned long long) bytes);
    return blocks_verify(&state->blocks, state->fd, fail);
}

static void
teardown(Run *run)
{
    Append *state = run->state;

    if (!state)
        return;
    if (state->fd >= 0) {
        close(state->fd);
        unlink(state->path);
    }
    blocks_clear(&state->blocks);
    free(state);
}

const Workload wl_append = {
    .name = "fs.append",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
