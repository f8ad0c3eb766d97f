/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines over a socket pair: what an honest payload and a hostile one send. */
#include "vm-util.h"
#include <fcntl.h>
#include <sys/socket.h>
#include "base/signals.h"
#include "guest-payload/wire.h"
#include "vm/channel.h"

typedef struct Pair {
    Channel *channel;
    int peer;
} Pair;

static int
open_pair(void **state)
{
    Pair *pair = g_new0(Pair, 1);
    int ends[2] = {-1, -1};

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pair->channel = channel_open_fd(ends[0]);
    pair->peer = ends[1];
    *state = pair;
    return 0;
}

static void
hang_up(Pair *pair)
{
    if (pair->peer >= 0)
        close(pair->peer);
    pair->peer = -1;
}

static int
close_pair(void **state)
{
    Pair *pair = *state;

    channel_close(pair->channel);
    hang_up(pair);
    g_free(pair);
    return 0;
}

static void
say_bytes(Pair *pair, const char *data, gsize size)
{
    assert_int_equal(write(pair->peer, data, size), size);
}

static void
say(Pair *pair, const char *text)
{
    say_bytes(pair, text, strlen(text));
}

static void
expect_line(Pair *pair, const char *wanted)
{
    g_autofree char *line = NULL;

    assert_int_equal(channel_next(pair->channel, vm_soon(), &line),
                     CHANNEL_LINE);
    assert_string_equal(line, wanted);
}

static void
expect(Pair *pair, ChannelEvent wanted)
{
    char *line = NULL;

    assert_int_equal(channel_next(pair->channel, vm_soon(), &line), wanted);
    assert_null(line);
}

static void
splits_lines(void **state)
{
    Pair *pair = *state;

    say(pair, "one\ntwo\n\nhal");
    expect_line(pair, "one");
    expect_line(pair, "two");
    expect_line(pair, "");
    say(pair, "f \303\274\n");
    expect_line(pair, "half \303\274");
}

static void
delivers_before_eof(void **state)
{
    Pair *pair = *state;

    say(pair, "last\nnot a line");
    hang_up(pair);
    expect_line(pair, "last");
    expect(pair, CHANNEL_EOF);
    expect(pair, CHANNEL_EOF);
}

static void
times_out(void **state)
{
    Pair *pair = *state;
    char *line = NULL;

    assert_int_equal(
        channel_next(pair->channel, clock_raw_ns() + CLOCK_NS_PER_MS, &line),
        CHANNEL_TIMEOUT);
    /* What has come is delivered even past the deadline. */
    say(pair, "late\n");
    assert_int_equal(channel_next(pair->channel, 0, &line), CHANNEL_LINE);
    assert_string_equal(line, "late");
    g_free(line);
}

static void
refuses_bytes_that_are_no_text(void **state)
{
    Pair *pair = *state;

    say_bytes(pair, "a\0b\n", 4);
    say(pair, "\xff\xfe\n");
    say(pair, "\xc3\n");
    say(pair, "good\n");
    expect(pair, CHANNEL_RUBBISH);
    expect(pair, CHANNEL_RUBBISH);
    expect(pair, CHANNEL_RUBBISH);
    expect_line(pair, "good");
}

/* In a child, since a socket holds less than one line. */
static pid_t
say_elsewhere(Pair *pair, const char *unit, gsize times, const char *end)
{
    pid_t pid = fork();

    if (pid == 0) {
        for (gsize i = 0; i < times; i++)
            if (write(pair->peer, unit, strlen(unit)) < 0)
                _exit(1);
        _exit(write(pair->peer, end, strlen(end)) < 0);
    }
    return pid;
}

static void
limits_the_length_of_a_line(void **state)
{
    Pair *pair = *state;
    g_autofree char *longest = g_strnfill(WIRE_LINE_MAX - 1, 'x');
    g_autofree char *chunk = g_strnfill(1024, 'y');
    pid_t pid = say_elsewhere(pair, longest, 1, "\n");

    expect_line(pair, longest);
    vm_wait(pid);
    /* Exactly one byte too many. */
    pid = say_elsewhere(pair, longest, 1, "x\nnext\n");
    expect(pair, CHANNEL_RUBBISH);
    expect_line(pair, "next");
    vm_wait(pid);
    /* Three limits long, and the rest of it is not taken for lines. */
    pid = say_elsewhere(pair, chunk, 3 * WIRE_LINE_MAX / 1024 - 1, "\nnext\n");
    expect(pair, CHANNEL_RUBBISH);
    expect(pair, CHANNEL_RUBBISH);
    expect_line(pair, "next");
    vm_wait(pid);
}

static void
limits_the_number_of_lines(void **state)
{
    Pair *pair = *state;
    pid_t pid = say_elsewhere(pair, "{}\n", WIRE_LINES_MAX + 5, "");

    for (int i = 0; i < WIRE_LINES_MAX; i++)
        expect_line(pair, "{}");
    for (int i = 0; i < 5; i++)
        expect(pair, CHANNEL_RUBBISH);
    vm_wait(pid);
}

/* Nobody reads: the flood must stop at the socket, not fill our memory. */
static void
holds_back_a_flood(void **state)
{
    Pair *pair = *state;
    g_autofree char *text = g_strnfill(4096, 'z');
    gsize written = 0;
    char *line = NULL;
    pid_t pid = 0;

    fcntl(pair->peer, F_SETFL, O_NONBLOCK);
    for (int i = 0; i < 20; i++) {
        ssize_t got = 0;

        while ((got = write(pair->peer, text, 4096)) > 0)
            written += (gsize) got;
        assert_int_equal(errno, EAGAIN);
        if (i == 0)
            assert_int_equal(channel_next(pair->channel, 0, &line),
                             CHANNEL_RUBBISH);
    }
    assert_true(written < 4 * 1024 * 1024);
    fcntl(pair->peer, F_SETFL, 0);
    pid = say_elsewhere(pair, text, 1000000, "\n");
    for (int i = 0; i < 100; i++)
        expect(pair, CHANNEL_RUBBISH);
    vm_kill(pid);
}

static void
sends(void **state)
{
    Pair *pair = *state;
    char buffer[64] = "";

    assert_true(channel_send(pair->channel, "{\"type\":\"go\"}"));
    assert_int_equal(read(pair->peer, buffer, sizeof(buffer)), 14);
    assert_string_equal(buffer, "{\"type\":\"go\"}\n");
    hang_up(pair);
    assert_false(channel_send(pair->channel, "{}"));
}

/* More than a socket holds: the other end reads slowly. */
static void
sends_much(void **state)
{
    Pair *pair = *state;
    g_autofree char *text = g_strnfill(4 * 1024 * 1024, 'j');
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        static char buffer[65536];
        gsize total = 0;
        ssize_t got = 0;

        while (total < strlen(text) + 1 &&
               (got = read(pair->peer, buffer, sizeof(buffer))) > 0) {
            total += (gsize) got;
            g_usleep(1000);
        }
        _exit(total != strlen(text) + 1);
    }
    assert_true(channel_send(pair->channel, text));
    status = vm_wait(pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void
count(void *data)
{
    ++*(int *) data;
}

static void
ticks(void **state)
{
    Pair *pair = *state;
    int ticked = 0;
    char *line = NULL;

    channel_set_tick(pair->channel, count, &ticked);
    assert_int_equal(channel_next(pair->channel,
                                  clock_raw_ns() + 1500 * CLOCK_NS_PER_MS,
                                  &line),
                     CHANNEL_TIMEOUT);
    assert_int_equal(ticked, 1);
}

/* The last test: the flag of signals.h cannot be taken back. */
static void
is_interrupted(void **state)
{
    Pair *pair = *state;
    pid_t parent = getpid(), pid = fork();

    if (pid == 0) {
        g_usleep(50000);
        kill(parent, SIGINT);
        _exit(0);
    }
    expect(pair, CHANNEL_INTERRUPTED);
    vm_wait(pid);
    say(pair, "line\n");
    expect(pair, CHANNEL_INTERRUPTED);
    /* A job of winding up may still be sent. */
    assert_true(channel_send(pair->channel, "bye"));
}

#define TEST(function) \
    cmocka_unit_test_setup_teardown(function, open_pair, close_pair)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(splits_lines),
        TEST(delivers_before_eof),
        TEST(times_out),
        TEST(refuses_bytes_that_are_no_text),
        TEST(limits_the_length_of_a_line),
        TEST(limits_the_number_of_lines),
        TEST(holds_back_a_flood),
        TEST(sends),
        TEST(sends_much),
        TEST(ticks),
        TEST(is_interrupted),
    };

    signals_install();
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
