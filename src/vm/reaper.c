/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reaping from a signal handler: see reaper.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <glib.h>
#include "vm/reaper.h"

/* A process name of the kernel is cut to 15 bytes: "qemu-system-x86". */
#define COMM "qemu-"

/* The handler runs in whichever of libvirt's threads the signal hits, so it
 * reads and writes nothing but these. */
static struct {
    _Atomic pid_t pid; /* 0: free */
    atomic_bool reaped;
    struct rusage usage; /* valid when reaped */
} slots[REAPER_SLOTS];

static atomic_bool adopting;

/* Two threads may try at once: the kernel lets one of them have it. */
static void
try_slot(int slot)
{
    pid_t pid = atomic_load(&slots[slot].pid);
    struct rusage usage = {0};

    if (pid == 0 || atomic_load(&slots[slot].reaped) ||
        wait4(pid, NULL, WNOHANG, &usage) != pid)
        return;
    slots[slot].usage = usage;
    atomic_store(&slots[slot].reaped, true);
}

/* "/proc/PID/comm"; printf() is not for signal handlers. */
static void
comm_path(pid_t pid, char path[static 32])
{
    char digits[16] = "";
    gsize count = 0, at = strlen("/proc/");

    for (; pid > 0; pid /= 10)
        digits[count++] = (char) ('0' + pid % 10);
    memcpy(path, "/proc/", at);
    while (count > 0)
        path[at++] = digits[--count];
    memcpy(path + at, "/comm", sizeof("/comm"));
}

/* libvirt waits itself for the helpers it runs; an adopted QEMU it cannot. */
static bool
is_qemu(pid_t pid)
{
    char path[32] = "", comm[16] = "";
    ssize_t got = 0;
    int fd = -1;

    comm_path(pid, path);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    got = read(fd, comm, sizeof(comm));
    close(fd);
    return got > (ssize_t) strlen(COMM) &&
           memcmp(comm, COMM, strlen(COMM)) == 0;
}

static void
child_ended(int signum G_GNUC_UNUSED, siginfo_t *info,
            void *context G_GNUC_UNUSED)
{
    int saved = errno;

    for (int slot = 0; slot < REAPER_SLOTS; slot++)
        try_slot(slot);
    if (atomic_load(&adopting) && info->si_pid > 0 && is_qemu(info->si_pid))
        waitpid(info->si_pid, NULL, WNOHANG);
    errno = saved;
}

static void
install(void)
{
    static bool installed;
    struct sigaction action = {
        .sa_sigaction = child_ended,
        .sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP,
    };

    if (!installed)
        sigaction(SIGCHLD, &action, NULL);
    installed = true;
}

void
reaper_adopt_begin(void)
{
    install();
    atomic_store(&adopting, true);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void
reaper_adopt_end(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    atomic_store(&adopting, false);
}

int
reaper_add(pid_t pid)
{
    for (int slot = 0; slot < REAPER_SLOTS; slot++) {
        if (atomic_load(&slots[slot].pid) != 0)
            continue;
        slots[slot].usage = (struct rusage){0};
        atomic_store(&slots[slot].reaped, false);
        atomic_store(&slots[slot].pid, pid);
        try_slot(slot); /* it may have ended before */
        return slot;
    }
    return -1;
}

void
reaper_look(int slot)
{
    if (slot >= 0)
        try_slot(slot);
}

struct rusage
reaper_usage(int slot)
{
    if (slot < 0 || !atomic_load(&slots[slot].reaped))
        return (struct rusage){0};
    return slots[slot].usage;
}

void
reaper_remove(int slot)
{
    if (slot >= 0)
        atomic_store(&slots[slot].pid, 0);
}
