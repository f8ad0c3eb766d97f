/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See memory.h.
 */
#include "guest-payload/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest-payload/text.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define LLC_UNKNOWN (64 * MIB)
/* Of an array at its default size, see memory.h. */
#define SIZE_FLOOR (256 * MIB)
/* STREAM's rule, METHOD 6.2. */
#define LLC_TIMES 4
/* Levels of cache that sysfs may list, with two first ones. */
#define CACHES 8
#define HUGE_PAGE (2 * MIB)

/* "32768K" */
static uint64_t
cache_size(int index)
{
    char path[96], text[32], *end;

    snprintf(path, sizeof(path),
             "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, "size");
    if (!text_read(path, text, sizeof(text)))
        return 0;
    uint64_t size = strtoull(text, &end, 10);
    return size * (*end == 'M' ? MIB : *end == 'K' ? KIB : 1);
}

uint64_t
memory_llc(void)
{
    static const int levels[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                                 _SC_LEVEL2_CACHE_SIZE};
    uint64_t largest = 0;

    for (int i = 0; i < CACHES; i++) {
        uint64_t size = cache_size(i);
        largest = size > largest ? size : largest;
    }
    for (size_t i = 0; !largest && i < sizeof(levels) / sizeof(*levels); i++) {
        long size = sysconf(levels[i]);
        largest = size > 0 ? (uint64_t) size : 0;
    }
    return largest ? largest : LLC_UNKNOWN;
}

/* A number in a file of this process's control group (version 2). */
static bool
group_number(const char *name, uint64_t *ret)
{
    char groups[1024], path[1200], text[32], *end;

    if (!text_read("/proc/self/cgroup", groups, sizeof(groups)))
        return false;
    const char *own = strstr(groups, "0::/");
    if (!own)
        return false;
    own += strlen("0::");
    snprintf(path, sizeof(path), "/sys/fs/cgroup%.*s/%s",
             (int) strcspn(own, "\n"), own, name);
    if (!text_read(path, text, sizeof(text)))
        return false;
    *ret = strtoull(text, &end, 10); /* "max" is no number */
    return end != text;
}

uint64_t
memory_available(void)
{
    char text[4096], value[32];
    uint64_t bytes = 0, limit, used;

    if (text_read("/proc/meminfo", text, sizeof(text)) &&
        text_field(text, "MemAvailable", value, sizeof(value)))
        bytes = strtoull(value, NULL, 10) * KIB;
    else
        bytes = (uint64_t) sysconf(_SC_AVPHYS_PAGES) *
                (uint64_t) sysconf(_SC_PAGESIZE);
    if (group_number("memory.max", &limit) &&
        group_number("memory.current", &used)) {
        uint64_t left = limit > used ? limit - used : 0;
        bytes = left < bytes ? left : bytes;
    }
    return bytes;
}

static bool
tell_bytes(Run *run, const char *name, uint64_t bytes, Fail *fail)
{
    char text[32];

    snprintf(text, sizeof(text), "%llu", (unsigned long long) bytes);
    return run_fact(run, name, text, fail);
}

static bool
tell(Run *run, uint64_t size, uint64_t wanted, Fail *fail)
{
    return tell_bytes(run, "llc", memory_llc(), fail) &&
           tell_bytes(run, "size", size, fail) &&
           (size == wanted || tell_bytes(run, "size_wanted", wanted, fail));
}

/* Between `least` and `most`, else why not. */
static bool
settle_size(Run *run, uint64_t wanted, uint64_t most, uint64_t least,
            uint64_t *ret, Fail *fail)
{
    uint64_t size = (wanted < most ? wanted : most) & ~(4 * KIB - 1);

    if (wanted < least)
        return fail_set(fail, EINVAL, "%s: size is below %llu KiB",
                        run->info->name, (unsigned long long) (least / KIB));
    if (size < least)
        return fail_set(fail, ENOMEM,
                        "%s: an array of %llu KiB is needed, at most %llu KiB "
                        "of the memory available may be taken",
                        run->info->name, (unsigned long long) (least / KIB),
                        (unsigned long long) (most / KIB));
    if (!tell(run, size, wanted, fail))
        return false;
    *ret = size;
    return true;
}

bool
memory_size(Run *run, unsigned arrays, uint64_t least, uint64_t *ret,
            Fail *fail)
{
    uint64_t wanted = params_get(&run->params, "size");
    uint64_t llc = memory_llc();

    if (!wanted)
        wanted = llc * LLC_TIMES > SIZE_FLOOR ? llc * LLC_TIMES : SIZE_FLOOR;
    return settle_size(run, wanted, memory_available() / 2 / arrays, least, ret,
                       fail);
}

bool
memory_share(Run *run, uint64_t least, uint64_t *ret, Fail *fail)
{
    uint64_t most =
        memory_available() / 100 * params_get(&run->params, "share");
    uint64_t size = params_get(&run->params, "size");

    return settle_size(run, size ? size : most, most, least, ret, fail);
}

/* Maps more than is wanted, to cut an aligned piece out of it. */
bool
memory_map(uint64_t size, Pages pages, void **ret, Fail *fail)
{
    static const int advice[] = {
        [PAGES_SMALL] = MADV_NOHUGEPAGE,
        [PAGES_HUGE] = MADV_HUGEPAGE,
    };
    unsigned char *start =
        mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (start == MAP_FAILED)
        return fail_set(fail, errno, "cannot map %llu bytes",
                        (unsigned long long) size);
    size_t before = -(uintptr_t) start & (HUGE_PAGE - 1);
    if (before)
        munmap(start, before);
    munmap(start + before + size, HUGE_PAGE - before);
    if (pages != PAGES_ANY)
        madvise(start + before, size, advice[pages]);
    *ret = start + before;
    return true;
}

void
memory_unmap(void *memory, uint64_t size)
{
    if (memory)
        munmap(memory, size);
}
