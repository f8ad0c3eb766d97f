/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes below a channel: a socket, or a libvirt stream for a daemon's
 * domains, without blocking, with readiness told by the loop.  For
 * vm/channel.c only.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <glib.h>
#include "base/error.h"
#include "vm/machine.h"

typedef struct Port Port;

/* The port `name` of a machine. */
Port *port_open_machine(Machine *machine, const char *name, GError **err);
/* A connected socket, which the port owns. */
Port *port_open_fd(int fd);
void port_close(Port *port);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Port, port_close)

/* What port_read() and port_write() return when they would block. */
#define PORT_AGAIN (-2)

/* Bytes moved, PORT_AGAIN, 0 at the end of file (read), or -1: broken. */
ssize_t port_read(Port *port, char *buffer, gsize size);
ssize_t port_write(Port *port, const char *data, gsize size);
/* One turn of the loop, at most `ms` milliseconds, that also ends when the
 * port can be read or (`writing`) written.  Outside of it the port causes no
 * wake-ups, whatever the other end does. */
void port_wait(Port *port, bool writing, int ms);
