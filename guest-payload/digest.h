/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-256 as 64 lower-case hex digits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "guest-payload/fail.h"

#define DIGEST_SIZE 65 /* 64 digits and the NUL */

bool digest_buffer(const void *data, size_t size, char digest[DIGEST_SIZE],
                   Fail *fail);
/* Of a file from its beginning; if copy_fd is not -1 what was read is written
 * there as well, so that the digest is that of the copy. */
bool digest_file(const char *path, int copy_fd, char digest[DIGEST_SIZE],
                 Fail *fail);
