/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of ours that a killed run leaves: see leavings.h. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/paths.h"
#include "guest/disk.h"
#include "host/cgroup.h"
#include "run/leavings.h"

/* The list of storage directories, one a line, in the cache directory. */
#define STORAGES "storages"
#define STORAGES_MAX (64 * 1024)

/* What --all removes from the cache directory besides images. */
static const char *const caches[] = {"initramfs", "kernel",    "kvm-proof",
                                     "libvirt",   "appliance", "payload",
                                     STORAGES};

static char *
read_storages(const char *cache)
{
    g_autofree char *path = g_build_filename(cache, STORAGES, NULL);
    char *text = file_read(path, STORAGES_MAX, NULL, NULL);

    return text ? text : g_strdup("");
}

bool
leavings_remember(const char *storage, GError **err)
{
    g_autofree char *cache = paths_cache(err);
    g_autofree char *text = NULL, *path = NULL, *longer = NULL;
    g_auto(GStrv) lines = NULL;

    if (!cache)
        return false;
    text = read_storages(cache);
    lines = g_strsplit(text, "\n", -1);
    if (g_strv_contains((const char *const *) lines, storage))
        return true;
    path = g_build_filename(cache, STORAGES, NULL);
    longer = g_strconcat(text, storage, "\n", NULL);
    return file_write(path, longer, -1, err);
}

static void
tell(GPtrArray *report, const char *path)
{
    if (report)
        g_ptr_array_add(report, g_strdup_printf("removed '%s'", path));
}

bool
leavings_clean_storage(const char *storage, bool all, GPtrArray *report,
                       GError **err)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(DiskLock) lock = NULL;

    if (!g_file_test(storage, G_FILE_TEST_IS_DIR))
        return true;
    lock = disk_lock(storage, err);
    if (!lock || !disk_clean(storage, all, paths, err))
        return false;
    for (guint i = 0; i < paths->len; i++)
        tell(report, paths->pdata[i]);
    return true;
}

static bool
clean_storages(const char *cache, bool all, GPtrArray *report, GError **err)
{
    g_autofree char *text = read_storages(cache);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (gsize i = 0; lines[i]; i++)
        if (*lines[i] && !leavings_clean_storage(lines[i], all, report, err))
            return false;
    return true;
}

/* scratch-PID of a process that is gone. */
static bool
is_stale_scratch(const char *name)
{
    const char *pid = name + strlen("scratch-");

    return g_str_has_prefix(name, "scratch-") && atoi(pid) > 0 &&
           kill(atoi(pid), 0) < 0 && errno == ESRCH;
}

static bool
remove_reported(const char *path, GPtrArray *report, GError **err)
{
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return true;
    if (!file_remove(path, err))
        return false;
    tell(report, path);
    return true;
}

static bool
clean_scratch(const char *cache, GPtrArray *report, GError **err)
{
    g_autoptr(GDir) dir = g_dir_open(cache, 0, NULL);
    const char *name = NULL;

    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(cache, name, NULL);

        if (is_stale_scratch(name) && !remove_reported(path, report, err))
            return false;
    }
    return true;
}

bool
leavings_clean(bool all, GPtrArray *report, GError **err)
{
    g_autofree char *cache = paths_cache(err);

    if (!cache || !clean_storages(cache, all, report, err) ||
        !clean_scratch(cache, report, err) || !cgroup_clean("", report, err))
        return false;
    for (gsize i = 0; all && i < G_N_ELEMENTS(caches); i++) {
        g_autofree char *path = g_build_filename(cache, caches[i], NULL);

        if (!remove_reported(path, report, err))
            return false;
    }
    return true;
}
