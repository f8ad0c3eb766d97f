/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QEMU's process: see process.h. */
#include <poll.h>
#include <sys/pidfd.h>
#include <unistd.h>
#include <libvirt/libvirt.h>
#include "base/clock.h"
#include "base/fd-auto.h"
#include "vm/process.h"
#include "vm/qemu.h"
#include "vm/reaper.h"

struct Process {
    pid_t pid;
    int fd; /* pidfd: readable when the process has ended */
    int watch;
    gint64 ended_ns;
    int slot; /* of the reaper */
};

static void
ended(int watch, int fd G_GNUC_UNUSED, int events G_GNUC_UNUSED, void *data)
{
    Process *process = data;

    reaper_look(process->slot);
    process->ended_ns = clock_raw_ns();
    virEventRemoveHandle(watch);
    process->watch = -1;
}

Process *
process_watch(const char *name)
{
    pid_t pid = qemu_process_find(name);
    g_autofd int fd = pid > 0 ? pidfd_open(pid, 0) : -1;
    Process *process = NULL;

    if (fd < 0)
        return NULL;
    process = g_new0(Process, 1);
    process->pid = pid;
    process->fd = fd_steal(&fd);
    process->slot = reaper_add(pid);
    process->watch = virEventAddHandle(process->fd, VIR_EVENT_HANDLE_READABLE,
                                       ended, process, NULL);
    return process;
}

void
process_free(Process *process)
{
    if (!process)
        return;
    if (process->watch >= 0)
        virEventRemoveHandle(process->watch);
    close(process->fd);
    reaper_remove(process->slot);
    g_free(process);
}

pid_t
process_pid(const Process *process)
{
    return process->pid;
}

bool
process_runs(const Process *process)
{
    struct pollfd look = {.fd = process->fd, .events = POLLIN};

    return poll(&look, 1, 0) == 0;
}

gint64
process_ended_ns(const Process *process)
{
    return process->ended_ns;
}

struct rusage
process_usage(const Process *process)
{
    return reaper_usage(process->slot);
}

bool
process_signal(const Process *process, int signal)
{
    return pidfd_send_signal(process->fd, signal, NULL, 0) == 0;
}
