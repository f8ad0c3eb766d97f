/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep's side of the watchdog: see watchdog.h. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/fd-auto.h"
#include "vm/qemu.h"
#include "vm/watchdog-process.h"
#include "vm/watchdog.h"

static struct {
    pid_t pid; /* 0: not started */
    int socket;
    WatchdogShared *shared;
    WatchdogOrder armed; /* what was said last by watchdog_arm() */
} dog = {.socket = -1};

static void
say(const WatchdogOrder *order)
{
    if (dog.pid == 0)
        return;
    while (send(dog.socket, order, sizeof(*order), MSG_NOSIGNAL) < 0 &&
           errno == EINTR)
        continue;
}

bool
watchdog_start(GError **err)
{
    int ends[2] = {-1, -1};
    void *page = NULL;
    pid_t parent = getpid(), pid = 0;

    if (dog.pid > 0)
        return true;
    page = mmap(NULL, sizeof(WatchdogShared), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return vs_fail_errno(err, errno, "cannot share memory with watchdog");
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0 ||
        (pid = fork()) < 0) {
        int why = errno;

        fd_auto_close(&ends[0]);
        fd_auto_close(&ends[1]);
        munmap(page, sizeof(WatchdogShared));
        return vs_fail_errno(err, why, "cannot start the watchdog");
    }
    if (pid == 0)
        watchdog_process(ends[1], page, parent);
    close(ends[1]);
    dog.pid = pid;
    dog.socket = ends[0];
    dog.shared = page;
    return true;
}

void
watchdog_arm(const char *name, gint64 deadline_ns)
{
    dog.armed.generation++;
    dog.armed.armed = true;
    dog.armed.deadline_ns = deadline_ns;
    g_strlcpy(dog.armed.name, name, sizeof(dog.armed.name));
    say(&dog.armed);
}

void
watchdog_call_begin(gint64 limit_ns)
{
    WatchdogOrder order = dog.armed;
    gint64 deadline_ns = clock_raw_ns() + limit_ns;

    if (!order.armed)
        return;
    if (order.deadline_ns == 0 || deadline_ns < order.deadline_ns)
        order.deadline_ns = deadline_ns;
    say(&order);
}

void
watchdog_call_end(void)
{
    if (dog.armed.armed)
        say(&dog.armed);
}

void
watchdog_disarm(void)
{
    dog.armed.armed = false;
    say(&dog.armed);
}

bool
watchdog_fired(void)
{
    return dog.pid > 0 && dog.armed.generation > 0 &&
           atomic_load(&dog.shared->fired) == dog.armed.generation;
}

void
watchdog_stop(void)
{
    if (dog.pid == 0)
        return;
    watchdog_disarm();
    close(dog.socket);
    while (waitpid(dog.pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    munmap(dog.shared, sizeof(*dog.shared));
    dog.pid = 0;
    dog.socket = -1;
    dog.shared = NULL;
}

int
watchdog_find_qemu(const char *name)
{
    return qemu_process_find(name);
}
