/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests with a real libvirt share: whether it can be had here, the
 * environment for it, and domains that cost next to nothing.
 */
#pragma once

#include "vm-util.h"
#include <pwd.h>
#include <stdio.h>
#include "vm/connect.h"
#include "vm/machine.h"
#include "vm/watchdog.h"

/* Why there can be no embedded driver; NULL: there can. */
static inline const char *
vm_lacking(void)
{
    if (access(VM_QEMU, X_OK) < 0)
        return "no " VM_QEMU;
    if (geteuid() == 0 && !getpwnam("libvirt-qemu"))
        return "no system user libvirt-qemu";
    return NULL;
}

/* A runtime directory of the test's own, one cache for all tests: libvirt's
 * first look at QEMU takes seconds.  Caller frees (and removes) the first. */
static inline char *
vm_environment(void)
{
    char *runtime = vm_dir();

    g_setenv("VSWEEP_RUNTIME_DIR", runtime, TRUE);
    g_setenv("VSWEEP_CACHE_DIR", VS_BUILD_DIR "/test-cache", TRUE);
    g_unsetenv("LIBVIRT_DEFAULT_URI");
    return runtime;
}

/* No kernel: its firmware looks for something to boot for ever. */
static inline char *
vm_domain(const char *name, const char *extra_device, const char *extra)
{
    return g_strdup_printf(
        "<domain type='qemu' "
        "xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>"
        "<name>%s</name><memory unit='MiB'>64</memory><vcpu>1</vcpu>"
        "<os><type arch='x86_64' machine='q35'>hvm</type></os>"
        "<on_reboot>destroy</on_reboot><on_crash>destroy</on_crash><devices>"
        "<controller type='usb' model='none'/><memballoon model='none'/>"
        "<channel type='unix'><target type='virtio' name='org.vsweep.0'/>"
        "</channel>%s</devices>%s</domain>",
        name, extra_device ? extra_device : "", extra ? extra : "");
}

/* Arms the watchdog as an attempt does, and creates. */
static inline Machine *
vm_create(Connect *connect, const char *name, const char *xml)
{
    g_autoptr(GError) err = NULL;
    Machine *machine = NULL;

    watchdog_arm(name, vm_soon());
    machine = machine_create(connect, xml, &err);
    if (!machine)
        print_message("# %s\n", err->message);
    return machine;
}
