/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where things live.
 *
 *   data     matrices, domains, payload: $VSWEEP_DATA, else the source tree
 *            the binary was built in, else $prefix/share/vsweep
 *   cache    $VSWEEP_CACHE_DIR, else /var/cache/vsweep as root, else
 *            $XDG_CACHE_HOME/vsweep: golden images, initramfs, KVM proofs,
 *            libvirt's capability cache
 *   runtime  $VSWEEP_RUNTIME_DIR, else /run/vsweep as root, else
 *            $XDG_RUNTIME_DIR/vsweep, else /tmp/vsweep-UID: the root of the
 *            embedded driver; at most PATHS_RUNTIME_MAX bytes
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* UNIX socket names end at 107 bytes and libvirt adds up to 77 of its own. */
#define PATHS_RUNTIME_MAX 30

/* Directories.  Made when missing (not data).  Caller frees. */
char *paths_cache(GError **err);
char *paths_runtime(GError **err);

/* Finds `name` ("domains/micro.xml", "vsweep-payload") among the data
 * directories.  The error names every place looked at.  Caller frees. */
char *paths_data(const char *name, GError **err);
