/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.exit: CPUID, which a guest with hardware support cannot execute without
 * the hypervisor: each one is an exit from the guest and the way back.  On
 * the host the figure is what the bare instruction costs.
 *
 * What it says is compared with the vendor that the kernel names.
 */
#include <cpuid.h>
#include <string.h>

#include "guest-payload/perop.h"
#include "guest-payload/text.h"

extern const Workload wl_exit;

/* Instructions between two looks at the clock: about 10 us natively, and
 * 20 ms where an exit goes through two hypervisors. */
#define EXIT_BATCH 256
/* Of "GenuineIntel" the part that leaf 0 gives in EBX and EDX. */
#define VENDOR_BYTES 8

static void
exit_batch(PerOp *state, unsigned count)
{
    unsigned eax, ebx, ecx, edx;
    int64_t right = 0;

    while (count--) {
        __cpuid(0, eax, ebx, ecx, edx);
        right += (ebx | (uint64_t) edx << 32) == state->expected;
    }
    state->right += right;
}

static bool
exit_setup(Run *run, Fail *fail)
{
    char cpuinfo[4096], vendor[64];
    uint64_t expected;

    if (!text_read("/proc/cpuinfo", cpuinfo, sizeof(cpuinfo)) ||
        !text_field(cpuinfo, "vendor_id", vendor, sizeof(vendor)) ||
        strlen(vendor) < VENDOR_BYTES)
        return fail_set(fail, 0, "cpu.exit: /proc/cpuinfo names no vendor");
    memcpy(&expected, vendor, VENDOR_BYTES);
    return perop_setup(run, expected, fail);
}

static bool
exit_warm_up(Run *run, Fail *fail)
{
    return perop_warm_up(run, exit_batch, EXIT_BATCH, fail);
}

static bool
exit_measure(Run *run, Fail *fail)
{
    return perop_measure(run, exit_batch, EXIT_BATCH, "cpu.exit.time", fail);
}

const Workload wl_exit = {
    .name = "cpu.exit",
    .setup = exit_setup,
    .warm_up = exit_warm_up,
    .run = exit_measure,
    .check = perop_check,
    .teardown = perop_teardown,
};
