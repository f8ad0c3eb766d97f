/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The installed libvirt: see driver.h. */
#include <glob.h>
#include <glib.h>
#include <libvirt/libvirt.h>
#include "vm/driver.h"

/* Debian's multiarch directories, Fedora's lib64, and local builds. */
static const char *const patterns[] = {
    "/usr/lib/*/libvirt/connection-driver/libvirt_driver_qemu.so",
    "/usr/lib{,64}/libvirt/connection-driver/libvirt_driver_qemu.so",
    "/usr/local/lib{,64,/*}/libvirt/connection-driver/libvirt_driver_qemu.so"};

char *
driver_path(void)
{
    char *path = NULL;

    for (gsize i = 0; !path && i < G_N_ELEMENTS(patterns); i++) {
        glob_t found = {0};

        if (glob(patterns[i], GLOB_BRACE, NULL, &found) == 0)
            path = g_strdup(found.gl_pathv[0]);
        globfree(&found);
    }
    return path;
}

char *
driver_libvirt_version(void)
{
    unsigned long version = 0;

    virGetVersion(&version, NULL, NULL);
    return g_strdup_printf("%lu.%lu.%lu", version / 1000000,
                           version / 1000 % 1000, version % 1000);
}
