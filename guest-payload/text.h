/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small text files of /proc and /sys, and words in lines.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "guest-payload/fail.h"

/* Reads at most size-1 bytes of a file into `buffer`, NUL-terminated, trailing
 * white space stripped; bytes that are not printable ASCII, newline or tab
 * become '?', so that the text is always valid JSON.  Returns false and an
 * empty string when the file cannot be read. */
bool text_read(const char *path, char *buffer, size_t size);
/* Writes `text` to an existing file in one write(), as sysfs wants it. */
bool text_write(const char *path, const char *text, Fail *fail);
/* Copies with truncation, always terminated. */
void text_copy(char *target, size_t size, const char *source);
/* Looks for the word `name` or `name=value` in a line of words; copies the
 * value ("" without '='). */
bool text_word(const char *line, const char *name, char *value, size_t size);
/* The value behind "name<blanks>:" in text of such lines (/proc/cpuinfo,
 * /proc/meminfo). */
bool text_field(const char *text, const char *name, char *value, size_t size);
