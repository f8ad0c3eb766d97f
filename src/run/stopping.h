/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks: after some blocks a sweep may end because it is precise enough
 * (METHOD 4.4).  What is known by then is the report's to say, so that the
 * rule and the reader see the same numbers; whoever runs a sweep lends a
 * function that asks it.
 */
#pragma once

#include <glib.h>
#include "plan/design.h"

typedef struct SweepLook {
    guint waited;   /* contrasts that more blocks can make more precise */
    guint resolved; /* of them, those precise enough */
    guint needed;   /* blocks the farthest of the others needs; 0: unknown */
    char *farthest; /* its name; NULL: none */
} SweepLook;

void sweep_look_clear(SweepLook *look);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SweepLook, sweep_look_clear)

/* Reads a sweep's database as it is now. */
typedef bool (*SweepLookFunc)(const char *db, SweepLook *ret_look,
                              GError **err);

/* Whether all that is waited for is resolved.  With nothing to wait for there
 * is no precision to reach. */
bool stopping_reached(const SweepLook *look);
/* Tells the person what a look after that block saw; at the first one also
 * when the precision will not be reached within the blocks there are. */
void stopping_tell(const Design *design, guint block, const SweepLook *look);
