/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QEMU processes as /proc shows them: see qemu.h. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "vm/qemu.h"

/* Below its root the embedded driver keeps one such directory for each
 * domain, and the path of the master key in it is always an argument. */
#define DOMAIN_DIR "/lib/qemu/domain-"

void
qemu_process_free(QemuProcess *process)
{
    g_free(process->guest);
    g_free(process->root);
    g_free(process);
}

static bool
is_qemu_name(const char *path)
{
    g_autofree char *base = g_path_get_basename(path);

    return g_str_has_prefix(base, "qemu-system") ||
           strcmp(base, "qemu-kvm") == 0 || strcmp(base, "kvm") == 0;
}

/* Whatever argv[0] says, the executable decides; but the link of another
 * user's process cannot be read. */
static bool
is_qemu(pid_t pid, const char *argv0)
{
    g_autofree char *link = g_strdup_printf("/proc/%d/exe", (int) pid);
    g_autofree char *exe = g_file_read_link(link, NULL);

    return is_qemu_name(exe ? exe : argv0);
}

static char *
read_argv(pid_t pid, gsize *ret_length)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/cmdline", (int) pid);
    char *argv = NULL;

    if (!g_file_get_contents(path, &argv, ret_length, NULL))
        return NULL;
    if (*ret_length == 0)
        g_clear_pointer(&argv, g_free);
    return argv;
}

/* The argument behind `option`, or NULL. */
static const char *
argument_of(const char *argv, gsize length, const char *option)
{
    const char *end = argv + length;

    for (const char *arg = argv; arg < end; arg += strlen(arg) + 1) {
        const char *next = arg + strlen(arg) + 1;

        if (strcmp(arg, option) == 0 && next < end)
            return next;
    }
    return NULL;
}

char *
qemu_argv_guest(const char *argv, gsize length)
{
    const char *name = argument_of(argv, length, "-name");
    g_autoptr(GString) guest = g_string_new(NULL);

    if (!name || !g_str_has_prefix(name, "guest="))
        return NULL;
    /* A comma ends the value; two of them stand for one. */
    for (name += strlen("guest="); *name; name++) {
        if (name[0] == ',' && name[1] != ',')
            break;
        if (name[0] == ',')
            name++;
        g_string_append_c(guest, *name);
    }
    return g_string_free(g_steal_pointer(&guest), FALSE);
}

char *
qemu_argv_root(const char *argv, gsize length)
{
    const char *end = argv + length;

    for (const char *arg = argv; arg < end; arg += strlen(arg) + 1) {
        const char *found = strstr(arg, DOMAIN_DIR);
        const char *start = found;

        while (start && start > arg && start[-1] != '"' && start[-1] != '=')
            start--;
        if (start && start < found && *start == '/')
            return g_strndup(start, (gsize) (found - start));
    }
    return NULL;
}

QemuProcess *
qemu_process_read(pid_t pid)
{
    gsize length = 0;
    g_autofree char *argv = read_argv(pid, &length);
    g_autofree char *dir = g_strdup_printf("/proc/%d", (int) pid);
    g_autofree char *guest = NULL;
    struct stat st = {0};
    QemuProcess *process = NULL;

    if (!argv || !is_qemu(pid, argv) || stat(dir, &st) < 0)
        return NULL;
    guest = qemu_argv_guest(argv, length);
    if (!guest)
        return NULL;
    process = g_new0(QemuProcess, 1);
    process->pid = pid;
    process->uid = st.st_uid;
    process->guest = g_steal_pointer(&guest);
    process->root = qemu_argv_root(argv, length);
    return process;
}

GPtrArray *
qemu_process_list(void)
{
    GPtrArray *list =
        g_ptr_array_new_with_free_func((GDestroyNotify) qemu_process_free);
    g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
    const char *entry = NULL;

    while (proc && (entry = g_dir_read_name(proc))) {
        QemuProcess *process = NULL;

        if (!g_ascii_isdigit(*entry))
            continue;
        process = qemu_process_read((pid_t) g_ascii_strtoll(entry, NULL, 10));
        if (process)
            g_ptr_array_add(list, process);
    }
    return list;
}

pid_t
qemu_process_find(const char *name)
{
    g_autoptr(GPtrArray) list = qemu_process_list();

    for (guint i = 0; i < list->len; i++) {
        const QemuProcess *process = list->pdata[i];

        if (strcmp(process->guest, name) == 0)
            return process->pid;
    }
    return 0;
}

bool
qemu_process_signal(pid_t pid, const char *name, int signal)
{
    /* The descriptor pins the process, so the look behind it is reliable. */
    g_autofd int fd = pidfd_open(pid, 0);
    g_autoptr(QemuProcess) process = fd >= 0 ? qemu_process_read(pid) : NULL;

    return process && strcmp(process->guest, name) == 0 &&
           pidfd_send_signal(fd, signal, NULL, 0) == 0;
}

char *
qemu_process_argv(pid_t pid)
{
    gsize length = 0;
    char *argv = read_argv(pid, &length);

    for (gsize i = 0; argv && i + 1 < length; i++)
        if (argv[i] == '\0')
            argv[i] = '\n';
    return argv;
}
