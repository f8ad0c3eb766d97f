/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mem.lat and mem.tlb: a chase that was cut short, or leaves words out, is
 * noticed. */
#include "guest-payload/chase.c"
#include "guest-payload/memory.c"
#include "guest-payload/wl-lat.c"
#include "guest-payload/wl-tlb.c"
#include "payload-workload.h"

static const struct {
    const Workload *workload;
    const char *set;
} cases[] = {
    {&wl_lat, "time=50ms size=1M"},
    {&wl_tlb, "time=50ms size=4M"},
};

#define EACH_CASE(i) for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)

static void
test_run(void **state)
{
    Run run;

    (void) state;
    EACH_CASE(i)
    {
        workload_begin(cases[i].workload, &run, cases[i].set);
        workload_pass(cases[i].workload, &run);
        cases[i].workload->teardown(&run);
    }
}

/* One load fewer than reported. */
static void
test_skipped(void **state)
{
    Run run;

    (void) state;
    EACH_CASE(i)
    {
        workload_begin(cases[i].workload, &run, cases[i].set);
        workload_pass(cases[i].workload, &run);
        ((Chase *) run.state)->loads++;
        workload_check_fails(cases[i].workload, &run, "did not end where");
        cases[i].workload->teardown(&run);
    }
}

/* Exchanging two successors cuts a cycle in two. */
static void
test_short_cycle(void **state)
{
    Run run;

    (void) state;
    EACH_CASE(i)
    {
        workload_begin(cases[i].workload, &run, cases[i].set);
        Chase *chase = run.state;
        void *swap = *word(chase, 1);
        *word(chase, 1) = *word(chase, 2);
        *word(chase, 2) = swap;
        workload_fails(cases[i].workload, &run, "the chase visits only");
        cases[i].workload->teardown(&run);
    }
}

/* The words of mem.tlb lie one in a page, in all lines of it. */
static void
test_places(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_tlb, &run, "size=4M");
    const Chase *chase = run.state;
    for (uint64_t i = 0; i < chase->count; i++) {
        uint64_t place =
            (uint64_t) ((unsigned char *) word(chase, i) - chase->memory);
        assert_true(place / 4096 == i && place % 4096 / 64 == i % 64);
    }
    wl_tlb.teardown(&run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_skipped),
        cmocka_unit_test(test_short_cycle),
        cmocka_unit_test(test_places),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
