/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.seqwrite: one sequential pass over the pre-filled file in place.  The
 * time includes the closing fsync: without it the page cache is measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "guest-payload/blocks.h"
#include "guest-payload/workload.h"

extern const Workload wl_seqwrite;

/* The unmeasured iteration writes this part of the file. */
#define WARM_UP_PART 16

typedef struct SeqWrite {
    int fd;
    Blocks blocks;
} SeqWrite;

static bool
setup(Run *run, Fail *fail)
{
    uint64_t bytes = params_get(&run->params, "file");
    int direct = params_get(&run->params, "direct") ? O_DIRECT : 0;
    uint64_t size = params_get(&run->params, "bs");
    SeqWrite *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up fs.seqwrite");
    state->fd = -1;
    run->state = state;
    if (size % 4096 != 0)
        return fail_set(fail, EINVAL,
                        "fs.seqwrite: bs is not a multiple of 4096");
    return workfile_open(run->dir, O_RDWR | direct, bytes, &state->fd, fail) &&
           blocks_init(&state->blocks, run->seed, size, bytes, fail);
}

/* False with errno set. */
static bool
write_blocks(SeqWrite *state, uint64_t count)
{
    state->blocks.written = 0;
    while (count--)
        if (!blocks_put(&state->blocks, state->fd) || stop_requested())
            return false;
    return fsync(state->fd) == 0;
}

static bool
write_failed(Fail *fail)
{
    return stop_check(fail) &&
           fail_set(fail, errno, "fs.seqwrite: a write failed");
}

static bool
warm_up(Run *run, Fail *fail)
{
    SeqWrite *state = run->state;
    uint64_t part = state->blocks.span / WARM_UP_PART;

    return write_blocks(state, part ? part : 1) || write_failed(fail);
}

static bool
measure(Run *run, Fail *fail)
{
    SeqWrite *state = run->state;
    uint64_t count = state->blocks.span;

    /* Every pass begins with none of the file in the page cache. */
    if (!workfile_evict(state->fd, run->drop_caches, fail) ||
        !window_open(run, "run", false, fail))
        return false;
    if (!write_blocks(state, count))
        return write_failed(fail);
    if (!window_close(run, (int64_t) count, fail))
        return false;
    double megabytes = (double) (count * state->blocks.size) / 1e6;
    result_sample(run, "fs.seqwrite.bw", window_rate(run, megabytes),
                  (int64_t) count);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    const SeqWrite *state = run->state;

    if (state->blocks.written != state->blocks.span)
        return fail_set(fail, 0, "fs.seqwrite: %llu of %llu blocks written",
                        (unsigned long long) state->blocks.written,
                        (unsigned long long) state->blocks.span);
    return blocks_verify(&state->blocks, state->fd, fail);
}

static void
teardown(Run *run)
{
    SeqWrite *state = run->state;

    if (!state)
        return;
    if (state->fd >= 0)
        close(state->fd);
    blocks_clear(&state->blocks);
    free(state);
}

const Workload wl_seqwrite = {
    .name = "fs.seqwrite",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
