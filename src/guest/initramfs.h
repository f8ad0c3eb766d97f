/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The micro guest's initramfs: the payload as /init, the modules (taken out
 * of their .xz, .zst or .gz), WIRE_MODULES_LIST, and a busybox for `vsweep
 * shell`.  Uncompressed newc cpio, because unpacking costs time under
 * emulation; cached by the digest of all that goes in.
 */
#pragma once

#include <glib.h>
#include "guest/kernel.h"

/* Path of the initramfs in the cache, made when it is not there yet.
 * `busybox` NULL: without.  Caller frees. */
char *initramfs_make(const Kernel *kernel, const char *payload,
                     const char *busybox, GError **err);
