/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines to and from a payload: see channel.h. */
#include <string.h>
#include "base/clock.h"
#include "base/signals.h"
#include "guest-payload/wire.h"
#include "vm/channel.h"
#include "vm/loop.h"
#include "vm/port.h"

/* A payload reads a job or a go within milliseconds of asking for it; under
 * heavy emulation a second or two. */
#define SEND_LIMIT_NS (10 * CLOCK_NS_PER_S)
#define TICK_NS CLOCK_NS_PER_S
/* QEMU's death closes the port at once; libvirt's word for why it stopped,
 * which is worth more, comes within 20 ms, or later on a busy host. */
#define STOP_NS (3 * CLOCK_NS_PER_S)
#define STOP_TURN_MS 50

struct Channel {
    Port *port;
    Machine *machine; /* NULL for a socket */
    char buffer[WIRE_LINE_MAX];
    gsize start;    /* of what has been read and not taken */
    gsize end;      /* behind it */
    gsize searched; /* no newline between start and here */
    bool skipping;  /* within a line that was too long */
    gint64 eof_ns;  /* when the end of file was met; 0: not yet */
    guint lines;
    void (*tick)(void *data);
    void *tick_data;
    gint64 next_tick_ns;
};

static Channel *
channel_new(Port *port, Machine *machine)
{
    Channel *channel = g_new0(Channel, 1);

    channel->port = port;
    channel->machine = machine;
    return channel;
}

Channel *
channel_open_machine(Machine *machine, GError **err)
{
    Port *port = port_open_machine(machine, WIRE_PORT, err);

    return port ? channel_new(port, machine) : NULL;
}

Channel *
channel_open_fd(int fd)
{
    return channel_new(port_open_fd(fd), NULL);
}

void
channel_close(Channel *channel)
{
    if (!channel)
        return;
    port_close(channel->port);
    g_free(channel);
}

void
channel_set_tick(Channel *channel, void (*tick)(void *data), void *data)
{
    channel->tick = tick;
    channel->tick_data = data;
    channel->next_tick_ns = clock_raw_ns() + TICK_NS;
}

static void
serve_tick(Channel *channel, gint64 now_ns)
{
    if (!channel->tick || now_ns < channel->next_tick_ns)
        return;
    channel->next_tick_ns = now_ns + TICK_NS;
    channel->tick(channel->tick_data);
}

static ChannelEvent
judge(Channel *channel, const char *line, gsize length, char **ret_line)
{
    /* g_utf8_validate() with a length refuses NUL as well. */
    if (++channel->lines > WIRE_LINES_MAX ||
        !g_utf8_validate(line, (gssize) length, NULL))
        return CHANNEL_RUBBISH;
    *ret_line = g_strndup(line, length);
    return CHANNEL_LINE;
}

/* A whole line from the buffer, if there is one.  False: read more first. */
static bool
take_line(Channel *channel, ChannelEvent *ret_event, char **ret_line)
{
    for (;;) {
        const char *line = channel->buffer + channel->start;
        const char *newline = memchr(channel->buffer + channel->searched, '\n',
                                     channel->end - channel->searched);
        bool skipped = channel->skipping;

        channel->searched = channel->end;
        if (!newline)
            break;
        channel->start = (gsize) (newline + 1 - channel->buffer);
        channel->searched = channel->start;
        channel->skipping = false;
        if (skipped)
            continue;
        *ret_event = judge(channel, line, (gsize) (newline - line), ret_line);
        return true;
    }
    if (channel->end - channel->start < sizeof(channel->buffer))
        return false;
    channel->start = channel->end = channel->searched = 0;
    channel->skipping = true;
    *ret_event = CHANNEL_RUBBISH;
    return true;
}

/* Reads what is there, at most a bufferful; false when that is nothing.
 * take_line() has left room. */
static bool
fill(Channel *channel)
{
    ssize_t got = 0;

    if (channel->eof_ns)
        return false;
    channel->end -= channel->start;
    memmove(channel->buffer, channel->buffer + channel->start, channel->end);
    channel->searched -= channel->start;
    channel->start = 0;
    got = port_read(channel->port, channel->buffer + channel->end,
                    sizeof(channel->buffer) - channel->end);
    if (got == 0 || got == -1)
        channel->eof_ns = clock_raw_ns();
    if (got <= 0)
        return false;
    channel->end += (gsize) got;
    return true;
}

static bool
has_stopped(const Channel *channel)
{
    return channel->machine &&
           machine_state(channel->machine) != MACHINE_RUNNING;
}

/* Milliseconds the loop may sleep. */
static int
patience(const Channel *channel, gint64 now_ns, gint64 deadline_ns)
{
    gint64 until_ns = deadline_ns;

    if (channel->tick)
        until_ns = MIN(until_ns, channel->next_tick_ns);
    if (channel->machine)
        until_ns = MIN(until_ns, now_ns + TICK_NS);
    return (int) CLAMP((until_ns - now_ns) / CLOCK_NS_PER_MS + 1, 1, G_MAXINT);
}

/* Why there will be no line; CHANNEL_LINE: there may be one yet. */
static ChannelEvent
why_none(const Channel *channel, bool stopped, gint64 now_ns,
         gint64 deadline_ns)
{
    if (stopped)
        return CHANNEL_STOPPED;
    if (channel->eof_ns &&
        (!channel->machine || now_ns - channel->eof_ns > STOP_NS))
        return CHANNEL_EOF;
    return now_ns >= deadline_ns ? CHANNEL_TIMEOUT : CHANNEL_LINE;
}

ChannelEvent
channel_next(Channel *channel, gint64 deadline_ns, char **ret_line)
{
    for (;;) {
        gint64 now_ns = clock_raw_ns();
        /* Asked before the last reading: nothing can come after it. */
        bool stopped = has_stopped(channel);
        ChannelEvent event = CHANNEL_LINE;

        serve_tick(channel, now_ns);
        if (signals_pending())
            return CHANNEL_INTERRUPTED;
        if (take_line(channel, &event, ret_line))
            return event;
        if (fill(channel))
            continue;
        event = why_none(channel, stopped, now_ns, deadline_ns);
        if (event != CHANNEL_LINE)
            return event;
        if (channel->eof_ns) /* readable for ever */
            loop_once(STOP_TURN_MS);
        else
            port_wait(channel->port, false,
                      patience(channel, now_ns, deadline_ns));
    }
}

bool
channel_send(Channel *channel, const char *line)
{
    g_autofree char *text = g_strconcat(line, "\n", NULL);
    gint64 deadline_ns = clock_raw_ns() + SEND_LIMIT_NS;
    gsize length = strlen(text), sent = 0;

    while (sent < length) {
        ssize_t moved = port_write(channel->port, text + sent, length - sent);

        if (moved >= 0) {
            sent += (gsize) moved;
            continue;
        }
        if (moved != PORT_AGAIN || has_stopped(channel) ||
            clock_raw_ns() >= deadline_ns)
            return false;
        port_wait(channel->port, true, (int) (TICK_NS / CLOCK_NS_PER_MS));
    }
    return true;
}
