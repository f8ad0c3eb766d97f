/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A payload's agent at the other end of a socket pair, for tests: starts it,
 * takes its lines and checks each against wire.h, plays the host.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "data/record.h"
#include "guest-payload/wire.h"

#define PAYLOAD VS_SOURCE_DIR "/build/vsweep-payload"
#define WORK_BYTES (4 << 20)
/* A line that has not come by then never will. */
#define LINE_WAIT_MS 120000

typedef struct Agent {
    pid_t pid;
    int fd;
    GString *input;
    int64_t lines; /* received */
    char *dir, *work, *db;
} Agent;

/* ------------------------------------------------------------ the agent */

static void
make_work(const Agent *agent)
{
    g_autofree char *data = g_malloc(WORK_BYTES);

    for (gsize i = 0; i < WORK_BYTES; i++)
        data[i] = (char) g_random_int();
    assert_true(g_file_set_contents(agent->work, data, WORK_BYTES, NULL));
}

static int
setup(void **state)
{
    Agent *agent = g_new0(Agent, 1);
    int pair[2];

    /* Not in /tmp: cold reads need a file system that has a disk. */
    agent->dir = g_strdup(VS_BUILD_DIR "/payload-XXXXXX");
    assert_non_null(g_mkdtemp(agent->dir));
    g_autofree char *sub = g_build_filename(agent->dir, WIRE_DISK_DIR, NULL);
    assert_int_equal(g_mkdir(sub, 0755), 0);
    agent->work = g_build_filename(agent->dir, WIRE_DISK_WORK, NULL);
    agent->db = g_build_filename(sub, "txn.db", NULL);
    make_work(agent);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    agent->pid = fork();
    if (agent->pid == 0) {
        char number[16];
        close(pair[0]);
        g_snprintf(number, sizeof(number), "%d", pair[1]);
        execl(PAYLOAD, PAYLOAD, "agent", "--fd", number, NULL);
        _exit(127);
    }
    close(pair[1]);
    agent->fd = pair[0];
    agent->input = g_string_new(NULL);
    *state = agent;
    return 0;
}

static int
teardown(void **state)
{
    Agent *agent = *state;
    g_autofree char *sub = g_build_filename(agent->dir, WIRE_DISK_DIR, NULL);

    if (agent->pid) {
        kill(agent->pid, SIGKILL);
        waitpid(agent->pid, NULL, 0);
    }
    if (agent->fd >= 0)
        close(agent->fd);
    g_unlink(agent->work);
    g_unlink(agent->db);
    g_rmdir(sub);
    g_rmdir(agent->dir);
    g_string_free(agent->input, TRUE);
    g_free(agent->dir);
    g_free(agent->work);
    g_free(agent->db);
    g_free(agent);
    return 0;
}

/* The agent's exit status. */
static int
ended(Agent *agent)
{
    int status = 0;

    assert_int_equal(waitpid(agent->pid, &status, 0), agent->pid);
    agent->pid = 0;
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void
say(Agent *agent, const char *line)
{
    g_autofree char *text = g_strconcat(line, "\n", NULL);

    assert_int_equal(send(agent->fd, text, strlen(text), MSG_NOSIGNAL),
                     strlen(text));
}

static void
say_job(Agent *agent, const char *workloads)
{
    g_autofree char *line =
        g_strdup_printf("{\"type\":\"job\",\"v\":%d,\"dir\":\"%s\","
                        "\"workloads\":[%s]}",
                        WIRE_VERSION, agent->dir, workloads);

    say(agent, line);
}

static void
say_go(Agent *agent, json_int_t seq)
{
    g_autofree char *line =
        g_strdup_printf("{\"type\":\"go\",\"seq\":%lld}", seq);

    say(agent, line);
}

/* ------------------------------------------------------------ its lines */

/* Keys of each type: "name:" and S text, I whole number, R number, B truth,
 * O object, A list. */
static const struct {
    const char *type, *keys;
} line_types[] = {
    {"ready", "v:I role:S facts:O"},
    {"note", "text:S facts:O"},
    {"phase", "workload:S phase:S seq:I cold:B"},
    {"end", "workload:S phase:S seq:I t0:I t1:I ops:I"},
    {"sample", "workload:S metric:S value:R n:I seq:I"},
    {"hist", "workload:S metric:S seq:I n:I bins:A"},
    {"error", "workload:S errno:I text:S"},
    {"done", "lines:I"},
};

static bool
is_kind(const json_t *value, char kind)
{
    switch (kind) {
    case 'S':
        return json_is_string(value);
    case 'I':
        return json_is_integer(value);
    case 'R':
        return json_is_number(value);
    case 'B':
        return json_is_boolean(value);
    case 'O':
        return json_is_object(value);
    default:
        return json_is_array(value);
    }
}

static const char *
type_of(const json_t *line)
{
    return json_string_value(json_object_get(line, "type"));
}

static const char *
text_of(const json_t *line, const char *key)
{
    return json_string_value(json_object_get(line, key));
}

static json_int_t
number_of(const json_t *line, const char *key)
{
    return json_integer_value(json_object_get(line, key));
}

static void
check_keys(const json_t *line)
{
    const char *type = type_of(line);

    for (size_t i = 0; i < G_N_ELEMENTS(line_types); i++) {
        if (strcmp(line_types[i].type, type) != 0)
            continue;
        g_auto(GStrv) keys = g_strsplit(line_types[i].keys, " ", -1);
        for (char **key = keys; *key; key++) {
            char *colon = strchr(*key, ':');
            *colon = '\0';
            if (!is_kind(json_object_get(line, *key), colon[1]))
                fail_msg("%s: %s is missing or of the wrong kind", type, *key);
        }
        assert_int_equal(json_object_size(line), g_strv_length(keys) + 1);
        return;
    }
    fail_msg("unknown type %s", type);
}

/* vsweep's own reader of untrusted lines must take all that we send. */
static void
check_record(const char *text, gsize size)
{
    g_autofree char *line = g_strndup(text, size);
    g_autoptr(GError) err = NULL;
    g_autoptr(Record) record = record_parse(line, &err);

    if (!record)
        fail_msg("%s: %.100s", err->message, line);
}

/* The next line, or NULL at end of file. */
static json_t *
next(Agent *agent)
{
    char chunk[4096], *newline;

    while (!(newline = memchr(agent->input->str, '\n', agent->input->len))) {
        struct pollfd wait = {.fd = agent->fd, .events = POLLIN};
        assert_int_equal(poll(&wait, 1, LINE_WAIT_MS), 1);
        ssize_t got = recv(agent->fd, chunk, sizeof(chunk), 0);
        if (got <= 0)
            return NULL;
        g_string_append_len(agent->input, chunk, got);
        assert_true(agent->input->len < 2 * WIRE_LINE_MAX);
    }
    gsize size = (gsize) (newline - agent->input->str) + 1;
    assert_true(size <= WIRE_LINE_MAX);
    assert_true(g_str_has_prefix(agent->input->str, "{\"type\":\""));
    json_t *line =
        json_loadb(agent->input->str, size - 1, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(line);
    check_record(agent->input->str, size - 1);
    g_string_erase(agent->input, 0, (gssize) size);
    check_keys(line);
    agent->lines++;
    return line;
}

static json_t *
expect(Agent *agent, const char *type)
{
    json_t *line = next(agent);

    assert_non_null(line);
    if (strcmp(type_of(line), type) != 0) {
        g_autofree char *text = json_dumps(line, 0);
        fail_msg("expected %s, got %.200s", type, text);
    }
    return line;
}

/* The end of a conversation: done, its count, the last go, status 0. */
static void
expect_done(Agent *agent)
{
    int64_t before = agent->lines;
    json_t *done = expect(agent, "done");

    assert_int_equal(number_of(done, "lines"), before);
    json_decref(done);
    say_go(agent, 0);
    assert_int_equal(ended(agent), 0);
}

static void
greet(Agent *agent, const char *workloads)
{
    json_decref(expect(agent, "ready"));
    say_job(agent, workloads);
    json_decref(expect(agent, "note"));
}

/* Lets one window pass; the agent is left waiting for the go of `end`. */
static json_int_t
pass_window(Agent *agent, const char *phase)
{
    json_t *line = expect(agent, "phase");
    json_int_t seq = number_of(line, "seq");

    assert_string_equal(text_of(line, "phase"), phase);
    assert_int_equal(json_is_true(json_object_get(line, "cold")),
                     g_str_has_prefix(phase, "cold"));
    json_decref(line);
    /* Silence until the go: whatever came would be in the window. */
    struct pollfd wait = {.fd = agent->fd, .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 20), 0);
    say_go(agent, seq);
    line = expect(agent, "end");
    assert_int_equal(number_of(line, "seq"), seq);
    assert_string_equal(text_of(line, "phase"), phase);
    assert_true(number_of(line, "t1") > number_of(line, "t0"));
    assert_true(number_of(line, "ops") > 0);
    json_decref(line);
    return seq;
}
