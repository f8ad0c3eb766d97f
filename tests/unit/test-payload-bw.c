/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mem.bw: passes that were skipped, whole or in part, are noticed. */
#include "guest-payload/wl-bw.c"
#include "guest-payload/memory.c"
#include "payload-workload.h"

#define SET "time=50ms size=1M threads=3"

static void
test_run(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_bw, &run, SET);
    workload_pass(&wl_bw, &run);
    wl_bw.teardown(&run);
}

static void
test_pass_skipped(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_bw, &run, SET);
    workload_pass(&wl_bw, &run);
    wl_bw.teardown(&run);
    workload_begin(&wl_bw, &run, SET);
    ((Triad *) run.state)->passes++;
    workload_fails(&wl_bw, &run, "mem.bw: element 0 of array");
    wl_bw.teardown(&run);
}

/* Thread 1 does nothing in one pass. */
static void
test_part_skipped(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_bw, &run, SET);
    Triad *triad = run.state;
    triad->part = pass_part;
    work_part(0, triad);
    work_part(2, triad);
    triad->passes++;
    workload_fails(&wl_bw, &run, "mem.bw: element 43690 of array 0");
    wl_bw.teardown(&run);
}

/* Sizes: of the parameter, cut to what may be taken, or refused. */
static void
test_sizes(void **state)
{
    Run run;
    Fail fail = {0};
    uint64_t size = 0;

    (void) state;
    assert_true(memory_llc() > 0);
    assert_true(memory_available() > 0);
    workload_begin(&wl_bw, &run, "size=2M");
    assert_true(((Triad *) run.state)->bytes == 2 * MIB);
    assert_true(params_set(&run.params, "size", "1T", &fail));
    assert_true(memory_size(&run, 3, MIB, &size, &fail));
    assert_true(size < MIB * MIB && size <= memory_available());
    assert_false(memory_size(&run, 3, MIB * MIB, &size, &fail));
    assert_non_null(strstr(fail.text, "of the memory available may be taken"));
    assert_true(params_set(&run.params, "size", "4k", &fail));
    assert_false(memory_size(&run, 3, MIB, &size, &fail));
    assert_non_null(strstr(fail.text, "mem.bw: size is below 1024 KiB"));
    wl_bw.teardown(&run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_pass_skipped),
        cmocka_unit_test(test_part_skipped),
        cmocka_unit_test(test_sizes),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
