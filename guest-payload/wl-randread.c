/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.randread: O_DIRECT reads at random from the pre-filled file, 1 and 32 in
 * flight.  Of each place a digest is kept, with a word of every sector, and
 * compared with what the place holds afterwards.
 */
#include <errno.h>
#include <unistd.h>

#include "guest-payload/rand.h"

extern const Workload wl_randread;

static bool
setup(Run *run, Fail *fail)
{
    return rand_setup(run, false, fail);
}

static bool
measure(Run *run, Fail *fail)
{
    return rand_measure(run, "fs.randread.qd1", "fs.randread.qd32",
                        "fs.randread.lat", fail);
}

static bool
check_place(Rand *state, uint32_t place, Fail *fail)
{
    RandSlot *slot = &state->slot[0];
    ssize_t got = pread(state->fd, slot->buffer, state->size,
                        (off_t) place * (off_t) state->size);

    if (got != (ssize_t) state->size)
        return fail_set(fail, got < 0 ? errno : EIO,
                        "fs.randread: cannot read place %u again", place);
    if (rand_digest(slot->buffer, state->size) != state->seen[place])
        return fail_set(fail, EILSEQ,
                        "fs.randread: what was read of place %u is not what "
                        "the work file holds",
                        place);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    Rand *state = run->state;
    uint32_t read = 0;

    for (uint32_t place = 0; place < state->span; place++) {
        if (!state->seen[place])
            continue;
        if (!stop_check(fail) || !check_place(state, place, fail))
            return false;
        read++;
    }
    return read || fail_set(fail, 0, "fs.randread: nothing was read");
}

const Workload wl_randread = {
    .name = "fs.randread",
    .setup = setup,
    .warm_up = rand_warm_up,
    .run = measure,
    .check = check,
    .teardown = rand_teardown,
};
