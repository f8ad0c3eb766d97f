/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much memory a workload may take, and taking it.
 *
 * The size of the last-level cache is what sysfs says, else what CPUID says,
 * else 64 MiB, that of a middling server CPU.  A guest may be shown a smaller
 * cache than the one it runs on (QEMU's models show 16 MiB), so the default
 * size of an array has a floor; a size in the matrix overrides both.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "guest-payload/workload.h"

/* Bytes of the last-level cache, never 0. */
uint64_t memory_llc(void);
/* Bytes that can be had without swapping or being killed: MemAvailable, less
 * if the control group's limit is nearer. */
uint64_t memory_available(void);

/* The size of each of `arrays` arrays: the workload's parameter "size", or
 * four times the last-level cache where that is 0.  All together take at most
 * half of what is available; below `least` bytes each it fails.  The host is
 * told the size, and the one that was wanted if memory is too short for it. */
bool memory_size(Run *run, unsigned arrays, uint64_t least, uint64_t *ret,
                 Fail *fail);
/* The size of one array: the parameter "share" in percent of what is
 * available, less if the parameter "size" says less. */
bool memory_share(Run *run, uint64_t least, uint64_t *ret, Fail *fail);

/* As the parameter "pages" orders its choices. */
typedef enum { PAGES_ANY, PAGES_SMALL, PAGES_HUGE } Pages;

/* Anonymous memory, not touched yet, aligned to 2 MiB.  Huge pages are asked
 * for, not insisted on: a kernel may have none. */
bool memory_map(uint64_t size, Pages pages, void **ret, Fail *fail);
void memory_unmap(void *memory, uint64_t size);
