/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See guest.h: from the kernel's first process to an open port, and off.
 * There is no udev and no modprobe here.
 */
#include "guest-payload/guest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest-payload/clock.h"
#include "guest-payload/text.h"
#include "guest-payload/wire.h"

/* Ports and disks appear a few milliseconds after their driver; seconds only
 * on a very slow host under emulation. */
#define PORT_WAIT_MS 15000
#define POLL_MS 5

void
guest_say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    dprintf(STDERR_FILENO, "vsweep: ");
    vdprintf(STDERR_FILENO, format, args);
    dprintf(STDERR_FILENO, "\n");
    va_end(args);
}

/* The kernel may have started us without a console, since there was no
 * /dev/console then: descriptors 0 to 2 must exist before any other. */
static void
open_console(void)
{
    int fd = open("/dev/console", O_RDWR | O_NOCTTY);

    if (fd < 0)
        fd = open("/dev/null", O_RDWR);
    if (fd < 0)
        return;
    for (int target = 0; target <= STDERR_FILENO; target++)
        if (target != fd)
            dup2(fd, target);
    if (fd > STDERR_FILENO)
        close(fd);
}

void
guest_mount_basics(void)
{
    static const struct {
        const char *type, *where;
    } mounts[] = {
        {"devtmpfs", "/dev"}, {"proc", "/proc"}, {"sysfs", "/sys"},
        {"tmpfs", "/run"},    {"tmpfs", "/tmp"},
    };
    int errors[sizeof(mounts) / sizeof(mounts[0])] = {0};
    size_t count = sizeof(mounts) / sizeof(mounts[0]);

    for (size_t i = 0; i < count; i++) {
        mkdir(mounts[i].where, 0755);
        if (mount(mounts[i].type, mounts[i].where, mounts[i].type, 0, NULL))
            errors[i] = errno;
    }
    mkdir(GUEST_MOUNT, 0755);
    open_console();
    /* EBUSY: the kernel has mounted devtmpfs itself. */
    for (size_t i = 0; i < count; i++)
        if (errors[i] && errors[i] != EBUSY)
            guest_say("cannot mount %s: %s", mounts[i].where,
                      strerror(errors[i]));
}

static int
load_module(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int error = 0;

    if (fd < 0)
        return errno;
    if (syscall(SYS_finit_module, fd, "", 0) != 0 && errno != EEXIST)
        error = errno;
    close(fd);
    return error;
}

void
guest_load_modules(char *failed, size_t size)
{
    FILE *list = fopen(WIRE_MODULES_LIST, "re");
    char line[PATH_MAX];

    failed[0] = '\0';
    while (list && fgets(line, sizeof(line), list)) {
        line[strcspn(line, "\n")] = '\0';
        bool optional = line[0] == '-';
        const char *path = line + optional;
        if (!path[0])
            continue;
        int error = load_module(path);
        if (!error || optional)
            continue;
        guest_say("cannot load %s: %s", path, strerror(error));
        const char *name = strrchr(path, '/');
        size_t used = strlen(failed);
        snprintf(failed + used, size - used, "%s%s", used ? " " : "",
                 name ? name + 1 : path);
    }
    if (list)
        fclose(list);
}

/* The name below /dev of the port called WIRE_PORT. */
static bool
find_port(char *device, size_t size)
{
    DIR *directory = opendir("/sys/class/virtio-ports");
    struct dirent *entry;
    char path[PATH_MAX], name[64];
    bool found = false;

    while (directory && !found && (entry = readdir(directory))) {
        snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name",
                 entry->d_name);
        if (!text_read(path, name, sizeof(name)) ||
            strcmp(name, WIRE_PORT) != 0)
            continue;
        snprintf(device, size, "/dev/%s", entry->d_name);
        found = true;
    }
    if (directory)
        closedir(directory);
    return found;
}

int
guest_open_port(Fail *fail)
{
    char device[PATH_MAX];

    for (int waited = 0; waited < PORT_WAIT_MS; waited += POLL_MS) {
        /* Not close-on-exec: the agent inherits it, a port opens once. */
        int fd = find_port(device, sizeof(device)) ? open(device, O_RDWR) : -1;
        if (fd >= 0)
            return fd;
        sleep_ms(POLL_MS);
    }
    fail_set(fail, 0, "no virtio port " WIRE_PORT " after %d s",
             PORT_WAIT_MS / 1000);
    return -1;
}

void
guest_power_off(void)
{
    sync();
    reboot(RB_POWER_OFF);
    /* Without ACPI the kernel halts instead; never return from process 1. */
    for (;;)
        pause();
}
