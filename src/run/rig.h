/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rig of a sweep: everything that is prepared once and shared by all
 * attempts.  Preparing goes connection, kernel, initramfs, storage, proof of
 * KVM, check of every cell with libvirt, golden image.
 */
#pragma once

#include <glib.h>
#include "base/error.h"
#include "guest/disk.h"
#include "guest/kernel.h"
#include "plan/design.h"
#include "vm/accel.h"
#include "vm/connect.h"

typedef struct RigOptions {
    const char *uri;    /* --connect, or NULL */
    AccelWanted accel;  /* --accel */
    const char *kernel; /* --kernel, or NULL */
    gint64 timeout_ns;  /* longest silence of a guest, also its boot */
} RigOptions;

typedef struct Rig {
    const Matrix *matrix; /* not owned */
    Design *design;       /* not owned; cells become unsupported here */
    RigOptions options;
    Connect *connect;
    Accel accel;
    Kernel *kernel;
    char *boot_kernel, *initramfs; /* as the hypervisor may read them */
    char *template_xml;
    char *payload, *payload_sha256;
    char *storage;  /* directory of the images */
    char *device;   /* block device below it, or NULL */
    char *host_dir; /* the host run's directory, or NULL */
    char *scratch;  /* directory for consoles, removed with the rig */
    DiskLock *lock; /* on the storage directory */
    DiskGolden *golden;
    guint slots; /* per image class */
    guint ncpu;  /* host CPUs this process may use */
    gint64 prepare_ns;
} Rig;

/* Prepares as far as boots need it.  `images` false stops before the golden
 * image (plan). Progress and warnings go through base. */
Rig *rig_prepare(const Matrix *matrix, Design *design,
                 const RigOptions *options, bool images, GError **err);
/* Takes down what must not outlive the run: slots, scratch, connection. */
void rig_free(Rig *rig);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

/* The document of one boot; `name`, `image`, `console` as in DomainParams.
 * `shell` gives the console instead of the channel.  Caller frees. */
char *rig_domain(const Rig *rig, const Cell *cell, const char *name,
                 const char *image, const char *console, bool shell,
                 GError **err);
/* Image class of a cell: format and preallocation. */
const char *rig_format(const Rig *rig, const Cell *cell);
const char *rig_prealloc(const Rig *rig, const Cell *cell);
/* Default directory for images when the matrix names none.  Caller frees. */
char *rig_storage(const Matrix *matrix, GError **err);
/* What the images of this design will take on disk. */
guint64 rig_bytes_needed(const Matrix *matrix, const Design *design,
                         const char *storage, const char *payload);
