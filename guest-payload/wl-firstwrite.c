/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.firstwrite: one sequential pass over a file that is one hole, closing
 * fsync included: the file system, and a copy-on-write image below it, have
 * to allocate every block.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "guest-payload/blocks.h"
#include "guest-payload/workload.h"

extern const Workload wl_firstwrite;

typedef struct FirstWrite {
    char path[PATH_MAX];
    int fd;
    Blocks blocks;
} FirstWrite;

/* A new file that is one hole. */
static bool
make_hole(FirstWrite *state, Fail *fail)
{
    off_t bytes = (off_t) (state->blocks.span * state->blocks.size);

    if (state->fd >= 0)
        close(state->fd);
    unlink(state->path);
    state->fd = open(state->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (state->fd < 0 || ftruncate(state->fd, bytes) != 0 ||
        fsync(state->fd) != 0)
        return fail_set(fail, errno, "cannot make %s", state->path);
    state->blocks.written = 0;
    return true;
}

static bool
setup(Run *run, Fail *fail)
{
    FirstWrite *state = calloc(1, sizeof(*state));
    uint64_t size = params_get(&run->params, "bs");

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up fs.firstwrite");
    state->fd = -1;
    run->state = state;
    snprintf(state->path, sizeof(state->path), "%.*s/firstwrite", PATH_MAX - 16,
             run->dir);
    if (size % 4096 != 0)
        return fail_set(fail, EINVAL,
                        "fs.firstwrite: bs is not a multiple of 4096");
    return blocks_init(&state->blocks, run->seed, size,
                       params_get(&run->params, "size"), fail) &&
           make_hole(state, fail);
}

static bool
write_failed(Fail *fail)
{
    return stop_check(fail) &&
           fail_set(fail, errno, "fs.firstwrite: a write failed");
}

/* One block, and then a new hole: what it allocated must not help. */
static bool
warm_up(Run *run, Fail *fail)
{
    FirstWrite *state = run->state;

    if (!blocks_put(&state->blocks, state->fd) || fsync(state->fd) != 0)
        return write_failed(fail);
    return make_hole(state, fail);
}

static bool
measure(Run *run, Fail *fail)
{
    FirstWrite *state = run->state;
    uint64_t count = state->blocks.span;

    if (!window_open(run, "run", false, fail))
        return false;
    while (state->blocks.written < count)
        if (stop_requested() || !blocks_put(&state->blocks, state->fd))
            return write_failed(fail);
    if (fsync(state->fd) != 0)
        return write_failed(fail);
    if (!window_close(run, (int64_t) count, fail))
        return false;
    double megabytes = (double) (count * state->blocks.size) / 1e6;
    result_sample(run, "fs.firstwrite.bw", window_rate(run, megabytes),
                  (int64_t) count);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    const FirstWrite *state = run->state;

    return blocks_verify(&state->blocks, state->fd, fail);
}

static void
teardown(Run *run)
{
    FirstWrite *state = run->state;

    if (!state)
        return;
    if (state->fd >= 0) {
        close(state->fd);
        unlink(state->path);
    }
    blocks_clear(&state->blocks);
    free(state);
}

const Workload wl_firstwrite = {
    .name = "fs.firstwrite",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
