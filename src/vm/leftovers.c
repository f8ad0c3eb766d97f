/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a killed vsweep leaves: see leftovers.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "base/file.h"
#include "vm/domain.h"
#include "vm/embed.h"
#include "vm/leftovers.h"
#include "vm/qemu.h"

/* A killed QEMU is gone within milliseconds unless it waits for a disk. */
#define DEATH_MS 20000
/* libvirt's process driver below the cgroup mounts, without systemd. */
#define CGROUP_MOUNTS "/sys/fs/cgroup"

static void
tell(GPtrArray *report, char *line)
{
    if (report)
        g_ptr_array_add(report, line);
    else
        g_free(line);
}

/* "domain-7-vsweep-x", "7-vsweep-x", "vsweep-x.xml": ours? */
static bool
names_ours(const char *entry)
{
    if (g_str_has_prefix(entry, "domain-"))
        entry += strlen("domain-");
    if (g_ascii_isdigit(*entry)) {
        entry += strspn(entry, "0123456789");
        if (*entry++ != '-')
            return false;
    }
    return g_str_has_prefix(entry, DOMAIN_PREFIX);
}

/* Kills one QEMU and waits for its end, since it holds the locks of its
 * images until then. */
static bool
kill_qemu(const QemuProcess *process, GPtrArray *report, GError **err)
{
    g_autofd int fd = pidfd_open(process->pid, 0);
    struct pollfd wait = {.fd = fd, .events = POLLIN};

    if (fd < 0 || !qemu_process_signal(process->pid, process->guest, SIGKILL))
        return true; /* it has ended by itself */
    if (poll(&wait, 1, DEATH_MS) == 0)
        return vs_fail(err,
                       "QEMU (pid %d) of a killed vsweep does not die: it "
                       "waits for a disk that does not answer",
                       (int) process->pid);
    tell(report, g_strdup_printf("killed QEMU (pid %d) of '%s', left by a "
                                 "vsweep that was killed",
                                 (int) process->pid, process->guest));
    return true;
}

static bool
is_leftover(const QemuProcess *process)
{
    return process->uid == geteuid() && process->root &&
           g_str_has_prefix(process->guest, DOMAIN_PREFIX);
}

static bool
kill_qemus(const char *root, GPtrArray *report, GError **err)
{
    g_autoptr(GPtrArray) list = qemu_process_list();

    for (guint i = 0; i < list->len; i++) {
        const QemuProcess *process = list->pdata[i];

        if (is_leftover(process) && strcmp(process->root, root) == 0 &&
            !kill_qemu(process, report, err))
            return false;
    }
    return true;
}

static bool
remove_ours_in(const char *root, const char *sub, GPtrArray *report,
               GError **err)
{
    g_autofree char *path = g_build_filename(root, sub, NULL);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *entry = NULL;

    while (dir && (entry = g_dir_read_name(dir))) {
        g_autofree char *full = g_build_filename(path, entry, NULL);

        if (!names_ours(entry))
            continue;
        if (!file_remove(full, err))
            return false;
        tell(report, g_strdup_printf("removed '%s'", full));
    }
    return true;
}

/* Where the embedded driver, and vsweep in the root itself, keep what belongs
 * to one domain. */
static bool
remove_state(const char *root, GPtrArray *report, GError **err)
{
    static const char *const subs[] = {"run/qemu",
                                       "lib/qemu",
                                       "lib/qemu/channel/target",
                                       "lib/qemu/ram",
                                       "lib/qemu/ram/libvirt/qemu",
                                       "lib/qemu/save",
                                       "lib/qemu/dump",
                                       "log/qemu",
                                       ""};

    for (gsize i = 0; i < G_N_ELEMENTS(subs); i++)
        if (!remove_ours_in(root, subs[i], report, err))
            return false;
    return true;
}

/* A cgroup directory's files go with it; only its subdirectories must go
 * first.  One with a living process in it stays. */
static bool
remove_cgroup(const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *entry = NULL;

    while (dir && (entry = g_dir_read_name(dir))) {
        g_autofree char *full = g_build_filename(path, entry, NULL);

        if (!g_file_test(full, G_FILE_TEST_IS_SYMLINK) &&
            g_file_test(full, G_FILE_TEST_IS_DIR))
            remove_cgroup(full);
    }
    return rmdir(path) == 0;
}

/* Without systemd libvirt makes MOUNT/machine/qemu-embed-HASH-ID-NAME..., the
 * hash being the start of the SHA-256 of the root's path. */
static void
remove_cgroups_in(const char *mount, const char *root, GPtrArray *report)
{
    g_autofree char *hash =
        g_compute_checksum_for_string(G_CHECKSUM_SHA256, root, -1);
    g_autofree char *prefix = g_strdup_printf("qemu-embed-%.8s-", hash);
    g_autofree char *machine = g_build_filename(mount, "machine", NULL);
    g_autoptr(GDir) dir = g_dir_open(machine, 0, NULL);
    const char *entry = NULL;

    while (dir && (entry = g_dir_read_name(dir))) {
        g_autofree char *full = g_build_filename(machine, entry, NULL);

        if (g_str_has_prefix(entry, prefix) &&
            strstr(entry, "-" DOMAIN_PREFIX) && remove_cgroup(full))
            tell(report, g_strdup_printf("removed '%s'", full));
    }
}

/* cgroup v2 is the mount itself, each v1 controller a mount below it. */
static void
remove_cgroups(const char *root, GPtrArray *report)
{
    g_autoptr(GDir) dir = g_dir_open(CGROUP_MOUNTS, 0, NULL);
    const char *entry = NULL;

    remove_cgroups_in(CGROUP_MOUNTS, root, report);
    while (dir && (entry = g_dir_read_name(dir))) {
        g_autofree char *mount = g_build_filename(CGROUP_MOUNTS, entry, NULL);

        remove_cgroups_in(mount, root, report);
    }
}

/* Every root that a QEMU of ours names and nobody holds. */
static bool
clean_all_roots(GPtrArray *report, GError **err)
{
    g_autoptr(GPtrArray) list = qemu_process_list();

    for (guint i = 0; i < list->len; i++) {
        const QemuProcess *process = list->pdata[i];

        if (is_leftover(process) && embed_holder(process->root) == 0 &&
            !leftovers_clean_root(process->root, report, err))
            return false;
    }
    return true;
}

bool
leftovers_clean_root(const char *root, GPtrArray *report, GError **err)
{
    pid_t holder = root ? embed_holder(root) : 0;

    if (!root)
        return clean_all_roots(report, err);
    if (holder)
        return embed_fail_held(root, holder, err);
    if (!kill_qemus(root, report, err) || !remove_state(root, report, err) ||
        !embed_remove_lock(root, err))
        return false;
    remove_cgroups(root, report);
    return true;
}
