/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes below a channel: see port.h. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "vm/domain.h"
#include "vm/libvirt-auto.h"
#include "vm/loop.h"
#include "vm/port.h"
#include "vm/watchdog.h"

struct Port {
    virStreamPtr stream; /* or else: */
    int fd;
    int watch;
};

/* Readiness is level-triggered, so one wake-up is enough: whoever waits again
 * asks again. */
static void
stream_ready(virStreamPtr stream, int events G_GNUC_UNUSED,
             void *data G_GNUC_UNUSED)
{
    virStreamEventUpdateCallback(stream, 0);
}

static void
fd_ready(int watch, int fd G_GNUC_UNUSED, int events G_GNUC_UNUSED,
         void *data G_GNUC_UNUSED)
{
    virEventUpdateHandle(watch, 0);
}

static Port *
open_stream(Machine *machine, const char *name, GError **err)
{
    g_autoptr(Port) port = g_new0(Port, 1);
    int result = 0;

    port->fd = -1;
    port->watch = -1;
    port->stream =
        virStreamNew(machine_connection(machine), VIR_STREAM_NONBLOCK);
    if (!port->stream) {
        libvirt_fail(err, "cannot make a stream");
        return NULL;
    }
    watchdog_call_begin(WATCHDOG_CALL_NS);
    result = virDomainOpenChannel(machine_handle(machine), name, port->stream,
                                  VIR_DOMAIN_CHANNEL_FORCE);
    watchdog_call_end();
    if (result < 0 || virStreamEventAddCallback(port->stream, 0, stream_ready,
                                                NULL, NULL) < 0) {
        libvirt_fail(err, "cannot open the guest's channel");
        return NULL;
    }
    return g_steal_pointer(&port);
}

/* The socket that QEMU listens on for the channel `name`.  Caller frees. */
static char *
socket_path(Machine *machine, const char *name, GError **err)
{
    g_autofree char *xml = machine_live_xml(machine);
    g_autofree char *xpath = g_strdup_printf(
        "string(/domain/devices/channel[target/@name='%s']/source/@path)",
        name);
    g_autofree char *path = xml ? domain_xpath_string(xml, xpath, err) : NULL;

    if (path && *path)
        return g_steal_pointer(&path);
    if (!err || !*err)
        vs_fail(err, "the domain has no channel '%s' on a socket", name);
    return NULL;
}

static Port *
open_socket(Machine *machine, const char *name, GError **err)
{
    g_autofree char *path = socket_path(machine, name, err);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    g_autofd int fd = -1;

    if (!path)
        return NULL;
    if (g_strlcpy(address.sun_path, path, sizeof(address.sun_path)) >=
        sizeof(address.sun_path)) {
        vs_fail(err, "the channel's socket name '%s' is too long", path);
        return NULL;
    }
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 ||
        connect(fd, (struct sockaddr *) &address, sizeof(address)) < 0) {
        vs_fail_errno(err, errno, "cannot open the guest's channel '%s'", path);
        return NULL;
    }
    return port_open_fd(fd_steal(&fd));
}

Port *
port_open_machine(Machine *machine, const char *name, GError **err)
{
    /* In the embedded driver a stream that is aborted while its domain is
     * freed by libvirt's own thread deadlocks both (libvirt 9.0: the locks of
     * the stream and of the character device are taken in either order).  A
     * daemon has that race to itself. */
    return machine_is_embedded(machine) ? open_socket(machine, name, err)
                                        : open_stream(machine, name, err);
}

Port *
port_open_fd(int fd)
{
    Port *port = g_new0(Port, 1);

    loop_init(NULL);
    port->fd = fd;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    port->watch = virEventAddHandle(fd, 0, fd_ready, NULL, NULL);
    return port;
}

void
port_close(Port *port)
{
    if (!port)
        return;
    if (port->stream) {
        virStreamEventRemoveCallback(port->stream);
        virStreamAbort(port->stream);
        virStreamFree(port->stream);
    }
    if (port->watch >= 0)
        virEventRemoveHandle(port->watch);
    if (port->fd >= 0)
        close(port->fd);
    g_free(port);
}

/* The result of read(2) or send(2) in a port's terms. */
static ssize_t
result_of(ssize_t moved)
{
    if (moved < 0 && (errno == EAGAIN || errno == EINTR))
        return PORT_AGAIN;
    return moved;
}

ssize_t
port_read(Port *port, char *buffer, gsize size)
{
    if (port->stream)
        return virStreamRecv(port->stream, buffer, size);
    return result_of(read(port->fd, buffer, size));
}

ssize_t
port_write(Port *port, const char *data, gsize size)
{
    if (port->stream)
        return virStreamSend(port->stream, data, size);
    return result_of(send(port->fd, data, size, MSG_NOSIGNAL));
}

static void
listen_for(Port *port, int events)
{
    if (port->stream)
        virStreamEventUpdateCallback(port->stream, events);
    else
        virEventUpdateHandle(port->watch, events);
}

/* Streams and handles number their events alike. */
G_STATIC_ASSERT((int) VIR_STREAM_EVENT_READABLE ==
                (int) VIR_EVENT_HANDLE_READABLE);
G_STATIC_ASSERT((int) VIR_STREAM_EVENT_WRITABLE ==
                (int) VIR_EVENT_HANDLE_WRITABLE);

void
port_wait(Port *port, bool writing, int ms)
{
    listen_for(port,
               writing ? VIR_STREAM_EVENT_WRITABLE : VIR_STREAM_EVENT_READABLE);
    loop_once(ms);
    listen_for(port, 0);
}
