/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What QEMU writes to its standard error: see machine.h. */
#include "base/file.h"
#include "vm/machine-parts.h"

/* The embedded driver keeps one for each name. */
static char *
log_path(const Connect *connect, const char *name)
{
    g_autofree char *file = g_strconcat(name, ".log", NULL);

    if (!connect_embedded(connect))
        return NULL;
    return g_build_filename(connect_root(connect), "log/qemu", file, NULL);
}

/* A sweep starts thousands of names. */
void
machine_remove_log(const Connect *connect, const char *name)
{
    g_autofree char *path = log_path(connect, name);

    if (path)
        file_remove(path, NULL);
}

char *
machine_qemu_log(const Machine *machine, gsize max)
{
    g_autofree char *path = log_path(machine->connect, machine->name);

    return path ? file_tail(path, max) : g_strdup("");
}
