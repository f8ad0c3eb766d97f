/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one poll loop: see loop.h. */
#include <glib.h>
#include "base/signals.h"
#include "vm/libvirt-auto.h"
#include "vm/loop.h"

static bool ready;
static int timer = -1;
static int signal_watch = -1;

static void
time_is_up(int id, void *data G_GNUC_UNUSED)
{
    virEventUpdateTimeout(id, -1);
}

/* Nobody drains the descriptor, since signals_pending() stays true: watching
 * it further would make every later turn return at once. */
static void
signal_came(int watch, int fd G_GNUC_UNUSED, int events G_GNUC_UNUSED,
            void *data G_GNUC_UNUSED)
{
    virEventUpdateHandle(watch, 0);
}

/* Errors come back as values; libvirt would print each of them as well. */
static void
discard(void *data G_GNUC_UNUSED, virErrorPtr error G_GNUC_UNUSED)
{
}

static bool
start_loop(GError **err)
{
    g_setenv("LIBVIRT_LOG_OUTPUTS", "3:file:/dev/null", FALSE);
    virSetErrorFunc(NULL, discard);
    if (virEventRegisterDefaultImpl() < 0)
        return libvirt_fail(err, "libvirt cannot be initialised");
    timer = virEventAddTimeout(-1, time_is_up, NULL, NULL);
    return true;
}

bool
loop_init(GError **err)
{
    if (!ready && !start_loop(err))
        return false;
    ready = true;
    /* signals_install() may come later than the first call. */
    if (signal_watch < 0 && signals_fd() >= 0)
        signal_watch = virEventAddHandle(
            signals_fd(), VIR_EVENT_HANDLE_READABLE, signal_came, NULL, NULL);
    return true;
}

void
loop_once(int ms)
{
    loop_init(NULL);
    virEventUpdateTimeout(timer, ms);
    virEventRunDefaultImpl();
    virEventUpdateTimeout(timer, -1);
}
