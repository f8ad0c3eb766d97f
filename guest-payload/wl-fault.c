/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.fault: what the first touch of a page costs: mmap() of anonymous memory
 * and one store in each of its pages, again and again.  Giving the memory back
 * lies between the spans that count.  The warm-up has touched as much, so that
 * the host's own first touch of a guest's memory is not in it.
 *
 * Each store leaves a stamp of the round and the page.  All pages of the last
 * round are read back, each nothing but zeros behind its stamp, and the kernel
 * must have counted the faults of all rounds.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "guest-payload/memory.h"

extern const Workload wl_fault;

#define PAGE UINT64_C(4096)
/* Less, and the system calls show beside the faults. */
#define LEAST_BYTES (256 * PAGE)

typedef struct Faults {
    void *memory; /* of the last round */
    uint64_t bytes, pages;
    uint64_t rounds;
    int64_t span; /* ns of the rounds that count */
    long counted; /* faults in the window, by the kernel */
    uint64_t seed;
    Pages kind;
} Faults;

static uint64_t
stamp(const Faults *faults, uint64_t page)
{
    return (faults->seed ^ faults->rounds << 40 ^ page) | 1; /* never 0 */
}

/* One round: gives back the last one's memory, takes and touches new. */
static bool
take_round(Faults *faults, Fail *fail)
{
    memory_unmap(faults->memory, faults->bytes);
    faults->memory = NULL;
    faults->rounds++;
    int64_t t0 = raw_ns();
    if (!memory_map(faults->bytes, faults->kind, &faults->memory, fail))
        return false;
    for (uint64_t i = 0; i < faults->pages; i++) {
        uint64_t *page = (uint64_t *) faults->memory + i * PAGE / 8;
        *(volatile uint64_t *) page = stamp(faults, i);
    }
    faults->span += raw_ns() - t0;
    return true;
}

static bool
setup(Run *run, Fail *fail)
{
    Faults *faults = calloc(1, sizeof(*faults));

    if (!faults)
        return fail_set(fail, ENOMEM, "cannot set up mem.fault");
    run->state = faults;
    faults->seed = run->seed;
    faults->kind = (Pages) params_get(&run->params, "pages");
    if (!memory_size(run, 1, LEAST_BYTES, &faults->bytes, fail))
        return false;
    faults->pages = faults->bytes / PAGE;
    return true;
}

static bool
warm_up(Run *run, Fail *fail)
{
    return take_round(run->state, fail) && stop_check(fail);
}

static long
faults_counted(void)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static bool
measure(Run *run, Fail *fail)
{
    Faults *faults = run->state;
    int64_t time = (int64_t) params_get(&run->params, "time");

    faults->rounds = 0;
    faults->span = 0;
    faults->counted = -faults_counted();
    if (!window_open(run, "touch", false, fail))
        return false;
    do
        if (!take_round(faults, fail))
            return false;
    while (raw_ns() < run->t0 + time && !stop_requested());
    int64_t pages = (int64_t) (faults->rounds * faults->pages);
    if (!window_close(run, pages, fail))
        return false;
    faults->counted += faults_counted();
    result_sample(run, "mem.fault.page", (double) faults->span / (double) pages,
                  pages);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    static const unsigned char zeros[PAGE - sizeof(uint64_t)];
    const Faults *faults = run->state;
    uint64_t touched = faults->rounds * faults->pages;

    for (uint64_t i = 0; i < faults->pages; i++) {
        const uint64_t *page = (uint64_t *) faults->memory + i * PAGE / 8;
        if (page[0] != stamp(faults, i) ||
            memcmp(page + 1, zeros, sizeof(zeros)) != 0)
            return fail_set(fail, 0,
                            "mem.fault: page %llu does not hold what was "
                            "stored in it",
                            (unsigned long long) i);
    }
    if (faults->kind == PAGES_SMALL && (uint64_t) faults->counted < touched)
        return fail_set(fail, 0,
                        "mem.fault: %llu pages were touched, the kernel "
                        "counted %ld faults",
                        (unsigned long long) touched, faults->counted);
    return true;
}

static void
teardown(Run *run)
{
    Faults *faults = run->state;

    if (!faults)
        return;
    memory_unmap(faults->memory, faults->bytes);
    free(faults);
}

const Workload wl_fault = {
    .name = "mem.fault",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
