/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file-system workloads that write a file of their own or rewrite the
 * work file: tampered with, and truncated. */
#include <fcntl.h>

#include "payload-spoil.h"

static void
put_at(const char *path, off_t offset)
{
    int fd = g_open(path, O_WRONLY, 0);

    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, "spoilt", 6, offset), 6);
    close(fd);
}

static void
spoil_work(Agent *agent)
{
    put_at(agent->work, (1 << 20) - 6);
}

static void
shorten_work(Agent *agent)
{
    assert_int_equal(truncate(agent->work, (1 << 20) - 1), 0);
}

static char *
own_file(const Agent *agent, const char *name)
{
    return g_build_filename(agent->dir, WIRE_DISK_DIR, name, NULL);
}

static void
spoil_append(Agent *agent)
{
    g_autofree char *path = own_file(agent, "append");

    put_at(path, 4096 + 100);
}

static void
shorten_append(Agent *agent)
{
    g_autofree char *path = own_file(agent, "append");

    assert_int_equal(truncate(path, 16 * 4096), 0);
}

static void
test_append_spoilt(void **state)
{
    check_spoilt_after(*state, "fs.append", "\"time\":\"100ms\"", "run",
                       spoil_append, "block 1 of the work file");
}

static void
test_append_truncated(void **state)
{
    check_spoilt_after(*state, "fs.append", "\"time\":\"100ms\"", "run",
                       shorten_append, "the file has 65536 bytes");
}

static void
test_rewrite_spoilt(void **state)
{
    check_spoilt_after(*state, "fs.rewrite", "\"file\":\"1M\",\"bs\":\"64k\"",
                       "run", spoil_work, "block 15 of the work file");
}

static void
test_rewrite_truncated(void **state)
{
    check_spoilt_after(*state, "fs.rewrite", "\"file\":\"1M\",\"bs\":\"64k\"",
                       "run", shorten_work, "cannot read back block");
}

static void
spoil_firstwrite(Agent *agent)
{
    g_autofree char *path = own_file(agent, "firstwrite");

    put_at(path, 3 * (1 << 20) + 5000);
}

static void
shorten_firstwrite(Agent *agent)
{
    g_autofree char *path = own_file(agent, "firstwrite");

    assert_int_equal(truncate(path, 1 << 20), 0);
}

static void
test_firstwrite_spoilt(void **state)
{
    check_spoilt_after(*state, "fs.firstwrite", "\"size\":\"16M\"", "run",
                       spoil_firstwrite, "block 3 of the work file");
}

static void
test_firstwrite_truncated(void **state)
{
    check_spoilt_after(*state, "fs.firstwrite", "\"size\":\"16M\"", "run",
                       shorten_firstwrite, "cannot read back block");
}

static void
remove_one(Agent *agent)
{
    g_autofree char *path = own_file(agent, "meta/00000007");

    assert_int_equal(g_unlink(path), 0);
}

/* By the name of one of its own, so that it is cleared away. */
static void
put_one_back(Agent *agent)
{
    g_autofree char *path = own_file(agent, "meta/00000007");

    assert_true(g_file_set_contents(path, "", 0, NULL));
}

static void
test_meta_one_missing(void **state)
{
    check_spoilt_after(*state, "fs.meta", "\"files\":\"100\"", "create",
                       remove_one, "holds 99 files, not 100");
}

static void
test_meta_one_left(void **state)
{
    check_spoilt_after(*state, "fs.meta", "\"files\":\"100\"",
                       "create stat unlink", put_one_back,
                       "holds 1 files, not 0");
}

#define SEEK "\"file\":\"1M\",\"seeks\":\"100\""

static void
test_seek_spoilt(void **state)
{
    check_spoilt_after(*state, "fs.seek", SEEK, "cold", spoil_work,
                       "block 127 of the work file");
}

static void
test_seek_truncated(void **state)
{
    check_spoilt_after(*state, "fs.seek", SEEK, "cold", shorten_work,
                       "cannot read back block");
}

#define DIRECT "\"file\":\"1M\",\"bs\":\"64k\",\"direct\":\"yes\""

static void
test_direct_write_spoilt(void **state)
{
    check_spoilt_after(*state, "fs.seqwrite", DIRECT, "run", spoil_work,
                       "block 15 of the work file");
}

static void
test_direct_read_truncated(void **state)
{
    check_spoilt_after(*state, "fs.seqread", DIRECT, "cold warm", shorten_work,
                       "a read failed");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_append_spoilt),       TEST(test_append_truncated),
        TEST(test_rewrite_spoilt),      TEST(test_rewrite_truncated),
        TEST(test_firstwrite_spoilt),   TEST(test_firstwrite_truncated),
        TEST(test_meta_one_missing),    TEST(test_meta_one_left),
        TEST(test_seek_spoilt),         TEST(test_seek_truncated),
        TEST(test_direct_write_spoilt), TEST(test_direct_read_truncated),
    };

    if (!g_file_test(PAYLOAD, G_FILE_TEST_IS_EXECUTABLE)) {
        g_print("1..0 # SKIP build/vsweep-payload is not built\n");
        return 0;
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
