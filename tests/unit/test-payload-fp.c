/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu.fp: its result is known, and another one is noticed. */
#include "guest-payload/wl-fp.c"
#include "payload-workload.h"

static void
test_run(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_fp, &run, "time=100ms");
    workload_pass(&wl_fp, &run);
    wl_fp.teardown(&run);
}

static void
test_skipped(void **state)
{
    Run run;

    (void) state;
    assert_true(iterate(START, CHUNK) == RESULT);
    assert_false(iterate(START, CHUNK - 1) == RESULT);
    workload_begin(&wl_fp, &run, "time=100ms");
    workload_pass(&wl_fp, &run);
    ((Fp *) run.state)->wrong = 1;
    workload_check_fails(&wl_fp, &run, "results are wrong");
    wl_fp.teardown(&run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_skipped),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
