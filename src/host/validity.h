/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The value-blind gates of METHOD 5.5 and 0.10 on the counters of one window.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

typedef struct Window {
    GHashTable *before, *after; /* counters, not owned */
    gint64 host_t0, host_t1;    /* host clock_raw_ns around the window */
    gint64 guest_t0, guest_t1;  /* the payload's clock, both ends */
    guint vcpus;                /* 0: host run */
    guint ncpu;                 /* host CPUs */
    bool kvm;
    bool overcommit; /* vCPUs + 1 > host CPUs: steal is no gate */
} Window;

/* NULL when every gate passes, else "steal: 6.1 % of 2 vCPUs (limit 5 %)";
 * the first word is the gate's id.  Caller frees. */
char *validity_check(const Window *window);
