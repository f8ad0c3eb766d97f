/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop shared by fs.randread and fs.randwrite: O_DIRECT requests at random
 * places, 1 at a time and then 32, through io_uring; where the kernel has none
 * or forbids it, through one thread per request in flight, which a note says.
 *
 * Places are visited in a shuffled order, each once before any comes again.
 * Request n of a window goes to slot n % depth, and the number of places is a
 * multiple of the depth, so that no two slots ever meet at a place.
 */
#pragma once

#include <liburing.h>
#include <sys/types.h>

#include "guest-payload/blocks.h"
#include "guest-payload/crew.h"
#include "guest-payload/workload.h"

/* METHOD 6.2: .qd32. */
#define RAND_DEPTH 32

typedef struct RandSlot {
    unsigned char *buffer; /* in Rand.buffers */
    uint64_t number;       /* of the request in flight */
    int64_t done;          /* requests finished in this window */
    int error;
} RandSlot;

typedef struct Rand {
    int fd;
    bool write;
    size_t size;     /* of a request */
    uint32_t span;   /* places */
    uint32_t *order; /* the places, shuffled */
    Blocks blocks;
    uint32_t *rounds; /* writing: how often each place was written */
    uint64_t *seen;   /* reading: digest of what each place held, 0: unread */
    void *buffers;
    bool ring_ready;
    struct io_uring ring;
    Crew *crew; /* without a ring */
    RandSlot slot[RAND_DEPTH];
    /* The window. */
    uint64_t base; /* number of its first request */
    int depth;
    int64_t begin, deadline;
    Hist *keep; /* NULL: latencies are not kept; else depth is 1 */
    Hist hist;
} Rand;

/* Offset of the slot's request; its buffer is filled for a write. */
off_t rand_prepare(Rand *state, RandSlot *slot);
/* Takes the outcome, bytes or -errno, and turns to the slot's next request. */
void rand_finish(Rand *state, RandSlot *slot, ssize_t outcome);
/* Of what was read at a place; never 0. */
uint64_t rand_digest(const unsigned char *data, size_t size);
bool rand_go_on(const Rand *state, const RandSlot *slot, int64_t now);

/* Requests until the deadline, then waits for those in flight; errors are in
 * the slots. */
void rand_ring(Rand *state);
void rand_threads(Rand *state);
/* Work of thread `number`, for the crew; data is the Rand. */
void rand_thread(int number, void *data);

/* The workload. */
bool rand_setup(Run *run, bool write, Fail *fail);
bool rand_warm_up(Run *run, Fail *fail);
bool rand_measure(Run *run, const char *metric_1, const char *metric_32,
                  const char *hist_metric, Fail *fail);
void rand_teardown(Run *run);
