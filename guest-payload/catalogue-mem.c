/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads of the memory.  Metrics and equivalence bands follow METHOD 6.2.
 */
#include "guest-payload/catalogue-parts.h"

#include <stddef.h>

#define PARAM_MEMORY_TIME                                       \
    {                                                           \
        .name = "time", .type = PARAM_DURATION, .normal = "3s", \
        .quick = "100ms", .min = "50ms", .max = "10m",          \
        .help = "length of each measured window",               \
    }

/* 4 MiB are small enough for many passes in a quick window under emulation,
 * which has no cache that they could stay in. */
#define PARAM_ARRAY                                                       \
    {                                                                     \
        .name = "size", .type = PARAM_SIZE, .normal = "0", .quick = "4M", \
        .min = "0", .max = "1T",                                          \
        .help = "bytes of an array, at most what half of the memory "     \
                "available holds; 0: four times the last-level cache, "   \
                "256M at least",                                          \
    }

#define PARAM_PAGES(usual)                                                 \
    {                                                                      \
        .name = "pages", .type = PARAM_CHOICE, .normal = usual,            \
        .quick = usual, .choices = "any small huge",                       \
        .help = "pages asked for: any (what the kernel is set to), 4 KiB " \
                "only, or huge where there are some",                      \
    }

const WorkloadInfo catalogue_mem[] = {
    {
        .name = "mem.bw",
        .summary = "STREAM triad over three arrays, on all threads and on one",
        .metrics = {{.id = "mem.bw.triad",
                     .unit = "MB/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.02,
                     .primary = true},
                    {.id = "mem.bw.triad.one",
                     .unit = "MB/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.02}},
        .params = {PARAM_MEMORY_TIME,
                   PARAM_ARRAY,
                   {.name = "threads",
                    .type = PARAM_COUNT,
                    .normal = "0",
                    .quick = "0",
                    .min = "0",
                    .max = "1024",
                    .help = "threads; 0: as many as CPUs may be used"},
                   PARAM_PAGES("any")},
    },
    {
        .name = "mem.lat",
        .summary = "dependent loads at random over an array larger than the "
                   "caches",
        .metrics = {{.id = "mem.lat.load",
                     .unit = "ns",
                     .better = BETTER_LOWER,
                     .delta = 0.02,
                     .primary = true}},
        .params = {PARAM_MEMORY_TIME, PARAM_ARRAY, PARAM_PAGES("huge")},
    },
    {
        .name = "mem.tlb",
        .summary = "dependent loads at random, one a page, over half of the "
                   "memory",
        .metrics = {{.id = "mem.tlb.load",
                     .unit = "ns",
                     .better = BETTER_LOWER,
                     .delta = 0.02,
                     .primary = true}},
        .params = {PARAM_MEMORY_TIME,
                   {.name = "share",
                    .type = PARAM_COUNT,
                    .normal = "50",
                    .quick = "50",
                    .min = "1",
                    .max = "90",
                    .help = "percent of the memory available"},
                   {.name = "size",
                    .type = PARAM_SIZE,
                    .normal = "64G",
                    .quick = "16M",
                    .min = "0",
                    .max = "1T",
                    .help = "at most so many bytes; 0: the share alone"},
                   PARAM_PAGES("small")},
    },
    {
        .name = "mem.fault",
        .summary = "mmap and first touch of every page",
        .metrics = {{.id = "mem.fault.page",
                     .unit = "ns",
                     .better = BETTER_LOWER,
                     .delta = 0.03,
                     .primary = true}},
        .params = {PARAM_MEMORY_TIME,
                   {.name = "size",
                    .type = PARAM_SIZE,
                    .normal = "256M",
                    .quick = "8M",
                    .min = "1M",
                    .max = "64G",
                    .help = "bytes touched in a round, at most half of the "
                            "memory available"},
                   PARAM_PAGES("small")},
    },
    {.name = NULL},
};
