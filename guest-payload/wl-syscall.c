/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.syscall: the shortest way into the kernel and back, getppid through
 * syscall(2), past anything the C library may remember.  It shows what the
 * CPU model and the mitigations that follow from it cost.
 *
 * What the calls return is compared with the parent that /proc tells of.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest-payload/perop.h"
#include "guest-payload/text.h"

extern const Workload wl_syscall;

/* Calls between two looks at the clock: about 0.1 ms natively. */
#define SYSCALL_BATCH 1024

static void
syscall_batch(PerOp *state, unsigned count)
{
    int64_t right = 0;

    while (count--)
        right += syscall(SYS_getppid) == (long) state->expected;
    state->right += right;
}

static bool
syscall_setup(Run *run, Fail *fail)
{
    char status[4096], parent[16];
    unsigned pid;

    if (!text_read("/proc/self/status", status, sizeof(status)) ||
        !text_field(status, "PPid", parent, sizeof(parent)) ||
        sscanf(parent, "%u", &pid) != 1)
        return fail_set(fail, 0, "cpu.syscall: /proc has no parent process");
    return perop_setup(run, pid, fail);
}

static bool
syscall_warm_up(Run *run, Fail *fail)
{
    return perop_warm_up(run, syscall_batch, SYSCALL_BATCH, fail);
}

static bool
syscall_measure(Run *run, Fail *fail)
{
    return perop_measure(run, syscall_batch, SYSCALL_BATCH, "cpu.syscall.time",
                         fail);
}

const Workload wl_syscall = {
    .name = "cpu.syscall",
    .setup = syscall_setup,
    .warm_up = syscall_warm_up,
    .run = syscall_measure,
    .check = perop_check,
    .teardown = perop_teardown,
};
