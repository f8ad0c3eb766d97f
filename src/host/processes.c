/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One walk over /proc/PID/stat, then the chains of parents decide who is
 * whose: see processes.h.
 */
#include "host/processes.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd-auto.h"
#include "host/source.h"

/* Parent of every kernel thread.  They do the guest's I/O, so that they are
 * not foreign (METHOD 0.10). */
#define KTHREADD 2

/* More generations than any tree has; ends a walk over a table that changed
 * while it was read. */
#define MAX_DEPTH 64

typedef struct Process {
    pid_t pid, ppid;
    gint64 utime, stime, children; /* ticks */
} Process;

/* proc(5): pid (comm) state ppid ... utime stime cutime cstime ...; comm may
 * hold blanks and parentheses, so that only the last ')' ends it. */
static bool
parse_stat(const char *text, Process *ret)
{
    const char *rest = strrchr(text, ')');
    gint64 cutime = 0, cstime = 0;
    int ppid = 0;

    if (!rest || sscanf(rest + 1,
                        " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u"
                        " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                        " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                        &ppid, &ret->utime, &ret->stime, &cutime, &cstime) != 5)
        return false;
    ret->pid = (pid_t) g_ascii_strtoll(text, NULL, 10);
    ret->ppid = ppid;
    ret->children = cutime + cstime;
    return true;
}

static DIR *
open_dir(const char *root, const char *below)
{
    g_autofree char *path = g_strconcat(root, below, NULL);

    return opendir(path);
}

/* All processes by pid, owned by the table. */
static GHashTable *
read_all(const char *root)
{
    GHashTable *all = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    DIR *proc = open_dir(root, "/proc");

    if (!proc)
        return all;
    for (struct dirent *entry; (entry = readdir(proc));) {
        char path[NAME_MAX + 8], text[SOURCE_PAGE];
        Process one = {0};
        if (!g_ascii_isdigit(entry->d_name[0]))
            continue;
        g_snprintf(path, sizeof(path), "%s/stat", entry->d_name);
        if (source_read_at(dirfd(proc), path, text, sizeof(text)) &&
            parse_stat(text, &one))
            g_hash_table_replace(all, GINT_TO_POINTER(one.pid),
                                 g_memdup2(&one, sizeof(one)));
    }
    closedir(proc);
    return all;
}

static bool
is_kernel_thread(const Process *process)
{
    return process->pid == KTHREADD || process->ppid == KTHREADD;
}

/* Whether it is this process, `pid`, or comes from either. */
static bool
is_ours(GHashTable *all, const Process *process, pid_t self, pid_t pid)
{
    for (guint depth = 0; process && depth < MAX_DEPTH; depth++) {
        if (process->pid == self || process->pid == pid)
            return true;
        process = g_hash_table_lookup(all, GINT_TO_POINTER(process->ppid));
    }
    return false;
}

static gint64
sum_foreign(GHashTable *all, pid_t pid)
{
    GHashTableIter iter;
    gpointer value = NULL;
    pid_t self = getpid();
    gint64 sum = 0;

    g_hash_table_iter_init(&iter, all);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const Process *process = value;
        if (!is_kernel_thread(process) && !is_ours(all, process, self, pid))
            sum += process->utime + process->stime + process->children;
    }
    return sum;
}

/* schedstat: nanoseconds run, nanoseconds waiting to run, time slices.  Kept
 * per thread only. */
static void
add_threads(const char *root, pid_t pid, Processes *ret)
{
    g_autofree char *below = g_strdup_printf("/proc/%d/task", (int) pid);
    DIR *tasks = open_dir(root, below);

    if (!tasks)
        return;
    for (struct dirent *entry; (entry = readdir(tasks));) {
        char path[NAME_MAX + 16], text[SOURCE_PAGE];
        gint64 run = 0, delay = 0;
        if (!g_ascii_isdigit(entry->d_name[0]))
            continue;
        g_snprintf(path, sizeof(path), "%s/schedstat", entry->d_name);
        if (!source_read_at(dirfd(tasks), path, text, sizeof(text)) ||
            sscanf(text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &run,
                   &delay) != 2)
            continue;
        ret->run_ns += run;
        ret->run_delay_ns += delay;
        ret->found_schedstat = true;
    }
    closedir(tasks);
}

void
processes_read(const char *root, pid_t pid, Processes *ret)
{
    g_autoptr(GHashTable) all = read_all(root);
    const Process *guest = NULL;

    *ret = (Processes){.found_any = g_hash_table_size(all) > 0};
    ret->foreign_ticks = sum_foreign(all, pid);
    if (pid == 0)
        return;
    guest = g_hash_table_lookup(all, GINT_TO_POINTER(pid));
    if (guest) {
        ret->found_pid = true;
        ret->utime_ticks = guest->utime;
        ret->stime_ticks = guest->stime;
    }
    add_threads(root, pid, ret);
}
