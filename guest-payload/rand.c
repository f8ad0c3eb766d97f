/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See rand.h.
 */
#include "guest-payload/rand.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* O_DIRECT needs the alignment of a logical block, a page is always right. */
#define ALIGNMENT 4096
/* Of every so many bytes a word goes into the digest of what was read: the
 * least that a disk transfers. */
#define SECTOR 512
/* The unmeasured iteration takes this part of a window, at most. */
#define WARM_UP_DIVISOR 10
#define WARM_UP_MAX (250 * NS_PER_MS)

/* ------------------------------------------------------------ one request */

static uint32_t
place_of(const Rand *state, const RandSlot *slot)
{
    return state->order[slot->number % state->span];
}

off_t
rand_prepare(Rand *state, RandSlot *slot)
{
    uint32_t place = place_of(state, slot);

    if (state->write)
        blocks_make(&state->blocks,
                    place + (uint64_t) state->rounds[place] * state->span,
                    slot->buffer);
    return (off_t) place * (off_t) state->size;
}

uint64_t
rand_digest(const unsigned char *data, size_t size)
{
    uint64_t digest = 0;

    for (size_t at = 0; at < size; at += SECTOR) {
        uint64_t word;
        memcpy(&word, data + at, sizeof(word));
        digest = (digest ^ word) * UINT64_C(0x100000001B3);
    }
    return digest | 1;
}

/* A place holds the same whenever it is read. */
static void
note_read(Rand *state, RandSlot *slot, uint32_t place)
{
    uint64_t digest = rand_digest(slot->buffer, state->size);

    if (state->seen[place] && state->seen[place] != digest)
        slot->error = EILSEQ;
    state->seen[place] = digest;
}

void
rand_finish(Rand *state, RandSlot *slot, ssize_t outcome)
{
    uint32_t place = place_of(state, slot);

    if (outcome != (ssize_t) state->size)
        slot->error = outcome < 0 ? (int) -outcome : EIO;
    else if (state->write)
        state->rounds[place]++;
    else
        note_read(state, slot, place);
    slot->done += !slot->error;
    slot->number += (uint64_t) state->depth;
}

bool
rand_go_on(const Rand *state, const RandSlot *slot, int64_t now)
{
    return now < state->deadline && !slot->error && !stop_requested();
}

/* ------------------------------------------------------------------ setup */

static bool
take_order(Rand *state, uint64_t seed, Fail *fail)
{
    state->order = calloc(state->span, sizeof(*state->order));
    if (state->write)
        state->rounds = calloc(state->span, sizeof(*state->rounds));
    else
        state->seen = calloc(state->span, sizeof(*state->seen));
    if (!state->order || (!state->rounds && !state->seen))
        return fail_set(fail, ENOMEM, "cannot take memory for %u places",
                        state->span);
    for (uint32_t i = 0; i < state->span; i++) {
        uint32_t other = (uint32_t) (splitmix64(&seed) % (i + 1));
        state->order[i] = state->order[other];
        state->order[other] = i;
        /* Faulted in before the window. */
        if (state->write)
            state->rounds[i] = 0;
        else
            state->seen[i] = 0;
    }
    return true;
}

static bool
take_buffers(Rand *state, Fail *fail)
{
    if (posix_memalign(&state->buffers, ALIGNMENT, RAND_DEPTH * state->size)) {
        state->buffers = NULL;
        return fail_set(fail, ENOMEM, "cannot take %d buffers of %zu bytes",
                        RAND_DEPTH, state->size);
    }
    memset(state->buffers, 0xff, RAND_DEPTH * state->size);
    for (int i = 0; i < RAND_DEPTH; i++)
        state->slot[i].buffer =
            (unsigned char *) state->buffers + (size_t) i * state->size;
    return true;
}

/* A ring, or threads and a fact that says so. */
static bool
take_way(Run *run, Rand *state, Fail *fail)
{
    char text[128];
    int error = -io_uring_queue_init(RAND_DEPTH, &state->ring, 0);

    state->ring_ready = !error;
    if (!error)
        return true;
    snprintf(text, sizeof(text), "threads: no io_uring: %s", strerror(error));
    return run_fact(run, "engine", text, fail) &&
           crew_make(RAND_DEPTH, rand_thread, state, &state->crew, fail);
}

bool
rand_setup(Run *run, bool write, Fail *fail)
{
    uint64_t bytes = params_get(&run->params, "file");
    Rand *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up %s", run->info->name);
    state->fd = -1;
    run->state = state;
    state->write = write;
    state->size = params_get(&run->params, "bs");
    uint64_t places = bytes / state->size / RAND_DEPTH * RAND_DEPTH;
    if (state->size % SECTOR != 0 || !places || places > UINT32_MAX)
        return fail_set(fail, EINVAL,
                        "%s: bs is not a multiple of 512, or the file is not "
                        "32 to 2^32 requests long",
                        run->info->name);
    state->span = (uint32_t) places;
    return workfile_open(run->dir, (write ? O_RDWR : O_RDONLY) | O_DIRECT,
                         bytes, &state->fd, fail) &&
           workfile_evict(state->fd, run->drop_caches, fail) &&
           blocks_init(&state->blocks, run->seed, state->size,
                       places * state->size, fail) &&
           take_order(state, run->seed, fail) && take_buffers(state, fail) &&
           take_way(run, state, fail);
}

/* ---------------------------------------------------------------- windows */

static void
arm(Rand *state, int depth, Hist *keep)
{
    for (int i = 0; i < depth; i++) {
        RandSlot *slot = &state->slot[i];
        slot->number = state->base + (uint64_t) i;
        slot->done = 0;
    }
    state->depth = depth;
    state->keep = keep;
}

/* From `begin` on; the requests made are in *ret_ops. */
static bool
work(Rand *state, int64_t begin, int64_t span, int64_t *ret_ops)
{
    int64_t ops = 0;
    int error = 0;

    state->begin = begin;
    state->deadline = begin + span;
    if (state->ring_ready)
        rand_ring(state);
    else
        rand_threads(state);
    for (int i = 0; i < state->depth; i++) {
        RandSlot *slot = &state->slot[i];
        ops += slot->done;
        error = slot->error ? slot->error : error;
        if (slot->number > state->base)
            state->base = slot->number;
    }
    state->blocks.written += (uint64_t) ops;
    *ret_ops = ops;
    errno = error;
    return !error;
}

static bool
work_failed(const Run *run, Fail *fail)
{
    const Rand *state = run->state;

    return stop_check(fail) &&
           fail_set(fail, errno, "%s: a %s failed", run->info->name,
                    state->write ? "write" : "read");
}

bool
rand_warm_up(Run *run, Fail *fail)
{
    int64_t span = (int64_t) params_get(&run->params, "time") / WARM_UP_DIVISOR;
    int64_t ignored;

    arm(run->state, RAND_DEPTH, NULL);
    return work(run->state, raw_ns(), span < WARM_UP_MAX ? span : WARM_UP_MAX,
                &ignored) ||
           work_failed(run, fail);
}

/* Reads begin cold: what the host has cached of the file is dropped. */
static bool
window(Run *run, const char *phase, int depth, Hist *keep, const char *metric,
       Fail *fail)
{
    Rand *state = run->state;
    int64_t span = (int64_t) params_get(&run->params, "time"), ops;

    arm(state, depth, keep);
    if (!window_open(run, phase, !state->write, fail))
        return false;
    if (!work(state, run->t0, span, &ops))
        return work_failed(run, fail);
    if (!window_close(run, ops, fail))
        return false;
    result_sample(run, metric, window_rate(run, (double) ops), ops);
    return true;
}

bool
rand_measure(Run *run, const char *metric_1, const char *metric_32,
             const char *hist_metric, Fail *fail)
{
    Rand *state = run->state;

    if (!window(run, state->write ? "qd1" : "cold.qd1", 1, &state->hist,
                metric_1, fail))
        return false;
    result_hist(run, hist_metric, &state->hist);
    return window(run, state->write ? "qd32" : "cold.qd32", RAND_DEPTH, NULL,
                  metric_32, fail);
}

void
rand_teardown(Run *run)
{
    Rand *state = run->state;

    if (!state)
        return;
    if (state->ring_ready)
        io_uring_queue_exit(&state->ring);
    crew_free(state->crew);
    if (state->fd >= 0)
        close(state->fd);
    blocks_clear(&state->blocks);
    free(state->order);
    free(state->rounds);
    free(state->seen);
    free(state->buffers);
    free(state);
}
