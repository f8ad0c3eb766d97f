/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See guest.h: `vsweep shell`.
 */
#include "guest-payload/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest-payload/text.h"

#define BUSYBOX "/bin/busybox"

/* /dev/console cannot be a controlling terminal; the device behind it can. */
static void
take_terminal(void)
{
    char active[128], path[160] = "/dev/console";

    if (text_read("/sys/class/tty/console/active", active, sizeof(active)) &&
        active[0]) {
        const char *last = strrchr(active, ' ');
        snprintf(path, sizeof(path), "/dev/%s", last ? last + 1 : active);
    }
    setsid();
    int fd = open(path, O_RDWR);
    if (fd < 0)
        return;
    ioctl(fd, TIOCSCTTY, 1);
    for (int target = 0; target <= STDERR_FILENO; target++)
        dup2(fd, target);
    if (fd > STDERR_FILENO)
        close(fd);
}

static void
run_and_wait(const char *const argv[], bool terminal)
{
    static const char *const environment[] = {
        "PATH=/bin:/sbin:/usr/bin:/usr/sbin",
        "HOME=/",
        "TERM=linux",
        "PS1=guest:\\w# ",
        NULL,
    };
    pid_t child = fork();

    if (child == 0) {
        if (terminal)
            take_terminal();
        execve(BUSYBOX, (char *const *) argv, (char *const *) environment);
        guest_say("cannot start " BUSYBOX ": %s", strerror(errno));
        _exit(127);
    }
    pid_t ended;
    do {
        ended = wait(NULL);
    } while (ended != child && (ended > 0 || errno == EINTR));
}

void
guest_shell(void)
{
    static const char *const install[] = {"busybox", "--install", "-s", "/bin",
                                          NULL};
    static const char *const shell[] = {"sh", NULL};
    JobGuest guest = {.disk = ""};
    char disk[64];
    Fail fail;

    run_and_wait(install, false);
    if (guest_find_disk(&guest, disk, sizeof(disk), &fail) &&
        guest_mount_disk(disk, &guest, &fail))
        guest_say("the disk under test, /dev/%s, is mounted at " GUEST_MOUNT,
                  disk);
    else
        guest_say("%s", fail.text);
    run_and_wait(shell, true);
}
