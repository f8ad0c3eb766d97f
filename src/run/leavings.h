/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is ours outside the runtime directory: scratch directories and control
 * groups of killed runs, slots in every storage directory that was ever used,
 * caches.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* Remembers a storage directory, so that clean finds it. */
bool leavings_remember(const char *storage, GError **err);
/* Cleans one storage directory, which nobody may be using (disk_clean()). */
bool leavings_clean_storage(const char *storage, bool all, GPtrArray *report,
                            GError **err);
/* Removes scratch directories and control groups whose process is gone, and
 * slots; with `all`
 * golden images and caches too.  Appends a line per thing to `report`. */
bool leavings_clean(bool all, GPtrArray *report, GError **err);
