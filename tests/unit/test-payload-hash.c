/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu.hash: wrong digests are noticed, in the windows and by the check. */
#include "guest-payload/wl-hash.c"
#include "guest-payload/blocks.c"
#include "guest-payload/loop.c"
#include "guest-payload/workfile.c"
#include "payload-workload.h"

static void
test_run(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_hash, &run, "time=50ms");
    workload_pass(&wl_hash, &run);
    wl_hash.teardown(&run);
}

/* A block that is not the one whose digest was taken: what a loop that hashes
 * less, or something else, comes to. */
static void
test_tampered(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_hash, &run, "time=50ms");
    ((Hash *) run.state)->block[BLOCK_BYTES - 1] ^= 1;
    workload_fails(&wl_hash, &run, "results of one are wrong");
    wl_hash.teardown(&run);
}

/* A function that is not SHA-256 agrees with itself all the time. */
static void
test_other_function(void **state)
{
    Run run;

    (void) state;
    workload_begin(&wl_hash, &run, "time=50ms");
    Hash *hash = run.state;
    EVP_MD_free(hash->md);
    hash->md = EVP_MD_fetch(NULL, "SHA512-256", NULL);
    assert_non_null(hash->md);
    assert_true(
        digest(hash, 0, hash->block, sizeof(hash->block), hash->digest));
    workload_fails(&wl_hash, &run, "digest of \"abc\" is wrong");
    wl_hash.teardown(&run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_tampered),
        cmocka_unit_test(test_other_function),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
