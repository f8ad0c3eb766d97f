/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watchdog's own process: see watchdog-process.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/clock.h"
#include "vm/qemu.h"
#include "vm/watchdog-process.h"

/* Past the deadline QEMU may not exist yet (libvirt is still about to start
 * it): look again this often. */
#define RETRY_MS 100

/* When vsweep is gone libvirt cannot start the armed domain any more, but a
 * QEMU it had just forked may not have its command line yet: look this many
 * times, RETRY_MS apart. */
#define LAST_LOOKS 5

static void
nothing(int signum G_GNUC_UNUSED)
{
}

/* Lets go of all that came from vsweep but the socket, whose number it
 * returns.  Standard streams go too: `vsweep | less` waits for every holder of
 * the pipe. */
static int
detach(int socket)
{
    int kept = fcntl(socket, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    if (kept > STDERR_FILENO + 1)
        close_range(STDERR_FILENO + 1, (unsigned) kept - 1, 0);
    close_range((unsigned) kept + 1, ~0U, 0);
    setsid();
    if (chdir("/") < 0)
        return kept; /* the old directory stays busy, no more */
    return kept;
}

/* Another child of vsweep may hold a copy of the socket's other end and keep
 * it open: the death of the parent is asked for as a signal as well, which is
 * blocked except while sleeping, so that it cannot come too early. */
static void
set_signals(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    struct sigaction action = {.sa_handler = nothing};
    sigset_t blocked;

    for (gsize i = 0; i < G_N_ELEMENTS(ignored); i++)
        signal(ignored[i], SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    sigaction(SIGUSR1, &action, NULL);
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    prctl(PR_SET_NAME, "vsweep-watchdog");
}

static bool
kill_qemu(const WatchdogOrder *order, WatchdogShared *shared)
{
    pid_t pid = qemu_process_find(order->name);

    if (pid <= 0 || !qemu_process_signal(pid, order->name, SIGKILL))
        return false;
    atomic_store(&shared->fired, order->generation);
    return true;
}

static bool
is_due(const WatchdogOrder *order)
{
    return order->armed && order->deadline_ns != 0 &&
           clock_raw_ns() >= order->deadline_ns;
}

/* Sleeps until there is something to do; true when a message has come. */
static bool
sleep_until_needed(int socket, const WatchdogOrder *order)
{
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    gint64 left_ns = order->deadline_ns - clock_raw_ns();
    struct timespec span = {0};
    sigset_t none;

    if (left_ns <= 0)
        left_ns = RETRY_MS * CLOCK_NS_PER_MS;
    span.tv_sec = left_ns / CLOCK_NS_PER_S;
    span.tv_nsec = left_ns % CLOCK_NS_PER_S;
    sigemptyset(&none);
    return ppoll(&wait, 1,
                 order->armed && order->deadline_ns != 0 ? &span : NULL,
                 &none) > 0;
}

/* Takes the orders that have come; false when vsweep is gone. */
static bool
obey(int socket, WatchdogOrder *order)
{
    WatchdogOrder next = {0};
    ssize_t got = 0;

    while ((got = recv(socket, &next, sizeof(next), MSG_DONTWAIT)) > 0)
        *order = next;
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

void
watchdog_process(int socket, WatchdogShared *shared, pid_t parent)
{
    WatchdogOrder order = {0};

    socket = detach(socket);
    set_signals();
    while (getppid() == parent) {
        if (sleep_until_needed(socket, &order) && !obey(socket, &order))
            break;
        if (is_due(&order))
            kill_qemu(&order, shared);
    }
    obey(socket, &order); /* its last words */
    for (int i = 0; order.armed && i < LAST_LOOKS; i++) {
        kill_qemu(&order, shared);
        poll(NULL, 0, RETRY_MS);
    }
    _exit(0);
}
