/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A terminal on the guest's console: see console.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "base/signals.h"
#include "vm/console.h"
#include "vm/domain.h"
#include "vm/loop.h"

/* How long to sleep before libvirt's events are served again. */
#define TURN_MS 100
/* Bytes moved at a time. */
#define CHUNK 4096

static int
open_pty(Machine *machine, GError **err)
{
    g_autofree char *xml = machine_live_xml(machine);
    g_autofree char *path =
        xml ? domain_xpath_string(
                  xml, "string(/domain/devices/serial[1]/source/@path)", NULL)
            : NULL;
    int fd = -1;

    if (!path || !*path) {
        vs_fail(err, "the domain has no serial console on a pty");
        return -1;
    }
    fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        vs_fail_errno(err, errno, "cannot open the console '%s'", path);
    return fd;
}

static bool
write_all(int fd, const char *data, gsize length)
{
    while (length > 0) {
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        ssize_t sent = write(fd, data, length);

        if (sent < 0 && errno == EAGAIN)
            poll(&ready, 1, TURN_MS);
        else if (sent < 0 && errno != EINTR)
            return false;
        if (sent > 0) {
            data += sent;
            length -= (gsize) sent;
        }
        if (signals_pending())
            return false;
    }
    return true;
}

typedef enum { MOVED, NOTHING, ENDED, LEFT } Move;

/* Passes on what is there. */
static Move
move(int from, int to, bool escapes)
{
    char buffer[CHUNK] = {0};
    ssize_t got = read(from, buffer, sizeof(buffer));
    const char *escape = NULL;

    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? NOTHING : ENDED;
    if (got == 0)
        return ENDED;
    if (escapes)
        escape = memchr(buffer, CONSOLE_ESCAPE, (gsize) got);
    if (escape)
        return LEFT;
    return write_all(to, buffer, (gsize) got) ? MOVED : ENDED;
}

/* Until the guest is off or the person leaves. */
static bool
bridge(Machine *machine, int pty, bool terminal)
{
    bool input = true;

    while (machine_state(machine) == MACHINE_RUNNING) {
        struct pollfd ready[] = {
            {.fd = pty, .events = POLLIN},
            {.fd = input ? STDIN_FILENO : -1, .events = POLLIN}};

        if (signals_pending())
            return true;
        poll(ready, G_N_ELEMENTS(ready), TURN_MS);
        if (ready[0].revents)
            move(pty, STDOUT_FILENO, false);
        if (ready[1].revents) {
            Move moved = move(STDIN_FILENO, pty, terminal);

            if (moved == LEFT)
                return true;
            input = moved != ENDED;
        }
        loop_once(ready[0].revents || ready[1].revents ? 0 : 1);
    }
    while (move(pty, STDOUT_FILENO, false) == MOVED)
        ;
    return false;
}

bool
console_attach(Machine *machine, bool *ret_left, GError **err)
{
    g_autofd int pty = open_pty(machine, err);
    struct termios before = {0}, raw = {0};
    bool terminal = tcgetattr(STDIN_FILENO, &before) == 0;

    if (pty < 0 || !machine_resume(machine, err))
        return false;
    if (terminal) {
        raw = before;
        cfmakeraw(&raw);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    *ret_left = bridge(machine, pty, terminal);
    if (terminal)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return true;
}
