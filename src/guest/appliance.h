/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one place that talks to libguestfs.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* Launches the appliance once on the raw image `image` (a file system without
 * partition table), puts the payload, its digest and directory in
 * (wire.h: WIRE_DISK_*), checks the file system and the digest as the
 * appliance reads it, and shuts down.  Without `kvm` the appliance is told to
 * use TCG; a launch that fails under KVM is tried again under TCG. */
bool appliance_inject(const char *image, const char *payload,
                      const char *sha256, bool kvm, GError **err);
/* Removes what a killed appliance that worked in `directory` has left where
 * libguestfs keeps its sockets; `report` as in disk_clean(). */
bool appliance_clean(const char *directory, GPtrArray *report, GError **err);
/* libguestfs's version, "1.48.6".  Caller frees. */
char *appliance_version(void);
