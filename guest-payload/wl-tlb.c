/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.tlb: loads at random, one a page, over half of the memory available.
 * With pages of 4 KiB, as it has unless told, each misses the TLB, so the walk
 * of the page tables shows: in a guest the walk of two of them, which huge
 * pages of the host shorten.
 */
#include "guest-payload/chase.h"

extern const Workload wl_tlb;

#define TLB_PAGE UINT64_C(4096)
/* As many pages as the second-level TLB of today's CPUs holds at least. */
#define LEAST_TLB_BYTES (1024 * TLB_PAGE)

static bool
setup_tlb(Run *run, Fail *fail)
{
    uint64_t bytes;

    return memory_share(run, LEAST_TLB_BYTES, &bytes, fail) &&
           chase_setup(run, bytes, TLB_PAGE, fail);
}

const Workload wl_tlb = {
    .name = "mem.tlb",
    .setup = setup_tlb,
    .warm_up = chase_warm_up,
    .run = chase_measure,
    .check = chase_check,
    .teardown = chase_teardown,
};
