/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work file and the blocks written to it.
 *
 * Blocks come from a pool of random bytes, so that neither compression nor
 * zero detection nor deduplication below can shorten the work.  Each block is
 * stamped with the run's seed, a counter and its offset before it is written;
 * the content of block number c is therefore known, and blocks_verify() can
 * say of every byte of the file whether it is what was last written there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest-payload/fail.h"

typedef struct Blocks {
    unsigned char *pool; /* `count` blocks, page-aligned */
    size_t size;         /* of a block, at least 32 */
    uint64_t count;      /* blocks in the pool */
    uint64_t seed;
    uint64_t span;    /* blocks in the part of the file that is used */
    uint64_t written; /* blocks written so far: the next counter */
} Blocks;

/* `file_bytes` of the work file are overwritten from its start, again and
 * again, in blocks of `size` bytes. */
bool blocks_init(Blocks *blocks, uint64_t seed, size_t size,
                 uint64_t file_bytes, Fail *fail);
void blocks_clear(Blocks *blocks);

/* Writes the next block in its place.  False with errno set. */
bool blocks_put(Blocks *blocks, int fd);
/* Reads back, past the page cache, every block written and compares. */
bool blocks_verify(const Blocks *blocks, int fd, Fail *fail);

/* For work that does not go round the file in order: block number `counter`
 * belongs to place counter % span, and place i was written rounds[i] times
 * (0: never), the last time as block i + (rounds[i] - 1) * span. */

/* Trims pool and span so that a place keeps its body from round to round. */
void blocks_repeat(Blocks *blocks);
/* Block `counter` into `block`. */
void blocks_make(const Blocks *blocks, uint64_t counter, unsigned char *block);
/* Whether `block` bears the stamp of block `counter`. */
bool blocks_stamped(const Blocks *blocks, uint64_t counter,
                    const unsigned char *block);
/* Makes block `counter` that of the next round; false when it is another.
 * Only after blocks_repeat(). */
bool blocks_restamp(const Blocks *blocks, uint64_t counter,
                    unsigned char *block);
/* As blocks_verify(); blocks->written need only not be 0. */
bool blocks_verify_rounds(const Blocks *blocks, const uint32_t *rounds, int fd,
                          Fail *fail);

/* Opens DIR/work with these flags; it must hold at least `bytes`. */
bool workfile_open(const char *dir, int flags, uint64_t bytes, int *ret_fd,
                   Fail *fail);
/* Makes DIR/work with `bytes` random bytes, on disk when this returns. */
bool workfile_make(const char *dir, uint64_t bytes, Fail *fail);
/* Drops the file's pages from the page cache.  With `all` the whole cache of
 * the machine, which must be a guest of ours. */
bool workfile_evict(int fd, bool all, Fail *fail);
/* Ratio of the file's first `bytes` that is in the page cache. */
bool workfile_resident(int fd, uint64_t bytes, double *ret_ratio, Fail *fail);

/* SplitMix64, METHOD 4.2. */
static inline uint64_t
splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void random_fill(uint64_t seed, void *buffer, size_t size);
