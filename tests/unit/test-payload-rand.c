/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fs.randread and fs.randwrite: tampered with, truncated, and without
 * io_uring. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "payload-spoil.h"

#define PARAMS "\"file\":\"1M\",\"time\":\"100ms\""

/* Every place of the part in use, so that the ones visited are among them. */
static void
spoil_all(Agent *agent)
{
    g_autofree char *data = g_malloc0(1 << 20);
    int fd = g_open(agent->work, O_WRONLY, 0);

    assert_int_equal(pwrite(fd, data, 1 << 20, 0), 1 << 20);
    close(fd);
}

static void
spoil_length(Agent *agent)
{
    assert_int_equal(truncate(agent->work, 0), 0);
}

static void
test_read_spoilt(void **state)
{
    check_spoilt_after(*state, "fs.randread", PARAMS, "cold.qd1 cold.qd32",
                       spoil_all, "is not what the work file holds");
}

static void
test_read_truncated(void **state)
{
    check_spoilt_after(*state, "fs.randread", PARAMS, "cold.qd1 cold.qd32",
                       spoil_length, "cannot read place");
}

static void
test_write_spoilt(void **state)
{
    check_spoilt_after(*state, "fs.randwrite", PARAMS, "qd1 qd32", spoil_all,
                       "is not what was written there");
}

static void
test_write_truncated(void **state)
{
    check_spoilt_after(*state, "fs.randwrite", PARAMS, "qd1 qd32", spoil_length,
                       "cannot read back block 0");
}

/* ------------------------------------------------------- without io_uring */

/* From here on this process and its children have no io_uring. */
static void
forbid_io_uring(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = G_N_ELEMENTS(code), .filter = code};

    assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static int
setup_without(void **state)
{
    forbid_io_uring();
    return setup(state);
}

/* The fact says so, and every figure is there. */
static void
check_threads(Agent *agent, const char *workload, const char *fact,
              const char *first, const char *second)
{
    g_autofree char *one =
        g_strdup_printf("{\"name\":\"%s\",\"params\":{" PARAMS "}}", workload);
    int hists = 0, samples = 0;

    greet(agent, one);
    json_t *note = expect(agent, "note");
    const char *engine = text_of(json_object_get(note, "facts"), fact);
    assert_non_null(engine);
    assert_string_equal(engine, "threads: no io_uring: Operation not "
                                "permitted");
    json_decref(note);
    say_go(agent, pass_window(agent, first));
    say_go(agent, pass_window(agent, second));
    while (samples < 2) {
        json_t *line = next(agent);
        hists += strcmp(type_of(line), "hist") == 0;
        samples += strcmp(type_of(line), "sample") == 0;
        assert_int_not_equal(hists + samples, 0);
        json_decref(line);
    }
    assert_true(hists > 0);
    expect_done(agent);
}

static void
test_read_threads(void **state)
{
    check_threads(*state, "fs.randread", "fs.randread.engine", "cold.qd1",
                  "cold.qd32");
}

static void
test_write_threads(void **state)
{
    check_threads(*state, "fs.randwrite", "fs.randwrite.engine", "qd1", "qd32");
}

static void
test_write_threads_spoilt(void **state)
{
    Agent *agent = *state;
    json_int_t seq;

    greet(agent, "{\"name\":\"fs.randwrite\",\"params\":{" PARAMS "}}");
    json_decref(expect(agent, "note"));
    say_go(agent, pass_window(agent, "qd1"));
    seq = pass_window(agent, "qd32");
    spoil_all(agent);
    say_go(agent, seq);
    json_decref(expect(agent, "error"));
    expect_done(agent);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define WITHOUT(name) \
    cmocka_unit_test_setup_teardown(name, setup_without, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_read_spoilt),
        TEST(test_read_truncated),
        TEST(test_write_spoilt),
        TEST(test_write_truncated),
        /* Last: the filter stays. */
        WITHOUT(test_read_threads),
        WITHOUT(test_write_threads),
        WITHOUT(test_write_threads_spoilt),
    };

    if (!g_file_test(PAYLOAD, G_FILE_TEST_IS_EXECUTABLE)) {
        g_print("1..0 # SKIP build/vsweep-payload is not built\n");
        return 0;
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
