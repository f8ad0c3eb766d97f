/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Getting our own files out of the host's page cache, and proving it
 * (METHOD 0.3).  Nothing of anybody else's is touched.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"

/* Mapped at a time while counting: 1 GiB needs 256 KiB of answers. */
#define WINDOW ((off_t) 1 << 30)
/* Below this ratio a file counts as evicted (METHOD 0.3). */
#define EVICTED 0.01
/* Pages that another CPU holds in a batch escape the first call. */
#define TRIES 3

/* Pages of [at, at + length) in the page cache; -1 with errno. */
static gint64
count_window(int fd, off_t at, gsize length)
{
    gsize pages = (length + DISK_ALIGN - 1) / DISK_ALIGN;
    g_autofree guint8 *in_core = g_malloc0(pages);
    void *map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, at);
    gint64 count = 0;
    int failure = 0;

    if (map == MAP_FAILED)
        return -1;
    if (mincore(map, length, in_core) < 0)
        failure = errno;
    munmap(map, length);
    if (failure) {
        errno = failure;
        return -1;
    }
    for (gsize i = 0; i < pages; i++)
        count += in_core[i] & 1;
    return count;
}

/* The ratio of a file's pages that are in the page cache; -1 with errno. */
static double
resident(int fd, off_t size)
{
    gint64 count = 0;

    if (size == 0)
        return 0;
    for (off_t at = 0; at < size; at += WINDOW) {
        gint64 more = count_window(fd, at, MIN(WINDOW, size - at));

        if (more < 0)
            return -1;
        count += more;
    }
    return (double) count * DISK_ALIGN / size;
}

bool
disk_evict(const char *path, double *ret_resident, GError **err)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st = {0};
    double left = 1;

    if (fd < 0 || fstat(fd, &st) < 0)
        return vs_fail_errno(err, errno, "cannot open '%s'", path);
    if (fdatasync(fd) < 0)
        return vs_fail_errno(err, errno, "cannot sync '%s'", path);
    for (guint i = 0; i < TRIES && left >= EVICTED; i++) {
        int failure = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);

        if (failure)
            return vs_fail_errno(err, failure, "cannot evict '%s'", path);
        left = resident(fd, st.st_size);
        if (left < 0)
            return vs_fail_errno(err, errno,
                                 "cannot count the cached pages of '%s'", path);
    }
    if (ret_resident)
        *ret_resident = MIN(left, 1.0);
    return true;
}

bool
disk_sync(const char *path, GError **err)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return vs_fail_errno(err, errno, "cannot open '%s'", path);
    if (syncfs(fd) < 0)
        return vs_fail_errno(err, errno, "cannot sync the file system of '%s'",
                             path);
    return true;
}
