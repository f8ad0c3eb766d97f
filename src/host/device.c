/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a path to the whole block device below it.  The device number answers
 * for most file systems; those with a number of their own making (btrfs) are
 * looked up by the source of their mount.
 */
#include "host/counters.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* realpath(3), caller frees with g_free(); NULL when there is no such file. */
static char *
resolve(const char *path)
{
    char resolved[PATH_MAX];

    return realpath(path, resolved) ? g_strdup(resolved) : NULL;
}

/* The disk of a sysfs block directory: itself, or its parent directory when it
 * is a partition.  Device mapper and loop devices stay what they are. */
static char *
whole_device(const char *sysfs)
{
    g_autofree char *directory = resolve(sysfs);
    g_autofree char *mark = NULL;
    g_autofree char *parent = NULL;

    if (!directory)
        return NULL;
    mark = g_build_filename(directory, "partition", NULL);
    if (!g_file_test(mark, G_FILE_TEST_EXISTS))
        return g_path_get_basename(directory);
    parent = g_path_get_dirname(directory);
    return g_path_get_basename(parent);
}

static char *
device_by_number(const char *root, dev_t number)
{
    g_autofree char *sysfs = g_strdup_printf("%s/sys/dev/block/%u:%u", root,
                                             major(number), minor(number));

    return whole_device(sysfs);
}

/* Whether `path` lies in the tree mounted at `mount`; gives the depth. */
static bool
below_mount(const char *path, const char *mount, gsize *ret_length)
{
    gsize length = strlen(mount);

    if (strcmp(mount, "/") == 0)
        length = 0;
    if (strncmp(path, mount, length) != 0 ||
        (path[length] != '/' && path[length] != '\0'))
        return false;
    *ret_length = length;
    return true;
}

/* The source of the innermost mount that holds `path`, from the lines of
 * mountinfo: "26 1 254:0 / /mnt rw - ext4 /dev/vda rw".  Later lines lie over
 * earlier ones.  Caller frees. */
static char *
mount_source(const char *mountinfo, const char *path)
{
    g_auto(GStrv) lines = g_strsplit(mountinfo, "\n", -1);
    char *source = NULL;
    gsize deepest = 0, length = 0;

    for (char **line = lines; *line; line++) {
        const char *tail = strstr(*line, " - ");
        g_auto(GStrv) fields = g_strsplit(*line, " ", 6);
        g_auto(GStrv) behind = tail ? g_strsplit(tail + 3, " ", 3) : NULL;
        if (!behind || g_strv_length(behind) < 2 || g_strv_length(fields) < 6)
            continue;
        /* Blanks and such are written as octal escapes. */
        g_autofree char *mount = g_strcompress(fields[4]);
        if (!below_mount(path, mount, &length) || length < deepest)
            continue;
        deepest = length;
        g_free(source);
        source = g_strcompress(behind[1]);
    }
    return source;
}

static char *
device_by_mount(const char *root, const char *path)
{
    g_autofree char *mounts = g_strconcat(root, "/proc/self/mountinfo", NULL);
    g_autofree char *mountinfo = NULL;
    g_autofree char *full = resolve(path);
    g_autofree char *top = resolve(root[0] ? root : "/");
    g_autofree char *source = NULL;
    g_autofree char *node = NULL;
    g_autofree char *real = NULL;
    g_autofree char *name = NULL;
    g_autofree char *sysfs = NULL;

    if (!full || !top || !g_file_get_contents(mounts, &mountinfo, NULL, NULL))
        return NULL;
    source = mount_source(mountinfo, full + (root[0] ? strlen(top) : 0));
    if (!source || !g_str_has_prefix(source, "/dev/"))
        return NULL;
    /* /dev/mapper/name is a link to /dev/dm-0. */
    node = g_strconcat(root, source, NULL);
    real = resolve(node);
    name = g_path_get_basename(real ? real : source);
    sysfs =
        g_build_filename(root[0] ? root : "/", "sys/class/block", name, NULL);
    return whole_device(sysfs);
}

char *
counters_device(const char *root, const char *path)
{
    g_autofree char *full = g_strconcat(root, path, NULL);
    struct stat st;
    char *device = NULL;

    if (stat(full, &st) < 0)
        return NULL;
    device = device_by_number(root, st.st_dev);
    return device ? device : device_by_mount(root, full);
}
