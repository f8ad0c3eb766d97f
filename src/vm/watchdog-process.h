/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The watchdog's own process, and what vsweep and it share.  For
 * vm/watchdog.c only.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <glib.h>

/* Longer than any name libvirt can make a file name of. */
#define WATCHDOG_NAME_MAX 256

/* One message over the socket; the last one counts. */
typedef struct WatchdogOrder {
    guint64 generation; /* counts calls of watchdog_arm() */
    bool armed;
    gint64 deadline_ns; /* clock_raw_ns(); 0: none */
    char name[WATCHDOG_NAME_MAX];
} WatchdogOrder;

/* A page both processes map. */
typedef struct WatchdogShared {
    _Atomic guint64 fired; /* generation of the last order that killed */
} WatchdogShared;

/* The life of the watchdog: obeys orders from `socket` until its other end
 * closes or `parent` dies. */
void watchdog_process(int socket, WatchdogShared *shared,
                      pid_t parent) G_GNUC_NORETURN;
