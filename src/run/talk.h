/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conversation with a payload, from READY to DONE, the same for a guest
 * and for the host run.  What it yields goes into the attempt; what goes
 * wrong becomes its outcome.
 */
#pragma once

#include <sys/types.h>
#include "data/attempt.h"
#include "run/rig.h"
#include "vm/channel.h"
#include "vm/machine.h"

typedef struct Talk {
    Rig *rig;
    const Cell *cell;
    Attempt *attempt;
    Channel *channel;
    Machine *machine;   /* NULL for the host run */
    pid_t pid;          /* QEMU, or the host payload */
    const char *image;  /* evicted before cold phases; NULL: none */
    const guint *order; /* of the workloads, matrix->workloads->len */
    const char *label;  /* for the progress line */
    const char *name;   /* for the watchdog; NULL: no watchdog */

    gint64 lines;          /* received so far */
    AttemptWindow *window; /* open window, owned by the attempt */
    bool settled;          /* settings proved, once, before work begins */
} Talk;

/* True when the payload said DONE and was told to go; else the attempt has
 * its outcome. */
bool talk_run(Talk *talk);
