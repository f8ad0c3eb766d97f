/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.seek: seeks a second as bonnie++ counts them: several threads read
 * records at random through the page cache, and write every tenth back
 * changed.  The number of seeks is fixed, because the cache fills as they go.
 * Each read must find the stamp that its place has; afterwards the whole file
 * is compared.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "guest-payload/blocks.h"
#include "guest-payload/crew.h"
#include "guest-payload/workload.h"

extern const Workload wl_seek;

#define ALIGNMENT 4096
/* As bonnie++: a tenth of what is read is written back. */
#define WRITE_EVERY 10

typedef struct Seek {
    int fd;
    int threads;
    uint64_t seeks; /* of each thread */
    Blocks blocks;
    uint32_t *rounds; /* how often each place was written */
    void *records;    /* one a thread */
    int *errors;      /* one a thread */
    Crew *crew;
} Seek;

/* Reads the record at `place` and may change it.  0 or an errno. */
static int
seek_one(Seek *state, uint64_t place, bool change, unsigned char *record)
{
    size_t size = state->blocks.size;
    off_t offset = (off_t) (place * size);
    uint64_t round = state->rounds[place] - 1;
    uint64_t counter = place + round * state->blocks.span;
    ssize_t done = pread(state->fd, record, size, offset);

    if (done == (ssize_t) size &&
        !blocks_stamped(&state->blocks, counter, record))
        return EILSEQ;
    if (done == (ssize_t) size && change) {
        blocks_restamp(&state->blocks, counter, record);
        done = pwrite(state->fd, record, size, offset);
        state->rounds[place]++;
    }
    return done < 0 ? errno : done == (ssize_t) size ? 0 : EIO;
}

/* Thread t has the places t, t + threads, ... to itself. */
static void
seek_thread(int number, void *data)
{
    Seek *state = data;
    uint64_t threads = (uint64_t) state->threads;
    uint64_t places = state->blocks.span / threads;
    uint64_t random = state->blocks.seed + (uint64_t) number;
    unsigned char *record =
        (unsigned char *) state->records + (size_t) number * state->blocks.size;
    int error = 0;

    for (uint64_t i = 0; i < state->seeks && !error && !stop_requested(); i++) {
        uint64_t place =
            splitmix64(&random) % places * threads + (uint64_t) number;
        error = seek_one(state, place, i % WRITE_EVERY == 0, record);
    }
    state->errors[number] = error;
}

static bool
take_memory(Seek *state, Fail *fail)
{
    size_t bytes = (size_t) state->threads * state->blocks.size;

    blocks_repeat(&state->blocks);
    state->rounds = calloc(state->blocks.span, sizeof(*state->rounds));
    state->errors = calloc((size_t) state->threads, sizeof(*state->errors));
    if (posix_memalign(&state->records, ALIGNMENT, bytes) != 0)
        state->records = NULL;
    if (!state->rounds || !state->errors || !state->records)
        return fail_set(fail, ENOMEM, "cannot take memory for fs.seek");
    return crew_make(state->threads, seek_thread, state, &state->crew, fail);
}

static bool
setup(Run *run, Fail *fail)
{
    uint64_t bytes = params_get(&run->params, "file");
    Seek *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up fs.seek");
    state->fd = -1;
    run->state = state;
    state->threads = (int) params_get(&run->params, "threads");
    state->seeks =
        params_get(&run->params, "seeks") / (uint64_t) state->threads;
    return workfile_open(run->dir, O_RDWR, bytes, &state->fd, fail) &&
           blocks_init(&state->blocks, run->seed,
                       params_get(&run->params, "bs"), bytes, fail) &&
           take_memory(state, fail);
}

static bool
seek_failed(int error, Fail *fail)
{
    return stop_check(fail) &&
           fail_set(fail, error, "fs.seek: a read or write failed");
}

/* Gives every place its first stamp. */
static bool
warm_up(Run *run, Fail *fail)
{
    Seek *state = run->state;

    for (uint64_t place = 0; place < state->blocks.span; place++) {
        if (stop_requested() || !blocks_put(&state->blocks, state->fd))
            return seek_failed(errno, fail);
        state->rounds[place] = 1;
    }
    return true;
}

static bool
measure(Run *run, Fail *fail)
{
    Seek *state = run->state;
    int64_t ops = (int64_t) state->seeks * state->threads;

    if (!workfile_evict(state->fd, run->drop_caches, fail) ||
        !window_open(run, "cold", true, fail))
        return false;
    crew_round(state->crew);
    for (int i = 0; i < state->threads; i++)
        if (state->errors[i])
            return seek_failed(state->errors[i], fail);
    if (!window_close(run, ops, fail))
        return false;
    result_sample(run, "fs.seek.rate", window_rate(run, (double) ops), ops);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    const Seek *state = run->state;

    return blocks_verify_rounds(&state->blocks, state->rounds, state->fd, fail);
}

static void
teardown(Run *run)
{
    Seek *state = run->state;

    if (!state)
        return;
    crew_free(state->crew);
    if (state->fd >= 0)
        close(state->fd);
    blocks_clear(&state->blocks);
    free(state->rounds);
    free(state->records);
    free(state->errors);
    free(state);
}

const Workload wl_seek = {
    .name = "fs.seek",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
