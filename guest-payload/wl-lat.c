/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.lat: the latency of memory, as lmbench defines it: loads that each wait
 * for the one before, at random over four times the last-level cache.  In huge
 * pages unless told, so that it is the memory and not the TLB (see mem.tlb).
 */
#include "guest-payload/chase.h"

extern const Workload wl_lat;

/* Less lies in every cache there is. */
#define LEAST_BYTES (UINT64_C(1) << 20)

static bool
setup_lat(Run *run, Fail *fail)
{
    uint64_t bytes;

    return memory_size(run, 1, LEAST_BYTES, &bytes, fail) &&
           chase_setup(run, bytes, CHASE_LINE, fail);
}

const Workload wl_lat = {
    .name = "mem.lat",
    .setup = setup_lat,
    .warm_up = chase_warm_up,
    .run = chase_measure,
    .check = chase_check,
    .teardown = chase_teardown,
};
