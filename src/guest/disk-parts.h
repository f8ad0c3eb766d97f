/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of guest/disk-*.c share and nobody else needs.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* Names below the storage directory; disk_clean() knows our files by them. */
#define DISK_TMP_PREFIX ".vsweep-tmp-"
#define DISK_SLOT_PREFIX "vsweep-slot-"
#define DISK_GOLDEN_PREFIX "vsweep-golden-"

/* Alignment that satisfies O_DIRECT on every disk, and the page size that
 * mincore and FIEMAP count in. */
#define DISK_ALIGN 4096

/* The bytes a file occupies and whether any of them are in extents that were
 * never written, or that are shared with another file (FIEMAP).  Where the
 * file system has no FIEMAP, *ret_unwritten is false. */
bool disk_allocation(int fd, guint64 *ret_allocated, bool *ret_unwritten,
                     GError **err);
/* The same for a path. */
bool disk_allocation_of(const char *path, guint64 *ret_allocated,
                        bool *ret_unwritten, GError **err);
/* Turns holes and unwritten extents of a file of `bytes` into written zeros;
 * what is written already stays as it is. */
bool disk_write_out(int fd, guint64 bytes, GError **err);
/* Whether a file opens with O_DIRECT and reads. */
bool disk_reads_direct(const char *path);
/* Runs a program of a Debian package, which the error names when the program
 * is missing.  argv[0], its name, is replaced by its path for the call. */
bool disk_tool(const char *package, const char **argv, GError **err);
/* An error with the status of an interruption once a signal is pending. */
bool disk_not_interrupted(GError **err);
/* disk_describe_storage() on the text of a mountinfo. */
char *disk_describe_mount(const char *mountinfo, const char *path);
/* How many fully allocated slots for disks of `bytes` are in `storage`. */
guint disk_slots_ready(const char *storage, guint64 bytes);
/* The size of the disk that an image holds, by its header for qcow2 and its
 * length for raw; 0 when there is no such image. */
guint64 disk_virtual_size(const char *path, const char *format);
