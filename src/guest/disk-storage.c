/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directory that the images live in: room, kind of file system, O_DIRECT,
 * and how it is described in the results.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "base/fd-auto.h"
#include "base/file.h"
#include "base/units.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"

/* Not in linux/magic.h: OpenZFS is no part of Linux. */
#define ZFS_MAGIC 0x2fc12fc1
/* mountinfo is a few KiB; with thousands of containers a few MiB. */
#define MOUNTINFO_MAX (16 * 1024 * 1024)

/* File systems under which an image is not what it seems. */
static const struct Unfit {
    unsigned long magic;
    const char *name;
    const char *why;
} unfit[] = {
    {TMPFS_MAGIC, "tmpfs", "it is memory, not a disk"},
    {RAMFS_MAGIC, "ramfs", "it is memory, not a disk"},
    {OVERLAYFS_SUPER_MAGIC, "overlay",
     "what is measured is the layer below, which the name hides"},
    {BTRFS_SUPER_MAGIC, "btrfs",
     "every rewrite of an image moves its blocks unless NOCOW is set"},
    {ZFS_MAGIC, "ZFS",
     "every rewrite of an image moves its blocks, and its own cache stays"},
};

static char *
storage_warning(const char *storage, unsigned long magic)
{
    for (gsize i = 0; i < G_N_ELEMENTS(unfit); i++)
        if (magic == unfit[i].magic)
            return g_strdup_printf("storage '%s' is on %s: %s", storage,
                                   unfit[i].name, unfit[i].why);
    return NULL;
}

bool
disk_check_storage(const char *storage, guint64 needed, char **ret_warning,
                   GError **err)
{
    struct statvfs room = {0};
    struct statfs kind = {0};
    guint64 available = 0;

    if (!file_mkdir(storage, err))
        return false;
    if (statvfs(storage, &room) < 0 || statfs(storage, &kind) < 0)
        return vs_fail_errno(err, errno, "cannot ask for the room in '%s'",
                             storage);
    if (access(storage, W_OK | X_OK) < 0)
        return vs_fail_errno(err, errno, "cannot write to the storage '%s'",
                             storage);
    available = (guint64) room.f_bavail * room.f_frsize;
    if (available < needed) {
        g_autofree char *want = units_format_size(needed);
        g_autofree char *have = units_format_size(available);

        return vs_fail(err,
                       "not enough room in the storage '%s': %s needed "
                       "(%" G_GUINT64_FORMAT " bytes), %s free "
                       "(%" G_GUINT64_FORMAT " bytes)",
                       storage, want, needed, have, available);
    }
    *ret_warning = storage_warning(storage, (unsigned long) kind.f_type);
    return true;
}

bool
disk_probe_direct(const char *storage)
{
    g_autofree char *path =
        g_build_filename(storage, DISK_TMP_PREFIX "probe-XXXXXX", NULL);
    g_autofd int made = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
    g_autofd int fd = -1;
    void *buffer = NULL;
    bool works = false;

    if (made < 0)
        return false;
    fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
    if (fd >= 0 && posix_memalign(&buffer, DISK_ALIGN, DISK_ALIGN) == 0) {
        memset(buffer, 0, DISK_ALIGN);
        works = pwrite(fd, buffer, DISK_ALIGN, 0) == DISK_ALIGN &&
                pread(fd, buffer, DISK_ALIGN, 0) == DISK_ALIGN;
        free(buffer);
    }
    g_unlink(path);
    return works;
}

/* Whether `path` is the directory `mount` or below it. */
static bool
is_below(const char *path, const char *mount)
{
    gsize length = strlen(mount);

    if (g_str_equal(mount, "/"))
        return true;
    return strncmp(path, mount, length) == 0 &&
           (path[length] == '/' || path[length] == '\0');
}

/* The options of the mount, then those of the file system that it does not
 * say already. */
static char *
join_options(const char *mount, const char *super)
{
    g_auto(GStrv) own = g_strsplit(mount, ",", -1);
    g_auto(GStrv) more = g_strsplit(super, ",", -1);
    g_autoptr(GString) all = g_string_new(mount);

    for (gsize i = 0; more[i]; i++)
        if (!g_strv_contains((const char *const *) own, more[i]))
            g_string_append_printf(all, ",%s", more[i]);
    return g_string_free(g_steal_pointer(&all), FALSE);
}

/* "36 35 98:0 /root /mount rw,noatime master:1 - ext3 /dev/sda rw" (proc(5)):
 * describes that file system when `path` is on it, NULL otherwise. */
static char *
describe_line(const char *line, const char *path, gsize *ret_length)
{
    g_auto(GStrv) halves = g_strsplit(line, " - ", 2);
    g_auto(GStrv) left = NULL, right = NULL;
    g_autofree char *mount = NULL, *options = NULL;

    if (g_strv_length(halves) != 2)
        return NULL;
    left = g_strsplit(halves[0], " ", -1);
    right = g_strsplit(halves[1], " ", -1);
    if (g_strv_length(left) < 6 || g_strv_length(right) < 3)
        return NULL;
    mount = g_strcompress(left[4]); /* \040 is a space */
    if (!is_below(path, mount))
        return NULL;
    options = join_options(left[5], right[2]);
    *ret_length = strlen(mount);
    return g_strdup_printf("%s on %s (%s)", right[0], right[1], options);
}

char *
disk_describe_mount(const char *mountinfo, const char *path)
{
    g_auto(GStrv) lines = g_strsplit(mountinfo, "\n", -1);
    g_autofree char *best = NULL;
    gsize best_length = 0;

    /* Of two at the same place the later one hides the earlier. */
    for (gsize i = 0; lines[i]; i++) {
        gsize length = 0;
        char *found = describe_line(lines[i], path, &length);

        if (found && length >= best_length) {
            g_free(best);
            best = found;
            best_length = length;
        } else {
            g_free(found);
        }
    }
    return best ? g_steal_pointer(&best) : g_strdup("unknown");
}

char *
disk_describe_storage(const char *storage)
{
    g_autofree char *text =
        file_read("/proc/self/mountinfo", MOUNTINFO_MAX, NULL, NULL);
    char *path = realpath(storage, NULL);
    char *described =
        disk_describe_mount(text ? text : "", path ? path : storage);

    free(path);
    return described;
}
