/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libvirt's words into a file: see quiet.h. */
#include <unistd.h>
#include "base/paths.h"
#include "vm/quiet.h"

#define VARIABLE "LIBVIRT_LOG_OUTPUTS"

void
quiet_restart(char **argv)
{
    g_autofree char *runtime = NULL, *output = NULL;

    if (g_getenv(VARIABLE))
        return;
    runtime = paths_runtime(NULL);
    /* 3: warnings and errors. */
    output = runtime ? g_strdup_printf("3:file:%s/libvirt.log", runtime)
                     : g_strdup("3:file:/dev/null");
    g_setenv(VARIABLE, output, TRUE);
    execv("/proc/self/exe", argv);
}
