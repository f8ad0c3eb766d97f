/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines to and from a payload, over a domain's virtio port (libvirt stream)
 * or over a file descriptor (host run).  channel_next() is where the one poll
 * loop of the program turns: while it waits, libvirt events, signals and the
 * tick callback are served.
 *
 * The other end is untrusted.  At most one line is held at any time: a guest
 * that floods the port is left waiting (back-pressure) while the caller is
 * busy, and after WIRE_LINES_MAX lines everything further is rubbish.
 */
#pragma once

#include <glib.h>
#include "base/error.h"
#include "vm/machine.h"

typedef enum {
    CHANNEL_LINE,        /* *ret_line is a line without its newline */
    CHANNEL_EOF,         /* the other end is gone */
    CHANNEL_STOPPED,     /* the machine stopped (see machine_state) */
    CHANNEL_TIMEOUT,     /* the deadline passed */
    CHANNEL_INTERRUPTED, /* signals_pending() */
    CHANNEL_RUBBISH      /* too long a line, or a NUL or invalid UTF-8 in it */
} ChannelEvent;

typedef struct Channel Channel;

/* The port WIRE_PORT of a machine, which may still be paused. */
Channel *channel_open_machine(Machine *machine, GError **err);
/* A connected socket; the channel owns it. */
Channel *channel_open_fd(int fd);
/* Called about once a second from within channel_next(). */
void channel_set_tick(Channel *channel, void (*tick)(void *data), void *data);
/* The next line, or why there is none, by `deadline_ns` (clock_raw_ns).
 * Lines that have arrived are delivered before EOF, STOPPED or TIMEOUT is
 * reported; a line without its newline is none.  STOPPED goes before EOF when
 * both hold.  After RUBBISH the bad line is gone and the next can be read.
 * *ret_line: caller frees. */
ChannelEvent channel_next(Channel *channel, gint64 deadline_ns,
                          char **ret_line);
/* Sends a line; the newline is added.  False when the other end is gone or
 * does not take it within 10 s. */
bool channel_send(Channel *channel, const char *line);
void channel_close(Channel *channel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Channel, channel_close)
