/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See blocks.h: the stamped blocks.
 */
#include "guest-payload/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Enough that a compressing file system, whose records are at most 1 MiB,
 * never sees the same bytes twice in one of them. */
#define POOL_BYTES ((size_t) 4 << 20)

/* O_DIRECT needs the alignment of a logical block, a page is always right. */
#define ALIGNMENT 4096

#define STAMP_MAGIC UINT64_C(0x7673776565700001)

typedef struct Stamp {
    uint64_t magic, seed, counter, offset;
} Stamp;

void
random_fill(uint64_t seed, void *buffer, size_t size)
{
    unsigned char *out = buffer;

    for (size_t done = 0; done < size; done += sizeof(uint64_t)) {
        uint64_t word = splitmix64(&seed);
        size_t room = size - done;
        memcpy(out + done, &word, room < sizeof(word) ? room : sizeof(word));
    }
}

bool
blocks_init(Blocks *blocks, uint64_t seed, size_t size, uint64_t file_bytes,
            Fail *fail)
{
    uint64_t count = POOL_BYTES / size ? POOL_BYTES / size : 1;
    void *pool;

    if (file_bytes < size)
        return fail_set(fail, EINVAL,
                        "a block of %zu bytes is larger than "
                        "the %llu bytes of the file",
                        size, (unsigned long long) file_bytes);
    if (posix_memalign(&pool, ALIGNMENT, count * size) != 0)
        return fail_set(fail, ENOMEM, "cannot take %llu blocks of %zu bytes",
                        (unsigned long long) count, size);
    random_fill(seed, pool, count * size);
    *blocks = (Blocks){.pool = pool,
                       .size = size,
                       .count = count,
                       .seed = seed,
                       .span = file_bytes / size};
    return true;
}

void
blocks_clear(Blocks *blocks)
{
    free(blocks->pool);
    blocks->pool = NULL;
}

static inline Stamp
stamp_of(const Blocks *blocks, uint64_t counter)
{
    return (Stamp){.magic = STAMP_MAGIC,
                   .seed = blocks->seed,
                   .counter = counter,
                   .offset = counter % blocks->span * blocks->size};
}

bool
blocks_put(Blocks *blocks, int fd)
{
    uint64_t counter = blocks->written;
    unsigned char *block =
        blocks->pool + counter % blocks->count * blocks->size;
    Stamp stamp = stamp_of(blocks, counter);

    memcpy(block, &stamp, sizeof(stamp));
    ssize_t put = pwrite(fd, block, blocks->size, (off_t) stamp.offset);
    if (put != (ssize_t) blocks->size) {
        errno = put < 0 ? errno : EIO;
        return false;
    }
    blocks->written++;
    return true;
}

void
blocks_repeat(Blocks *blocks)
{
    if (blocks->count > blocks->span)
        blocks->count = blocks->span;
    blocks->span -= blocks->span % blocks->count;
}

void
blocks_make(const Blocks *blocks, uint64_t counter, unsigned char *block)
{
    Stamp stamp = stamp_of(blocks, counter);

    memcpy(block, blocks->pool + counter % blocks->count * blocks->size,
           blocks->size);
    memcpy(block, &stamp, sizeof(stamp));
}

bool
blocks_restamp(const Blocks *blocks, uint64_t counter, unsigned char *block)
{
    Stamp want = stamp_of(blocks, counter);
    Stamp next = stamp_of(blocks, counter + blocks->span);

    if (memcmp(block, &want, sizeof(want)) != 0)
        return false;
    memcpy(block, &next, sizeof(next));
    return true;
}

bool
blocks_stamped(const Blocks *blocks, uint64_t counter,
               const unsigned char *block)
{
    Stamp want = stamp_of(blocks, counter);

    return memcmp(block, &want, sizeof(want)) == 0;
}

static bool
block_matches(const Blocks *blocks, uint64_t counter,
              const unsigned char *block)
{
    const unsigned char *source =
        blocks->pool + counter % blocks->count * blocks->size;

    return blocks_stamped(blocks, counter, block) &&
           memcmp(block + sizeof(Stamp), source + sizeof(Stamp),
                  blocks->size - sizeof(Stamp)) == 0;
}

/* How often place `index` was written: as told, or by going round. */
static uint64_t
rounds_of(const Blocks *blocks, const uint32_t *rounds, uint64_t index)
{
    if (rounds)
        return rounds[index];
    return index < blocks->written
               ? (blocks->written - 1 - index) / blocks->span + 1
               : 0;
}

/* Compares what was read from place `index` on. */
static bool
verify_batch(const Blocks *blocks, const uint32_t *rounds, uint64_t index,
             uint64_t batch, const unsigned char *buffer, Fail *fail)
{
    for (uint64_t i = 0; i < batch; i++, index++) {
        uint64_t times = rounds_of(blocks, rounds, index);
        uint64_t counter = index + (times - 1) * blocks->span;
        if (times && !block_matches(blocks, counter, buffer + i * blocks->size))
            return fail_set(fail, EILSEQ,
                            "block %llu of the work file is not what was "
                            "written there",
                            (unsigned long long) index);
    }
    return true;
}

static bool
verify_all(const Blocks *blocks, const uint32_t *rounds, int fd,
           unsigned char *buffer, size_t chunk, Fail *fail)
{
    uint64_t count = !rounds && blocks->written < blocks->span ? blocks->written
                                                               : blocks->span;

    for (uint64_t index = 0; index < count;) {
        uint64_t batch = count - index < chunk ? count - index : chunk;
        size_t want = batch * blocks->size;
        ssize_t got = pread(fd, buffer, want, (off_t) (index * blocks->size));
        if (got != (ssize_t) want)
            return fail_set(fail, got < 0 ? errno : EIO,
                            "cannot read back block %llu of the work file",
                            (unsigned long long) index);
        if (!verify_batch(blocks, rounds, index, batch, buffer, fail))
            return false;
        index += batch;
    }
    return true;
}

bool
blocks_verify_rounds(const Blocks *blocks, const uint32_t *rounds, int fd,
                     Fail *fail)
{
    /* About 1 MiB a read, whole blocks. */
    size_t chunk =
        (size_t) 1 << 20 > blocks->size ? ((size_t) 1 << 20) / blocks->size : 1;
    void *buffer;

    if (!blocks->written)
        return fail_set(fail, 0, "no block was written");
    if (!workfile_evict(fd, false, fail))
        return false;
    if (posix_memalign(&buffer, ALIGNMENT, chunk * blocks->size) != 0)
        return fail_set(fail, ENOMEM, "cannot take memory to read back");
    bool ok = verify_all(blocks, rounds, fd, buffer, chunk, fail);
    free(buffer);
    return ok;
}

bool
blocks_verify(const Blocks *blocks, int fd, Fail *fail)
{
    return blocks_verify_rounds(blocks, NULL, fd, fail);
}
