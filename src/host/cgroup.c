/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control groups of our own, directly below the mount: where libvirt puts its
 * machines too, and where a limit on ourselves does not narrow the one we set.
 */
#include "host/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/fd-auto.h"
#include "base/file.h"

#define PREFIX "vsweep-"
#define PROCS "cgroup.procs"
/* A list of a few process ids. */
#define PROCS_MAX 4096
/* A process that was reaped leaves its group a moment later. */
#define EMPTY_LIMIT_NS (1 * CLOCK_NS_PER_S)
#define EMPTY_POLL_NS (5 * CLOCK_NS_PER_MS)

/* Where the memory controller hangs, and its limit. */
static const struct Version {
    const char *name, *mount, *limit;
} versions[] = {
    [1] = {"cgroup v1", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
    [2] = {"cgroup v2", "/sys/fs/cgroup", "memory.max"},
};

struct Cgroup {
    const struct Version *version;
    char *directory, *door;
};

/* Below a v2 mount groups have a limit only if it hands the controller down. */
static bool
is_there(const char *root, guint version)
{
    const struct Version *v = &versions[version];
    g_autofree char *v1 = g_strconcat(root, v->mount, "/", v->limit, NULL);
    g_autofree char *v2 =
        g_strconcat(root, v->mount, "/cgroup.subtree_control", NULL);
    g_autofree char *handed_down = file_read_line(v2);
    g_auto(GStrv) words = g_strsplit(handed_down ? handed_down : "", " ", -1);

    if (version == 1)
        return access(v1, F_OK) == 0;
    return g_strv_contains((const char *const *) words, "memory");
}

guint
cgroup_version(const char *root, const char **ret_why)
{
    const char *why = "no memory controller in /sys/fs/cgroup";

    for (guint version = 2; version > 0; version--) {
        g_autofree char *mount =
            g_strconcat(root, versions[version].mount, NULL);

        if (!is_there(root, version))
            continue;
        if (access(mount, W_OK) == 0)
            return version;
        why = "only root may make a control group";
    }
    if (ret_why)
        *ret_why = why;
    return 0;
}

/* In one write, as the kernel takes it. */
static bool
write_word(const char *directory, const char *name, const char *word,
           GError **err)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    g_autofd int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, word, strlen(word)) < 0)
        return vs_fail_errno(err, errno, "cannot write %s to '%s'", word, path);
    return true;
}

static bool
remove_group(const char *directory)
{
    gint64 deadline = clock_raw_ns() + EMPTY_LIMIT_NS;

    while (rmdir(directory) < 0) {
        if (errno != EBUSY || clock_raw_ns() >= deadline)
            return errno == ENOENT;
        clock_sleep_until(clock_raw_ns() + EMPTY_POLL_NS);
    }
    return true;
}

Cgroup *
cgroup_new(const char *root, guint64 memory, GError **err)
{
    g_autofree char *bytes = g_strdup_printf("%" G_GUINT64_FORMAT, memory);
    g_autofree char *directory = NULL;
    const char *why = NULL;
    guint version = cgroup_version(root, &why);
    Cgroup *cgroup = NULL;

    if (version == 0) {
        vs_fail(err, "memory cannot be limited: %s", why);
        return NULL;
    }
    directory = g_strdup_printf("%s%s/" PREFIX "%d", root,
                                versions[version].mount, (int) getpid());
    if (mkdir(directory, 0755) < 0 && errno != EEXIST) {
        vs_fail_errno(err, errno, "cannot make '%s'", directory);
        return NULL;
    }
    if (!write_word(directory, versions[version].limit, bytes, err)) {
        remove_group(directory);
        return NULL;
    }
    cgroup = g_new0(Cgroup, 1);
    cgroup->version = &versions[version];
    cgroup->door = g_build_filename(directory, PROCS, NULL);
    cgroup->directory = g_steal_pointer(&directory);
    return cgroup;
}

void
cgroup_free(Cgroup *cgroup)
{
    if (!cgroup)
        return;
    remove_group(cgroup->directory);
    g_free(cgroup->directory);
    g_free(cgroup->door);
    g_free(cgroup);
}

const char *
cgroup_door(const Cgroup *cgroup)
{
    return cgroup->door;
}

const char *
cgroup_name(const Cgroup *cgroup)
{
    return cgroup->version->name;
}

/* The process ids in a group, one a line. */
static char **
members(const char *directory)
{
    g_autofree char *path = g_build_filename(directory, PROCS, NULL);
    g_autofree char *text = file_read(path, PROCS_MAX, NULL, NULL);

    return g_strsplit(text ? text : "", "\n", -1);
}

guint64
cgroup_limit_of(const Cgroup *cgroup, pid_t pid)
{
    g_auto(GStrv) pids = members(cgroup->directory);
    g_autofree char *wanted = g_strdup_printf("%d", (int) pid);
    g_autofree char *path =
        g_build_filename(cgroup->directory, cgroup->version->limit, NULL);
    g_autofree char *limit = file_read_line(path);

    if (!limit || !g_strv_contains((const char *const *) pids, wanted))
        return 0;
    return g_ascii_strtoull(limit, NULL, 10);
}

/* vsweep-PID of a process that is gone. */
static bool
is_stale(const char *name)
{
    const char *pid = name + strlen(PREFIX);

    return g_str_has_prefix(name, PREFIX) && atoi(pid) > 0 &&
           kill(atoi(pid), 0) < 0 && errno == ESRCH;
}

static void
kill_members(const char *directory, GPtrArray *report)
{
    g_auto(GStrv) pids = members(directory);

    for (gsize i = 0; pids[i]; i++)
        if (atoi(pids[i]) > 0 && kill(atoi(pids[i]), SIGKILL) == 0 && report)
            g_ptr_array_add(report, g_strdup_printf("killed process %s in '%s'",
                                                    pids[i], directory));
}

static bool
clean_mount(const char *mount, GPtrArray *report, GError **err)
{
    g_autoptr(GDir) dir = g_dir_open(mount, 0, NULL);
    const char *name = NULL;

    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(mount, name, NULL);

        if (!is_stale(name))
            continue;
        kill_members(path, report);
        if (!remove_group(path))
            return vs_fail_errno(err, errno, "cannot remove '%s'", path);
        if (report)
            g_ptr_array_add(report, g_strdup_printf("removed '%s'", path));
    }
    return true;
}

bool
cgroup_clean(const char *root, GPtrArray *report, GError **err)
{
    for (guint version = 1; version < G_N_ELEMENTS(versions); version++) {
        g_autofree char *mount =
            g_strconcat(root, versions[version].mount, NULL);

        if (!clean_mount(mount, report, err))
            return false;
    }
    return true;
}
