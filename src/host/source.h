/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading proc and sysfs below a root directory: small texts into the caller's
 * buffer, no allocation on the way, because counters are read twice in every
 * measured window.  For src/host only.
 */
#pragma once

#include "base/error.h"

/* Long enough for the root, "/proc", a device name and what hangs below. */
#define SOURCE_PATH_MAX 4096
/* A sysfs attribute, a process's stat, the first lines of /proc/stat. */
#define SOURCE_PAGE 4096
/* /proc/vmstat, /proc/meminfo, a cpuinfo block: some 2 to 8 KiB today. */
#define SOURCE_TABLE 16384

/* Reads the beginning of a file below `root`, at `format`, into buffer, at most
 * size - 1 bytes, NUL-terminated.  False when it cannot be read. */
bool source_read(char *buffer, gsize size, const char *root, const char *format,
                 ...) G_GNUC_PRINTF(4, 5);
/* The same below the directory `dirfd` and in one read, as the many small
 * files of one record each are given (/proc/PID/stat): half the calls. */
bool source_read_at(int dirfd, const char *path, char *buffer, gsize size);

/* The text behind `key` and a separator (":", blanks) at the start of a line,
 * as "MemTotal:  24 kB" or "pswpin 0" have it; NULL when there is no such
 * line.  Points into `text`; ends at the end of the line. */
const char *source_value(const char *text, const char *key);
/* The number there. */
bool source_number(const char *text, const char *key, gint64 *ret_value);
/* The numbers of a blank-separated line, up to its end or to what is none.
 * Returns how many. */
guint source_numbers(const char *text, gint64 *numbers, guint max);
