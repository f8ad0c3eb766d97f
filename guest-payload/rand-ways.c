/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See rand.h: the two ways to keep requests in flight.
 */
#include "guest-payload/rand.h"

#include <errno.h>
#include <unistd.h>

static void
issue(Rand *state, int number)
{
    RandSlot *slot = &state->slot[number];
    off_t offset = rand_prepare(state, slot);
    /* As many entries as slots, all submitted before the next are issued. */
    struct io_uring_sqe *entry = io_uring_get_sqe(&state->ring);

    if (state->write)
        io_uring_prep_write(entry, state->fd, slot->buffer,
                            (unsigned) state->size, (__u64) offset);
    else
        io_uring_prep_read(entry, state->fd, slot->buffer,
                           (unsigned) state->size, (__u64) offset);
    io_uring_sqe_set_data64(entry, (__u64) number);
}

/* Takes what has completed and issues anew; how many slots came to rest. */
static int
reap(Rand *state, int64_t *before)
{
    struct io_uring_cqe *done;
    int64_t now = raw_ns();
    int resting = 0;

    while (io_uring_peek_cqe(&state->ring, &done) == 0) {
        int number = (int) io_uring_cqe_get_data64(done);
        RandSlot *slot = &state->slot[number];
        int outcome = done->res;
        io_uring_cqe_seen(&state->ring, done);
        if (state->keep) {
            hist_add(state->keep, (uint64_t) (now - *before));
            *before = now;
        }
        rand_finish(state, slot, outcome);
        if (rand_go_on(state, slot, now))
            issue(state, number);
        else
            resting++;
    }
    return resting;
}

void
rand_ring(Rand *state)
{
    int64_t before = state->begin;
    int busy = state->depth;

    for (int i = 0; i < state->depth; i++)
        issue(state, i);
    while (busy) {
        int error = io_uring_submit_and_wait(&state->ring, 1);
        if (error < 0 && error != -EINTR) {
            state->slot[0].error = -error;
            return;
        }
        busy -= reap(state, &before);
    }
}

void
rand_thread(int number, void *data)
{
    Rand *state = data;
    RandSlot *slot = &state->slot[number];
    int64_t before = state->begin, now;

    if (number >= state->depth)
        return;
    do {
        off_t offset = rand_prepare(state, slot);
        ssize_t outcome =
            state->write ? pwrite(state->fd, slot->buffer, state->size, offset)
                         : pread(state->fd, slot->buffer, state->size, offset);
        now = raw_ns();
        if (state->keep)
            hist_add(state->keep, (uint64_t) (now - before));
        before = now;
        rand_finish(state, slot, outcome < 0 ? -errno : outcome);
    } while (rand_go_on(state, slot, now));
}

void
rand_threads(Rand *state)
{
    if (state->depth == 1)
        rand_thread(0, state);
    else
        crew_round(state->crew);
}
