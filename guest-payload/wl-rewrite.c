/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.rewrite: one sequential pass that reads a record, changes it and writes
 * it back in its place, as bonnie++ does it; the closing fsync is in the time.
 * The unmeasured pass before it gives every record a stamp, which each read
 * must find.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "guest-payload/blocks.h"
#include "guest-payload/workload.h"

extern const Workload wl_rewrite;

#define ALIGNMENT 4096

typedef struct Rewrite {
    int fd;
    void *record;
    Blocks blocks;
} Rewrite;

static bool
setup(Run *run, Fail *fail)
{
    uint64_t bytes = params_get(&run->params, "file");
    uint64_t size = params_get(&run->params, "bs");
    Rewrite *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up fs.rewrite");
    state->fd = -1;
    run->state = state;
    if (size % 4096 != 0)
        return fail_set(fail, EINVAL,
                        "fs.rewrite: bs is not a multiple of 4096");
    if (posix_memalign(&state->record, ALIGNMENT, size) != 0) {
        state->record = NULL;
        return fail_set(fail, ENOMEM, "cannot take a record for fs.rewrite");
    }
    if (!workfile_open(run->dir, O_RDWR, bytes, &state->fd, fail) ||
        !blocks_init(&state->blocks, run->seed, size, bytes, fail))
        return false;
    blocks_repeat(&state->blocks);
    return true;
}

static bool
rewrite_failed(Fail *fail)
{
    return stop_check(fail) &&
           fail_set(fail, errno, "fs.rewrite: a read or write failed");
}

static bool
warm_up(Run *run, Fail *fail)
{
    Rewrite *state = run->state;

    while (state->blocks.written < state->blocks.span)
        if (stop_requested() || !blocks_put(&state->blocks, state->fd))
            return rewrite_failed(fail);
    return fsync(state->fd) == 0 || rewrite_failed(fail);
}

/* False with errno set. */
static bool
rewrite_one(Rewrite *state, uint64_t place)
{
    size_t size = state->blocks.size;
    off_t offset = (off_t) (place * size);
    ssize_t got = pread(state->fd, state->record, size, offset);

    if (got == (ssize_t) size &&
        !blocks_restamp(&state->blocks, place, state->record)) {
        errno = EILSEQ;
        return false;
    }
    if (got == (ssize_t) size)
        got = pwrite(state->fd, state->record, size, offset);
    if (got != (ssize_t) size)
        errno = got < 0 ? errno : EIO;
    return got == (ssize_t) size;
}

static bool
measure(Run *run, Fail *fail)
{
    Rewrite *state = run->state;
    uint64_t count = state->blocks.span;

    if (!workfile_evict(state->fd, run->drop_caches, fail) ||
        !window_open(run, "run", false, fail))
        return false;
    for (uint64_t place = 0; place < count; place++) {
        if (stop_requested() || !rewrite_one(state, place))
            return rewrite_failed(fail);
        state->blocks.written++;
    }
    if (fsync(state->fd) != 0)
        return rewrite_failed(fail);
    if (!window_close(run, (int64_t) count, fail))
        return false;
    double megabytes = (double) (count * state->blocks.size) / 1e6;
    result_sample(run, "fs.rewrite.bw", window_rate(run, megabytes),
                  (int64_t) count);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    const Rewrite *state = run->state;

    return blocks_verify(&state->blocks, state->fd, fail);
}

static void
teardown(Run *run)
{
    Rewrite *state = run->state;

    if (!state)
        return;
    if (state->fd >= 0)
        close(state->fd);
    blocks_clear(&state->blocks);
    free(state->record);
    free(state);
}

const Workload wl_rewrite = {
    .name = "fs.rewrite",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
