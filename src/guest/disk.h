/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Disk images.  One golden raw image per file system and size is made once
 * (mke2fs on the host, content injected by libguestfs, one appliance launch)
 * and cached; every attempt gets a full copy of it in a slot, a preallocated
 * file that is reused so that its extents stay the same (METHOD 5.3).
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* Below the storage directory: where a host run works (its work file has the
 * name that WIRE_DISK_WORK has in a guest). */
#define DISK_HOST_DIR "vsweep-host"

/* A storage directory has one user at a time, because slots have fixed names.
 * The lock goes with its process; the error for a second user names the
 * first.  disk_unlock() removes its file. */
typedef struct DiskLock DiskLock;
DiskLock *disk_lock(const char *storage, GError **err);
void disk_unlock(DiskLock *lock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DiskLock, disk_unlock)

typedef struct DiskGolden {
    char *path;   /* raw image in the storage directory */
    char *digest; /* of what it was made from: the cache key */
    char *payload_sha256;
    guint64 bytes;
    bool cached; /* it was there already */
} DiskGolden;

typedef struct DiskGoldenSpec {
    const char *storage; /* directory */
    const char *fs;      /* "ext4", "ext3", "ext2" */
    guint64 bytes;       /* size of the image */
    guint64 work_bytes;  /* pre-filled work file, 0: none */
    const char *payload; /* path of the payload to inject */
    bool kvm;            /* KVM proved: libguestfs may use it */
} DiskGoldenSpec;

/* Bytes that golden image plus `slots` slots will still need on the storage
 * file system (what is there already is not counted again). */
guint64 disk_bytes_needed(const DiskGoldenSpec *spec, guint slots);
/* Checks free space and the kind of file system under `storage` (makes the
 * directory).  Not enough room is an error with both numbers; *ret_warning
 * (caller frees, may stay NULL) warns of tmpfs, overlay, btrfs, ZFS. */
bool disk_check_storage(const char *storage, guint64 needed, char **ret_warning,
                        GError **err);
/* Whether O_DIRECT works there, by opening and writing a probe file. */
bool disk_probe_direct(const char *storage);
DiskGolden *disk_golden(const DiskGoldenSpec *spec, GError **err);
void disk_golden_free(DiskGolden *golden);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DiskGolden, disk_golden_free)

typedef struct DiskSlot {
    char *path;
    guint64 generation; /* how often the slot has been written */
    guint64 allocated;  /* bytes by st_blocks after it was written */
    bool unwritten;     /* FIEMAP showed unwritten or shared extents */
} DiskSlot;

/* Puts a fresh full copy of the golden image into slot `number` for images of
 * this format and preallocation ("off", "metadata", "falloc", "full"), making
 * the slot when it is not there.  The copy bypasses the host's page cache. */
bool disk_slot_fill(const DiskGolden *golden, const char *format,
                    const char *prealloc, guint number, DiskSlot *ret_slot,
                    GError **err);
void disk_slot_clear(DiskSlot *slot);
/* Drops the image's pages from the host's page cache (METHOD 0.3): fdatasync,
 * POSIX_FADV_DONTNEED, proof by mincore.  *ret_resident (may be
 * NULL): ratio left. */
bool disk_evict(const char *path, double *ret_resident, GError **err);
/* syncfs on the file system of `path`. */
bool disk_sync(const char *path, GError **err);
/* Fills a file with `bytes` random bytes (O_DIRECT where it works), for the
 * host run's work file; kept when it has that size already. */
bool disk_work_file(const char *path, guint64 bytes, GError **err);
/* Removes the slots below `storage`; with `golden` the golden images and the
 * host's work files too.  Appends the paths removed to `report` (char *; may
 * be NULL). */
bool disk_clean(const char *storage, bool golden, GPtrArray *report,
                GError **err);
/* Facts for the results: device, file system, mount options of `storage`
 * ("ext4 on /dev/vda (rw,relatime)").  Caller frees. */
char *disk_describe_storage(const char *storage);
