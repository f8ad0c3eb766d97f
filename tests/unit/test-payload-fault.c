/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mem.fault: pages that were not touched are noticed. */
#include "guest-payload/wl-fault.c"
#include "guest-payload/memory.c"
#include "payload-workload.h"

#define SET "time=50ms size=1M"

static void
test_run(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_fault, &run, SET);
    workload_pass(&wl_fault, &run);
    wl_fault.teardown(&run);
}

/* The last page as it comes from the kernel. */
static void
test_page_skipped(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_fault, &run, SET);
    workload_pass(&wl_fault, &run);
    Faults *faults = run.state;
    unsigned char *page =
        (unsigned char *) faults->memory + (faults->pages - 1) * PAGE;
    memset(page, 0, sizeof(uint64_t));
    workload_check_fails(&wl_fault, &run, "page 255 does not hold");
    *(uint64_t *) page = stamp(faults, faults->pages - 1);
    page[PAGE - 1] = 1;
    workload_check_fails(&wl_fault, &run, "page 255 does not hold");
    wl_fault.teardown(&run);
}

/* More rounds reported than the kernel saw. */
static void
test_round_skipped(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_fault, &run, SET);
    workload_pass(&wl_fault, &run);
    ((Faults *) run.state)->counted /= 2;
    workload_check_fails(&wl_fault, &run, "the kernel counted");
    wl_fault.teardown(&run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_page_skipped),
        cmocka_unit_test(test_round_skipped),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
