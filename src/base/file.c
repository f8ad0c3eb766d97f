/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files, digests and directories: see file.h. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "base/fd-auto.h"
#include "base/file.h"

/* Read this much at a time while hashing. */
#define CHUNK (256 * 1024)
/* Directories nftw() may keep open at once. */
#define OPEN_DIRS 16

char *
file_read(const char *path, gsize max, gsize *ret_length, GError **err)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);
    g_autoptr(GString) text = g_string_new(NULL);
    char buffer[4096] = {0};
    ssize_t got = 0;

    if (fd < 0) {
        vs_fail_errno(err, errno, "cannot open '%s'", path);
        return NULL;
    }
    while ((got = read(fd, buffer, sizeof(buffer))) > 0) {
        g_string_append_len(text, buffer, got);
        if (text->len > max) {
            vs_fail(err, "'%s' is larger than %zu bytes", path, max);
            return NULL;
        }
    }
    if (got < 0) {
        vs_fail_errno(err, errno, "cannot read '%s'", path);
        return NULL;
    }
    if (ret_length)
        *ret_length = text->len;
    return g_string_free(g_steal_pointer(&text), FALSE);
}

char *
file_read_line(const char *path)
{
    char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    return g_strchomp(text);
}

bool
file_write(const char *path, const char *data, gssize length, GError **err)
{
    g_autoptr(GError) why = NULL;

    if (!g_file_set_contents_full(path, data, length,
                                  G_FILE_SET_CONTENTS_CONSISTENT |
                                      G_FILE_SET_CONTENTS_DURABLE,
                                  0644, &why))
        return vs_fail(err, "cannot write '%s': %s", path, why->message);
    return true;
}

bool
file_mkdir(const char *path, GError **err)
{
    if (g_mkdir_with_parents(path, 0755) < 0)
        return vs_fail_errno(err, errno, "cannot make directory '%s'", path);
    return true;
}

static int
remove_one(const char *path, const struct stat *st G_GNUC_UNUSED,
           int type G_GNUC_UNUSED, struct FTW *ftw G_GNUC_UNUSED)
{
    return remove(path);
}

bool
file_remove(const char *path, GError **err)
{
    struct stat st = {0};

    if (lstat(path, &st) < 0 && errno == ENOENT)
        return true;
    if (nftw(path, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS) < 0)
        return vs_fail_errno(err, errno, "cannot remove '%s'", path);
    return true;
}

char *
file_sha256(const char *path, GError **err)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree guint8 *buffer = g_malloc(CHUNK);
    ssize_t got = 0;

    if (fd < 0) {
        vs_fail_errno(err, errno, "cannot open '%s'", path);
        return NULL;
    }
    while ((got = read(fd, buffer, CHUNK)) > 0)
        g_checksum_update(sum, buffer, got);
    if (got < 0) {
        vs_fail_errno(err, errno, "cannot read '%s'", path);
        return NULL;
    }
    return g_strdup(g_checksum_get_string(sum));
}

char *
file_tail(const char *path, gsize max)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);
    g_autofree char *raw = g_malloc0(max + 1);
    off_t size = 0;
    ssize_t got = 0;
    char *text = NULL;

    if (fd < 0)
        return g_strdup("");
    size = lseek(fd, 0, SEEK_END);
    got = pread(fd, raw, max, size > (off_t) max ? size - (off_t) max : 0);
    text = g_utf8_make_valid(raw, MAX(got, 0));
    for (char *c = text; *c; c++)
        if (g_ascii_iscntrl(*c) && *c != '\n' && *c != '\t')
            *c = *c == '\r' ? ' ' : '.';
    return text;
}
