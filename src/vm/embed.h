/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The root directory of libvirt's embedded QEMU driver.  For vm/ only.
 */
#pragma once

#include <sys/types.h>
#include <glib.h>
#include "base/error.h"

/* "qemu:///embed?root=/run/vsweep".  Caller frees. */
char *embed_uri(const char *root);
/* The root in such a URI; NULL for any other URI.  Caller frees. */
char *embed_root(const char *uri);
/* Makes the root ready to be opened: its directories, its qemu.conf, its
 * cache shared through paths_cache().  `ours` is false for a root that the
 * person chose by URI: a qemu.conf found there is left as it is. */
bool embed_prepare(const char *root, bool ours, GError **err);
/* The process that has the root open; 0: none.  This process itself counts as
 * none, and must not ask while it has the root open: closing the lock file
 * would give up its own lock. */
pid_t embed_holder(const char *root);
/* Removes the lock file of a root that nobody holds. */
bool embed_remove_lock(const char *root, GError **err);
/* Sets *err to the sentence about it. */
bool embed_fail_held(const char *root, pid_t holder, GError **err);
