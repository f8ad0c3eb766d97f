/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work files: incompressible content, so that nothing between the workload
 * and the medium can make its life easy (METHOD 5.3).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "base/fd-auto.h"
#include "base/random.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"

/* Written at a time (bytes): large enough for full disk speed. */
#define CHUNK (4 * 1024 * 1024)

static void
fill_random(Random *random, guint64 *words, gsize count)
{
    for (gsize i = 0; i < count; i++)
        words[i] = random_next(random);
}

/* Writes whole chunks up to `bytes`, the last one rounded up for O_DIRECT. */
static bool
write_random(int fd, guint64 *chunk, guint64 bytes, GError **err)
{
    Random random = {0};

    random_init(&random, random_seed());
    for (guint64 at = 0; at < bytes;) {
        gsize want = MIN(CHUNK, bytes - at);
        ssize_t put = 0;

        want = (want + DISK_ALIGN - 1) / DISK_ALIGN * DISK_ALIGN;
        fill_random(&random, chunk, want / sizeof(*chunk));
        put = pwrite(fd, chunk, want, at);
        if (put <= 0)
            return vs_fail_errno(err, put ? errno : ENOSPC,
                                 "cannot write random bytes");
        at += put;
        if (!disk_not_interrupted(err))
            return false;
    }
    return true;
}

/* Fills the new file `path`. */
static bool
fill(const char *path, guint64 bytes, GError **err)
{
    g_autofd int fd = open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);
    void *chunk = NULL;
    bool ok = false;
    int failure = 0;

    if (fd < 0) /* no O_DIRECT here */
        fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return vs_fail_errno(err, errno, "cannot open");
    failure = posix_fallocate(fd, 0, bytes);
    if (failure)
        return vs_fail_errno(err, failure, "cannot allocate");
    failure = posix_memalign(&chunk, DISK_ALIGN, CHUNK);
    if (failure)
        return vs_fail_errno(err, failure, "cannot get memory");
    ok = write_random(fd, chunk, bytes, err);
    free(chunk);
    if (ok && (ftruncate(fd, bytes) < 0 || fsync(fd) < 0))
        return vs_fail_errno(err, errno, "cannot finish");
    return ok;
}

bool
disk_work_file(const char *path, guint64 bytes, GError **err)
{
    g_autofree char *dir = g_path_get_dirname(path);
    g_autofree char *tmp =
        g_build_filename(dir, DISK_TMP_PREFIX "work-XXXXXX", NULL);
    g_autofd int made = -1;
    struct stat st = {0};
    bool ok = false;

    if (stat(path, &st) == 0 && (guint64) st.st_size == bytes)
        return true;
    made = g_mkstemp_full(tmp, O_RDWR | O_CLOEXEC, 0644);
    if (made < 0)
        return vs_fail_errno(err, errno, "cannot make a file in '%s'", dir);
    ok = bytes == 0 || fill(tmp, bytes, err);
    if (ok && rename(tmp, path) < 0)
        ok = vs_fail_errno(err, errno, "cannot rename");
    if (!ok) {
        g_unlink(tmp);
        g_prefix_error(err, "work file '%s': ", path);
    }
    return ok;
}
