/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One user of a storage directory at a time: see disk.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "base/file.h"
#include "guest/disk.h"

#define LOCK_NAME ".vsweep-lock"

struct DiskLock {
    char *path;
    int fd;
};

/* Whether the file that was locked still is the one with the name: its last
 * user may have removed it in between. */
static bool
is_current(const char *path, int fd)
{
    struct stat named = {0}, locked = {0};

    return stat(path, &named) == 0 && fstat(fd, &locked) == 0 &&
           named.st_ino == locked.st_ino;
}

static void
fail_held(const char *storage, const char *path, GError **err)
{
    g_autofree char *pid = file_read_line(path);

    vs_fail(err,
            "another vsweep (pid %s) uses the storage directory '%s': wait "
            "for it, or choose another one with --storage",
            pid && *pid ? pid : "unknown", storage);
}

DiskLock *
disk_lock(const char *storage, GError **err)
{
    g_autofree char *path = g_build_filename(storage, LOCK_NAME, NULL);
    DiskLock *lock = NULL;

    for (;;) {
        g_autofd int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

        if (fd < 0) {
            vs_fail_errno(err, errno, "cannot lock '%s'", storage);
            return NULL;
        }
        if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
            fail_held(storage, path, err);
            return NULL;
        }
        if (!is_current(path, fd))
            continue;
        if (ftruncate(fd, 0) < 0 || dprintf(fd, "%d\n", (int) getpid()) < 0) {
            vs_fail_errno(err, errno, "cannot write '%s'", path);
            return NULL;
        }
        lock = g_new0(DiskLock, 1);
        lock->path = g_steal_pointer(&path);
        lock->fd = fd_steal(&fd);
        return lock;
    }
}

void
disk_unlock(DiskLock *lock)
{
    if (!lock)
        return;
    unlink(lock->path);
    close(lock->fd);
    g_free(lock->path);
    g_free(lock);
}
