/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of guest/disk share: a directory, files in it. */
#pragma once

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/fd-auto.h"
#include "skip.h"

#define MIB (G_GUINT64_CONSTANT(1) << 20)
#define DISK (16 * MIB)

/* Below the build directory, because /tmp may be memory. */
static char *dir;

static inline char *
below(const char *name)
{
    return g_build_filename(dir, name, NULL);
}

/* Writes `bytes` of `fill` at an offset, through the page cache. */
static inline void
scribble(const char *path, guint64 at, gsize bytes, int fill)
{
    g_autofree char *data = g_malloc(bytes);
    g_autofd int fd = open(path, O_WRONLY | O_CREAT, 0644);

    memset(data, fill, bytes);
    assert_int_equal(pwrite(fd, data, bytes, at), bytes);
    assert_int_equal(fsync(fd), 0);
}

static inline ino_t
inode_of(const char *path)
{
    struct stat st = {0};

    assert_int_equal(stat(path, &st), 0);
    return st.st_ino;
}
