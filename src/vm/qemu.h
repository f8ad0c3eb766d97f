/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * QEMU processes as /proc shows them.  libvirt gives no pid, and the watchdog
 * and the clean-up of leftovers must not need libvirt at all.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <glib.h>

typedef struct QemuProcess {
    pid_t pid;
    uid_t uid;
    char *guest; /* the name of the domain */
    char *root;  /* root of the embedded driver it belongs to, or NULL */
} QemuProcess;

void qemu_process_free(QemuProcess *process);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QemuProcess, qemu_process_free)

/* The process as a QEMU with a named guest; NULL when it is none (or a
 * zombie, which has no command line). */
QemuProcess *qemu_process_read(pid_t pid);
/* All of them, as QemuProcess *. */
GPtrArray *qemu_process_list(void);
/* What QEMU process runs the guest `name`; 0: none. */
pid_t qemu_process_find(const char *name);
/* Sends `signal` to the process, but only if it still is the QEMU of the
 * guest `name`: a pid may have been given to another process. */
bool qemu_process_signal(pid_t pid, const char *name, int signal);
/* The arguments, one a line; NULL when the process is gone. */
char *qemu_process_argv(pid_t pid);

/* These are pure, for tests: `argv` is NUL-separated text of `length` bytes. */
char *qemu_argv_guest(const char *argv, gsize length);
char *qemu_argv_root(const char *argv, gsize length);
