/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.randwrite: O_DIRECT overwrites in place at random, 1 and 32 in flight.
 * Every place that was written is read back and compared.
 */
#include "guest-payload/rand.h"

extern const Workload wl_randwrite;

static bool
setup(Run *run, Fail *fail)
{
    return rand_setup(run, true, fail);
}

static bool
measure(Run *run, Fail *fail)
{
    return rand_measure(run, "fs.randwrite.qd1", "fs.randwrite.qd32",
                        "fs.randwrite.lat", fail);
}

static bool
check(Run *run, Fail *fail)
{
    const Rand *state = run->state;

    return blocks_verify_rounds(&state->blocks, state->rounds, state->fd, fail);
}

const Workload wl_randwrite = {
    .name = "fs.randwrite",
    .setup = setup,
    .warm_up = rand_warm_up,
    .run = measure,
    .check = check,
    .teardown = rand_teardown,
};
