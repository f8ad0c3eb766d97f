/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small files: read whole, write whole or not at all, digests, directories.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* Reads a file of at most `max` bytes.  NUL-terminated; caller frees. */
char *file_read(const char *path, gsize max, gsize *ret_length, GError **err);
/* Reads a one-line proc or sysfs file, trailing white space stripped; NULL
 * (no error) when it cannot be read.  Caller frees. */
char *file_read_line(const char *path);
/* Writes through a temporary file in the same directory, fsync and rename. */
bool file_write(const char *path, const char *data, gssize length,
                GError **err);
/* mkdir -p with mode 0755. */
bool file_mkdir(const char *path, GError **err);
/* rm -r: removes a file or a tree; absent is success; never crosses a
 * symbolic link. */
bool file_remove(const char *path, GError **err);
/* SHA-256 of a file's content in lower-case hex.  Caller frees. */
char *file_sha256(const char *path, GError **err);
/* The last `max` bytes of a file as printable UTF-8 text (control characters
 * other than newline and tab become '.'); "" when absent.  Caller frees. */
char *file_tail(const char *path, gsize max);
