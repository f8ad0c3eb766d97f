/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The programs that images are made with, and stopping between two of them. */
#include <unistd.h>
#include "base/child.h"
#include "base/signals.h"
#include "guest/disk-parts.h"

/* Where system programs are; a plain user's PATH has not got these. */
static const char *const system_dirs[] = {"/usr/sbin", "/sbin", NULL};

bool
disk_not_interrupted(GError **err)
{
    if (!signals_pending())
        return true;
    g_set_error(err, VS_ERROR, VS_ERROR_INTERRUPTED, "interrupted");
    return false;
}

/* The program's path, NULL when it is not installed.  Caller frees. */
static char *
find_tool(const char *name)
{
    char *path = g_find_program_in_path(name);

    for (gsize i = 0; !path && system_dirs[i]; i++) {
        path = g_build_filename(system_dirs[i], name, NULL);
        if (access(path, X_OK) < 0)
            g_clear_pointer(&path, g_free);
    }
    return path;
}

bool
disk_tool(const char *package, const char **argv, GError **err)
{
    g_autofree char *path = find_tool(argv[0]);

    if (!path)
        return vs_fail(err, "cannot find %s: install the package %s", argv[0],
                       package);
    argv[0] = path;
    return child_run(argv, NULL, err);
}
