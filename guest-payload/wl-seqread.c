/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.seqread: one sequential read of the pre-filled file with cold caches
 * (the guest's dropped here, the host's by vsweep at the cold phase), and
 * the same again at once with warm ones.  The two are never pooled.
 *
 * What was read is proved by a digest of one word of every page: taking it
 * costs next to nothing inside the window, and a page that was not read, or
 * holds something else, changes it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest-payload/blocks.h"
#include "guest-payload/workload.h"

extern const Workload wl_seqread;

#define PAGE 4096
/* The unmeasured iteration reads this part of the file. */
#define WARM_UP_PART 16
/* More than this of the file in the page cache is not cold (METHOD 0.3). */
#define RESIDENT_MAX 0.01

typedef enum { PASS_COLD, PASS_WARM, PASSES } Pass;

typedef struct SeqRead {
    int fd;
    unsigned char *buffer;
    size_t size;
    uint64_t count; /* records */
    uint64_t read[PASSES];
    uint64_t digest[PASSES];
} SeqRead;

static bool
setup(Run *run, Fail *fail)
{
    uint64_t bytes = params_get(&run->params, "file");
    int direct = params_get(&run->params, "direct") ? O_DIRECT : 0;
    SeqRead *state = calloc(1, sizeof(*state));
    void *buffer;

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up fs.seqread");
    state->fd = -1;
    run->state = state;
    state->size = params_get(&run->params, "bs");
    state->count = bytes / state->size;
    if (state->size % PAGE != 0 || !state->count)
        return fail_set(fail, EINVAL,
                        "fs.seqread: bs is not a multiple of "
                        "4096, or larger than the file");
    if (posix_memalign(&buffer, PAGE, state->size) != 0)
        return fail_set(fail, ENOMEM, "cannot take a buffer for fs.seqread");
    memset(buffer, 0xff, state->size); /* faulted in before the window */
    state->buffer = buffer;
    return workfile_open(run->dir, O_RDONLY | direct, bytes, &state->fd, fail);
}

/* One word a page, at another place in each, folded in order. */
static uint64_t
fold(uint64_t digest, const unsigned char *data, size_t size)
{
    for (size_t page = 0; page < size; page += PAGE) {
        uint64_t word;
        memcpy(&word, data + page + page / PAGE * 8 % PAGE, sizeof(word));
        digest = (digest ^ word) * UINT64_C(0x100000001B3);
    }
    return digest;
}

/* Reads records from the start of the file.  False with errno set; the
 * number of records read is in *ret_read either way. */
static bool
read_records(SeqRead *state, uint64_t count, uint64_t *ret_read,
             uint64_t *ret_digest)
{
    uint64_t digest = 0, done = 0;
    bool ok = true;

    for (; ok && done < count && !stop_requested(); done += ok) {
        ssize_t got = pread(state->fd, state->buffer, state->size,
                            (off_t) (done * state->size));
        ok = got == (ssize_t) state->size;
        if (ok)
            digest = fold(digest, state->buffer, state->size);
        else if (got >= 0)
            errno = EIO;
    }
    *ret_read = done;
    *ret_digest = digest;
    return ok;
}

static bool
read_failed(Fail *fail)
{
    return fail_set(fail, errno, "fs.seqread: a read failed");
}

static bool
warm_up(Run *run, Fail *fail)
{
    SeqRead *state = run->state;
    uint64_t part = state->count / WARM_UP_PART, read, digest;

    return read_records(state, part ? part : 1, &read, &digest) ||
           read_failed(fail);
}

/* Drops the guest's caches and proves it. */
static bool
make_cold(Run *run, Fail *fail)
{
    SeqRead *state = run->state;
    double resident;

    if (!workfile_evict(state->fd, run->drop_caches, fail) ||
        !workfile_resident(state->fd, state->count * state->size, &resident,
                           fail))
        return false;
    if (resident > RESIDENT_MAX)
        return fail_set(fail, ENOTSUP,
                        "fs.seqread: %.0f %% of the work file "
                        "stays in the page cache (a file system in memory?)",
                        resident * 100);
    return true;
}

static bool
pass(Run *run, Pass which, const char *phase, const char *metric, Fail *fail)
{
    SeqRead *state = run->state;

    if (!window_open(run, phase, which == PASS_COLD, fail))
        return false;
    if (!read_records(state, state->count, &state->read[which],
                      &state->digest[which]))
        return read_failed(fail);
    if (!window_close(run, (int64_t) state->count, fail))
        return false;
    double megabytes = (double) (state->count * state->size) / 1e6;
    result_sample(run, metric, window_rate(run, megabytes),
                  (int64_t) state->count);
    return true;
}

static bool
measure(Run *run, Fail *fail)
{
    return make_cold(run, fail) &&
           pass(run, PASS_COLD, "cold", "fs.seqread.cold", fail) &&
           pass(run, PASS_WARM, "warm", "fs.seqread.warm", fail);
}

/* A third pass, from the disk again, is what the two must agree with. */
static bool
check(Run *run, Fail *fail)
{
    SeqRead *state = run->state;
    uint64_t read, digest;

    if (!workfile_evict(state->fd, false, fail))
        return false;
    if (!read_records(state, state->count, &read, &digest))
        return read_failed(fail);
    for (int i = 0; i < PASSES; i++)
        if (state->read[i] != state->count || state->digest[i] != digest)
            return fail_set(fail, EILSEQ,
                            "fs.seqread: what was read is not "
                            "what the work file holds");
    return stop_check(fail);
}

static void
teardown(Run *run)
{
    SeqRead *state = run->state;

    if (!state)
        return;
    if (state->fd >= 0)
        close(state->fd);
    free(state->buffer);
    free(state);
}

const Workload wl_seqread = {
    .name = "fs.seqread",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
