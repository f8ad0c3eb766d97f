/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of src/vm share: waiting for a condition, a cheap QEMU, a
 * runtime directory of the test's own.
 */
#pragma once

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <glib.h>
#include "base/clock.h"
#include "base/file.h"
#include "vm/qemu.h"

#define VM_QEMU "/usr/bin/qemu-system-x86_64"
/* Nothing waited for here takes longer, however busy the machine is. */
#define VM_PATIENCE_NS (60 * CLOCK_NS_PER_S)
/* How long something is watched that must not happen. */
#define VM_QUIET_NS (500 * CLOCK_NS_PER_MS)

#define vm_until(condition)                                            \
    ({                                                                 \
        gint64 deadline_ns_ = clock_raw_ns() + VM_PATIENCE_NS;         \
        bool met_ = false;                                             \
        while (!(met_ = (condition)) && clock_raw_ns() < deadline_ns_) \
            g_usleep(10000);                                           \
        met_;                                                          \
    })

static inline gint64
vm_soon(void)
{
    return clock_raw_ns() + VM_PATIENCE_NS;
}

/* A name no other run of the tests uses.  Caller frees. */
static inline char *
vm_name(const char *tag)
{
    return g_strdup_printf("vsweep-test-%s-%d", tag, (int) getpid());
}

/* A process called `argv0` with the arguments of the QEMU of guest `name`. */
static inline pid_t
vm_spawn(const char *program, const char *argv0, const char *name)
{
    g_autofree char *guest = g_strdup_printf("guest=%s,debug-threads=on", name);
    pid_t pid = fork();

    if (pid == 0) {
        execl(program, argv0, "-name", guest, "-S", "-machine", "none",
              "-display", "none", "-nodefaults", "-monitor", "none", "-serial",
              "none", NULL);
        _exit(127);
    }
    return pid;
}

static inline pid_t
vm_spawn_qemu(const char *name)
{
    pid_t pid = vm_spawn(VM_QEMU, VM_QEMU, name);

    assert_true(vm_until(qemu_process_find(name) == pid));
    return pid;
}

static inline void
vm_kill(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* The child is over within our patience; its wait status. */
static inline int
vm_wait(pid_t pid)
{
    int status = -1;

    assert_true(vm_until(waitpid(pid, &status, WNOHANG) == pid));
    return status;
}

static inline bool
vm_alive(pid_t pid)
{
    return kill(pid, 0) == 0 && waitpid(pid, NULL, WNOHANG) == 0;
}

/* Below /tmp, since the embedded driver's root may have 30 bytes only. */
static inline char *
vm_dir(void)
{
    char *dir = g_strdup("/tmp/vst-XXXXXX");

    assert_non_null(mkdtemp(dir));
    return dir;
}
