/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a file really occupies (METHOD 5.3).  Length proves nothing, st_blocks
 * alone nothing about unwritten extents: only both with FIEMAP do.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "guest/disk-parts.h"

/* Extents asked for at a time: 14 KiB, a well laid out image has some ten. */
#define EXTENTS 256
/* Zeros are written in pieces of this size (bytes). */
#define ZERO_CHUNK (1024 * 1024)
/* st_blocks counts in units of this many bytes, whatever the file system. */
#define STAT_BLOCK 512

/* Is told of every extent; false ends the walk. */
typedef bool (*ExtentFunc)(int fd, const struct fiemap_extent *extent,
                           void *data, GError **err);

/* Asks for the extents from `start` on; false with errno when it fails. */
static bool
ask_extents(int fd, guint64 start, struct fiemap *map)
{
    map->fm_start = start;
    map->fm_length = FIEMAP_MAX_OFFSET - start;
    map->fm_flags = FIEMAP_FLAG_SYNC;
    map->fm_mapped_extents = 0;
    map->fm_extent_count = EXTENTS;
    return ioctl(fd, FS_IOC_FIEMAP, map) == 0;
}

/* Visits all extents.  A file system that has no FIEMAP has none. */
static bool
walk(int fd, ExtentFunc func, void *data, GError **err)
{
    g_autofree struct fiemap *map =
        g_malloc0(sizeof(*map) + EXTENTS * sizeof(struct fiemap_extent));
    guint64 start = 0;

    do {
        if (!ask_extents(fd, start, map))
            return errno == EOPNOTSUPP || errno == ENOTTY || errno == EINVAL ||
                   vs_fail_errno(err, errno, "cannot ask for extents");
        for (guint i = 0; i < map->fm_mapped_extents; i++) {
            const struct fiemap_extent *extent = &map->fm_extents[i];

            if (!func(fd, extent, data, err))
                return false;
            if (extent->fe_flags & FIEMAP_EXTENT_LAST)
                return true;
            start = extent->fe_logical + extent->fe_length;
        }
    } while (map->fm_mapped_extents > 0);
    return true;
}

static bool
note_flags(int fd G_GNUC_UNUSED, const struct fiemap_extent *extent, void *data,
           GError **err G_GNUC_UNUSED)
{
    *(guint32 *) data |= extent->fe_flags;
    return true;
}

bool
disk_allocation(int fd, guint64 *ret_allocated, bool *ret_unwritten,
                GError **err)
{
    struct stat st = {0};
    guint32 flags = 0;

    if (fstat(fd, &st) < 0)
        return vs_fail_errno(err, errno, "cannot ask for allocated blocks");
    if (!walk(fd, note_flags, &flags, err))
        return false;
    *ret_allocated = (guint64) st.st_blocks * STAT_BLOCK;
    *ret_unwritten =
        flags & (FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_SHARED) ? true : false;
    return true;
}

bool
disk_allocation_of(const char *path, guint64 *ret_allocated,
                   bool *ret_unwritten, GError **err)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return vs_fail_errno(err, errno, "cannot open '%s'", path);
    if (!disk_allocation(fd, ret_allocated, ret_unwritten, err)) {
        g_prefix_error(err, "'%s': ", path);
        return false;
    }
    return true;
}

/* `data` is the length of the file: an extent may reach beyond it. */
static bool
zero_unwritten(int fd, const struct fiemap_extent *extent, void *data,
               GError **err)
{
    g_autofree guint8 *zeros = NULL;
    guint64 at = extent->fe_logical;
    guint64 end = MIN(at + extent->fe_length, *(guint64 *) data);

    if (!(extent->fe_flags & FIEMAP_EXTENT_UNWRITTEN))
        return true;
    zeros = g_malloc0(ZERO_CHUNK);
    while (at < end) {
        ssize_t put = pwrite(fd, zeros, MIN(end - at, ZERO_CHUNK), at);

        if (put < 0)
            return vs_fail_errno(err, errno, "cannot write zeros");
        at += put;
    }
    return true;
}

bool
disk_write_out(int fd, guint64 bytes, GError **err)
{
    /* Makes unwritten extents of holes. */
    int failure = posix_fallocate(fd, 0, bytes);

    if (failure)
        return vs_fail_errno(err, failure, "cannot allocate");
    return walk(fd, zero_unwritten, &bytes, err);
}

bool
disk_reads_direct(const char *path)
{
    g_autofd int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    void *buffer = NULL;
    bool works = false;

    if (fd < 0 || posix_memalign(&buffer, DISK_ALIGN, DISK_ALIGN))
        return false;
    works = pread(fd, buffer, DISK_ALIGN, 0) >= 0;
    free(buffer);
    return works;
}
