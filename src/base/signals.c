/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals as a flag and a descriptor: see signals.h. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "base/signals.h"

static volatile sig_atomic_t pending;
static int wake[2] = {-1, -1};

static void
note(int signum)
{
    char byte = (char) signum;

    pending = 1;
    if (write(wake[1], &byte, 1) < 0)
        pending = 1; /* the pipe is full: it is readable already */
}

void
signals_install(void)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    /* SA_RESETHAND: the second signal kills at once. */
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESETHAND};

    if (wake[0] >= 0)
        return;
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) < 0)
        g_error("pipe2 failed");
    for (gsize i = 0; i < G_N_ELEMENTS(caught); i++)
        sigaction(caught[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

bool
signals_pending(void)
{
    return pending;
}

int
signals_fd(void)
{
    return wake[0];
}
