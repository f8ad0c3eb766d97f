/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See blocks.h: the work file itself.
 */
#include "guest-payload/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest-payload/text.h"

#define MAKE_CHUNK ((size_t) 1 << 20)

bool
workfile_open(const char *dir, int flags, uint64_t bytes, int *ret_fd,
              Fail *fail)
{
    char path[PATH_MAX];
    struct stat status;

    snprintf(path, sizeof(path), "%s/work", dir);
    int fd = open(path, flags | O_CLOEXEC);
    if (fd < 0)
        return fail_set(fail, errno, "cannot open the work file %s%s", path,
                        flags & O_DIRECT ? " with O_DIRECT" : "");
    if (fstat(fd, &status) != 0 || (uint64_t) status.st_size < bytes) {
        close(fd);
        return fail_set(fail, 0,
                        "the work file %s has %lld bytes, %llu are "
                        "needed",
                        path, (long long) status.st_size,
                        (unsigned long long) bytes);
    }
    *ret_fd = fd;
    return true;
}

static bool
fill_file(int fd, uint64_t bytes, unsigned char *buffer, Fail *fail)
{
    uint64_t seed = (uint64_t) getpid() << 32 ^ bytes;

    for (uint64_t done = 0; done < bytes;) {
        size_t size = bytes - done < MAKE_CHUNK ? bytes - done : MAKE_CHUNK;
        if (!stop_check(fail))
            return false;
        random_fill(seed + done, buffer, size);
        ssize_t put = write(fd, buffer, size);
        if (put <= 0)
            return fail_set(fail, put < 0 ? errno : EIO,
                            "cannot fill the work file with %llu bytes",
                            (unsigned long long) bytes);
        done += (uint64_t) put;
    }
    if (fsync(fd) != 0)
        return fail_set(fail, errno, "cannot put the work file on disk");
    return true;
}

bool
workfile_make(const char *dir, uint64_t bytes, Fail *fail)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/work", dir);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_set(fail, errno, "cannot make the work file %s", path);
    unsigned char *buffer = malloc(MAKE_CHUNK);
    bool ok = buffer ? fill_file(fd, bytes, buffer, fail)
                     : fail_set(fail, ENOMEM, "cannot fill the work file");
    free(buffer);
    close(fd);
    if (!ok)
        unlink(path);
    return ok;
}

bool
workfile_evict(int fd, bool all, Fail *fail)
{
    /* Dirty pages stay whatever one advises, so they are written first. */
    if (fdatasync(fd) != 0)
        return fail_set(fail, errno, "cannot sync the work file");
    int error = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    if (error)
        return fail_set(fail, error, "cannot evict the work file");
    if (!all)
        return true;
    sync();
    return text_write("/proc/sys/vm/drop_caches", "3", fail);
}

bool
workfile_resident(int fd, uint64_t bytes, double *ret_ratio, Fail *fail)
{
    size_t page = (size_t) sysconf(_SC_PAGESIZE);
    size_t pages = (bytes + page - 1) / page, resident = 0;
    unsigned char *vector = malloc(pages);
    void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    bool ok = vector && map != MAP_FAILED && mincore(map, bytes, vector) == 0;

    if (!ok)
        fail_set(fail, errno, "cannot see what is cached of the work file");
    for (size_t i = 0; ok && i < pages; i++)
        resident += vector[i] & 1;
    if (map != MAP_FAILED)
        munmap(map, bytes);
    free(vector);
    if (ok)
        *ret_ratio = (double) resident / (double) pages;
    return ok;
}
