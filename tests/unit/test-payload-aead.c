/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu.aead: messages that are not encrypted whole are noticed. */
#include "guest-payload/wl-aead.c"
#include "guest-payload/blocks.c"
#include "guest-payload/loop.c"
#include "guest-payload/workfile.c"
#include "payload-workload.h"

static void
test_run(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_aead, &run, "time=50ms");
    workload_pass(&wl_aead, &run);
    wl_aead.teardown(&run);
}

static void
test_tampered(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_aead, &run, "time=50ms");
    ((Aead *) run.state)->block[7] ^= 1;
    workload_fails(&wl_aead, &run, "results of aes are wrong");
    wl_aead.teardown(&run);
}

/* The tag of the second cipher alone is another. */
static void
test_tag(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_aead, &run, "time=50ms");
    workload_pass(&wl_aead, &run);
    ((Aead *) run.state)->tag[CHACHA][0] ^= 1;
    workload_check_fails(&wl_aead, &run,
                         "does not decrypt with ChaCha20-Poly1305");
    wl_aead.teardown(&run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_tampered),
        cmocka_unit_test(test_tag),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
