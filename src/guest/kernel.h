/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest kernel: the newest on the host that has every driver the cells
 * need, built in or as a module, or the one the person names.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

typedef struct Kernel {
    char *image; /* /boot/vmlinuz-VERSION */
    char *version;
    char *modules_dir; /* /lib/modules/VERSION, NULL when there is none */
    GPtrArray *load;   /* char *: module file paths in the order to load; soft
                          dependencies have '-' in front (may fail) */
} Kernel;

/* Finds the kernel for `needs` (NULL-terminated module names: "virtio_blk",
 * "ext4" ...; with '-' in front one that is nice to have).  `path` NULL: search
 * /boot; else that image (its modules are found by the version in its name or
 * in the image itself).  Failure is one message with the package to install or
 * the chmod that cures it. */
Kernel *kernel_find(const char *path, const char *const *needs, GError **err);
/* The same below another root directory: ROOT/boot, ROOT/lib/modules. */
Kernel *kernel_find_in(const char *root, const char *path,
                       const char *const *needs, GError **err);
void kernel_free(Kernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Kernel, kernel_free)

/* Order of two kernel versions as `sort -V` has it: < 0, 0, > 0. */
int kernel_version_compare(const char *a, const char *b);
/* The version a kernel image says it has (x86 boot protocol, kernel_version);
 * NULL when it is no such image or cannot be read.  Caller frees. */
char *kernel_image_version(const char *path);
/* The modules of `modules_dir` to load for `needs`, in order, as Kernel.load
 * has them (caller frees).  *ret_missing (caller frees) is the first of them
 * that is neither a module nor built in, and the result is then NULL. */
GPtrArray *kernel_load_order(const char *modules_dir, const char *const *needs,
                             char **ret_missing, GError **err);
