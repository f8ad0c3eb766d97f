/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a killed vsweep leaves: domains, QEMU processes, sockets, pid files,
 * cgroup directories, temporary files.  Everything of ours is recognised by
 * DOMAIN_PREFIX or lies below our own directories.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* Kills QEMU processes of this user whose guest name has our prefix and whose
 * embedded root is `root`, and removes stale state below it.  Refuses, with
 * an error that names the pid, when a living vsweep holds the root.  NULL:
 * every root that such a QEMU names and nobody holds.  Not for a process that
 * has the embedded driver open.  Appends one line per thing killed or removed
 * ("killed ...", "removed ...") to `report` (char *, owned; may be NULL). */
bool leftovers_clean_root(const char *root, GPtrArray *report, GError **err);
/* Destroys our domains on a daemon connection `uri`, but not those whose
 * vsweep still lives. */
bool leftovers_clean_uri(const char *uri, GPtrArray *report, GError **err);
