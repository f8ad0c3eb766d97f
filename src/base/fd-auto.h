/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `g_autofd int fd = open(...)`: closed when it leaves its block.  GLib has
 * it from 2.76 on; Debian 12 has 2.74.
 */
#pragma once

#include <unistd.h>
#include <glib.h>

#ifndef g_autofd
static inline void
fd_auto_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
}
#define g_autofd __attribute__((cleanup(fd_auto_close)))
#endif

/* Takes the descriptor out of the variable, so that it stays open. */
static inline int
fd_steal(int *fd)
{
    int taken = *fd;

    *fd = -1;
    return taken;
}
