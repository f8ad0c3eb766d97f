/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See conversation.h.  What is sent and received is in wire.h.
 */
#include "guest-payload/conversation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest-payload/clock.h"

/* A bin is at most "[7423,18446744073709551615]," = 28 bytes: 2000 of them
 * and the head of the line stay below WIRE_LINE_MAX. */
#define BINS_PER_LINE 2000

/* A signal that comes between the look at it and poll() is noticed after
 * this long. */
#define POLL_MS 1000

void
conversation_open(Conversation *talk, int fd, int64_t lines_sent)
{
    *talk = (Conversation){.fd = fd, .lines = lines_sent};
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void
conversation_alone(Conversation *talk)
{
    *talk = (Conversation){.fd = -1};
}

void
conversation_close(Conversation *talk)
{
    free(talk->kept);
    talk->kept = NULL;
}

bool
conversation_wait_host(Conversation *talk, int ms)
{
    /* A virtio port reports POLLHUP while nobody has opened the other end. */
    for (; ms > 0; ms -= 10) {
        struct pollfd wait = {.fd = talk->fd, .events = POLLOUT};
        if (poll(&wait, 1, 0) >= 0 && !(wait.revents & POLLHUP))
            return true;
        sleep_ms(10);
    }
    return false;
}

static bool
host_gone(Conversation *talk, Fail *fail)
{
    talk->gone = true;
    return fail_set(fail, EPIPE, "the host is gone");
}

static bool
wait_for(Conversation *talk, short events, Fail *fail)
{
    struct pollfd wait = {.fd = talk->fd, .events = events};

    if (!stop_check(fail))
        return false;
    if (poll(&wait, 1, POLL_MS) < 0)
        return errno == EINTR ? stop_check(fail) : host_gone(talk, fail);
    /* What arrived before the hang-up is read first. */
    if (wait.revents & events)
        return true;
    return wait.revents & (POLLHUP | POLLERR) ? host_gone(talk, fail) : true;
}

static bool
put_bytes(Conversation *talk, const char *data, size_t size, Fail *fail)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(talk->fd, data + done, size - done);
        if (put > 0)
            done += (size_t) put;
        else if (put < 0 && errno != EAGAIN && errno != EINTR)
            return host_gone(talk, fail);
        else if (!wait_for(talk, POLLOUT, fail))
            return false;
    }
    return true;
}

static bool
keep_bytes(Conversation *talk, const char *data, size_t size, Fail *fail)
{
    char *grown = realloc(talk->kept, talk->kept_size + size);

    if (!grown)
        return fail_set(fail, ENOMEM, "cannot keep the results");
    memcpy(grown + talk->kept_size, data, size);
    talk->kept = grown;
    talk->kept_size += size;
    return true;
}

/* Sends one line; takes the reference.  NULL: the object could not be made. */
static bool
put_line(Conversation *talk, json_t *line, Fail *fail)
{
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    bool ok;

    json_decref(line);
    if (!text)
        return fail_set(fail, ENOMEM, "cannot make a line of results");
    size_t size = strlen(text);
    text[size++] = '\n'; /* in the place of the NUL: a line is one write */
    if (size > WIRE_LINE_MAX)
        ok = fail_set(fail, EMSGSIZE, "a line of %zu bytes is too long", size);
    else if (talk->fd < 0)
        ok = keep_bytes(talk, text, size, fail);
    else
        ok = put_bytes(talk, text, size, fail);
    free(text);
    talk->lines += ok;
    return ok;
}

bool
conversation_line(Conversation *talk, char **ret_line, Fail *fail)
{
    static char line[WIRE_LINE_MAX];

    for (;;) {
        char *newline = memchr(talk->input, '\n', talk->have);
        if (newline) {
            size_t size = (size_t) (newline - talk->input);
            memcpy(line, talk->input, size);
            line[size] = '\0';
            talk->have -= size + 1;
            memmove(talk->input, newline + 1, talk->have);
            *ret_line = line;
            return true;
        }
        if (talk->have == sizeof(talk->input)) {
            talk->broken = true;
            return fail_set(fail, EMSGSIZE,
                            "a line from the host is longer "
                            "than %d bytes",
                            WIRE_LINE_MAX);
        }
        ssize_t got = read(talk->fd, talk->input + talk->have,
                           sizeof(talk->input) - talk->have);
        if (got > 0)
            talk->have += (size_t) got;
        else if (got == 0 || (errno != EAGAIN && errno != EINTR))
            return host_gone(talk, fail);
        else if (!wait_for(talk, POLLIN, fail))
            return false;
    }
}

static bool
wait_go(Conversation *talk, unsigned seq, Fail *fail)
{
    char *line;
    const char *type = "";
    json_int_t got = -1;

    if (talk->fd < 0)
        return stop_check(fail);
    if (!conversation_line(talk, &line, fail))
        return false;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    bool ok =
        object &&
        json_unpack(object, "{s:s,s:I}", "type", &type, "seq", &got) == 0 &&
        strcmp(type, "go") == 0 && got == (json_int_t) seq;
    if (!ok) {
        talk->broken = true;
        fail_set(fail, EPROTO, "expected go %u from the host, got \"%.100s\"",
                 seq, line);
    }
    json_decref(object);
    return ok;
}

bool
conversation_ready(Conversation *talk, const char *role, json_t *facts,
                   Fail *fail)
{
    return put_line(talk,
                    json_pack("{s:s,s:i,s:s,s:o}", "type", "ready", "v",
                              WIRE_VERSION, "role", role, "facts", facts),
                    fail);
}

bool
conversation_note(Conversation *talk, const char *text, json_t *facts,
                  Fail *fail)
{
    return put_line(talk,
                    json_pack("{s:s,s:s,s:o}", "type", "note", "text", text,
                              "facts", facts),
                    fail);
}

bool
conversation_phase(Conversation *talk, const char *workload, const char *phase,
                   bool cold, Fail *fail)
{
    unsigned seq = ++talk->seq;

    return put_line(talk,
                    json_pack("{s:s,s:s,s:s,s:i,s:b}", "type", "phase",
                              "workload", workload, "phase", phase, "seq",
                              (int) seq, "cold", cold),
                    fail) &&
           wait_go(talk, seq, fail);
}

bool
conversation_end(Conversation *talk, const char *workload, const char *phase,
                 int64_t t0, int64_t t1, int64_t ops, Fail *fail)
{
    unsigned seq = talk->seq;

    return put_line(talk,
                    json_pack("{s:s,s:s,s:s,s:i,s:I,s:I,s:I}", "type", "end",
                              "workload", workload, "phase", phase, "seq",
                              (int) seq, "t0", (json_int_t) t0, "t1",
                              (json_int_t) t1, "ops", (json_int_t) ops),
                    fail) &&
           wait_go(talk, seq, fail);
}

bool
conversation_sample(Conversation *talk, const char *workload,
                    const char *metric, double value, int64_t n, unsigned seq,
                    Fail *fail)
{
    return put_line(talk,
                    json_pack("{s:s,s:s,s:s,s:f,s:I,s:i}", "type", "sample",
                              "workload", workload, "metric", metric, "value",
                              value, "n", (json_int_t) n, "seq", (int) seq),
                    fail);
}

bool
conversation_hist(Conversation *talk, const char *workload, const char *metric,
                  const Hist *hist, unsigned seq, Fail *fail)
{
    for (uint32_t bin = 0; bin < HIST_BINS;) {
        json_t *bins = json_array();
        uint64_t n = 0;
        for (; bin < HIST_BINS && json_array_size(bins) < BINS_PER_LINE;
             bin++) {
            if (!hist->count[bin])
                continue;
            n += hist->count[bin];
            json_array_append_new(
                bins,
                json_pack("[i,I]", (int) bin, (json_int_t) hist->count[bin]));
        }
        if (!n) {
            json_decref(bins);
            continue;
        }
        if (!put_line(talk,
                      json_pack("{s:s,s:s,s:s,s:i,s:I,s:o}", "type", "hist",
                                "workload", workload, "metric", metric, "seq",
                                (int) seq, "n", (json_int_t) n, "bins", bins),
                      fail))
            return false;
    }
    return true;
}

bool
conversation_error(Conversation *talk, const char *workload, const Fail *what,
                   Fail *fail)
{
    return put_line(talk,
                    json_pack("{s:s,s:s,s:i,s:s}", "type", "error", "workload",
                              workload, "errno", what->errnum, "text",
                              what->text),
                    fail);
}

bool
conversation_done(Conversation *talk, Fail *fail)
{
    return put_line(talk,
                    json_pack("{s:s,s:I}", "type", "done", "lines",
                              (json_int_t) talk->lines),
                    fail) &&
           wait_go(talk, 0, fail);
}
