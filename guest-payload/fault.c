/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See fault.h.
 */
#include "guest-payload/fault.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest-payload/guest.h"
#include "guest-payload/text.h"

#define LONG_LINE_BYTES (1 << 20)

static void
hang(int port)
{
    (void) port;
    for (;;)
        pause();
}

static void
power_off(int port)
{
    (void) port;
    guest_power_off();
}

/* A real one, through sysrq; process 1 that ends is one as well. */
static void
panic(int port)
{
    Fail ignored;

    (void) port;
    text_write("/proc/sysrq-trigger", "c", &ignored);
    _exit(1);
}

static void
put(int port, const char *data, size_t size)
{
    while (size) {
        struct pollfd wait = {.fd = port, .events = POLLOUT};
        ssize_t done = write(port, data, size);
        if (done < 0 && errno != EAGAIN)
            return;
        if (done < 0 && (poll(&wait, 1, -1) < 0 || wait.revents & POLLHUP))
            return;
        if (done > 0) {
            data += done;
            size -= (size_t) done;
        }
    }
}

static void
rubbish(int port)
{
    static const char lines[] = "\x01\xff\xfe not json at all\n"
                                "{\"type\":\"sample\",\"value\":\n"
                                "[1,2,3]\n"
                                "{\"type\":\"no such type\"}\n";

    put(port, lines, sizeof(lines) - 1);
    hang(port);
}

static void
rubbish_long(int port)
{
    char *line = malloc(LONG_LINE_BYTES);

    if (line) {
        memset(line, 'x', LONG_LINE_BYTES);
        put(port, line, LONG_LINE_BYTES);
        free(line);
    }
    hang(port);
}

static const Fault faults[] = {
    {"noready", FAULT_BEFORE_READY, hang, NULL},
    {"hang", FAULT_AFTER_JOB, hang, NULL},
    {"panic", FAULT_AFTER_JOB, panic, NULL},
    {"off", FAULT_AFTER_JOB, power_off, NULL},
    {"rubbish", FAULT_AFTER_JOB, rubbish, NULL},
    {"rubbish-long", FAULT_AFTER_JOB, rubbish_long, NULL},
    {"crash", FAULT_IN_AGENT, NULL, "crash"},
    {"hang-window", FAULT_IN_AGENT, NULL, "hang-window"},
};

const Fault *
fault_find(const char *name)
{
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        if (strcmp(faults[i].name, name) == 0)
            return &faults[i];
    return NULL;
}

void
fault_act(const Fault *fault, FaultMoment moment, int port)
{
    if (fault && fault->moment == moment && fault->act)
        fault->act(port);
}
