/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads that use the disk through its file system.  Metrics and equivalence
 * bands follow METHOD 6.2.
 */
#include "guest-payload/catalogue-parts.h"

#include <stddef.h>

/* The metrics of a loop of durable writes: three percentiles and a rate. */
#define DURABLE_WRITE_METRICS(name)   \
    {                                 \
        {.id = name ".p50",           \
         .unit = "us",                \
         .better = BETTER_LOWER,      \
         .delta = 0.03,               \
         .percentile = 50,            \
         .primary = true},            \
            {.id = name ".p99",       \
             .unit = "us",            \
             .better = BETTER_LOWER,  \
             .delta = 0.10,           \
             .percentile = 99},       \
            {.id = name ".p99.9",     \
             .unit = "us",            \
             .better = BETTER_LOWER,  \
             .delta = 0.20,           \
             .percentile = 99.9},     \
            {.id = name ".rate",      \
             .unit = "op/s",          \
             .better = BETTER_HIGHER, \
             .delta = 0.03},          \
    }

/* Requests at random: a rate with one in flight, its percentiles, and a rate
 * with 32. */
#define RANDOM_METRICS(name)          \
    {                                 \
        {.id = name ".qd1",           \
         .unit = "op/s",              \
         .better = BETTER_HIGHER,     \
         .delta = 0.03,               \
         .primary = true},            \
            {.id = name ".qd32",      \
             .unit = "op/s",          \
             .better = BETTER_HIGHER, \
             .delta = 0.03},          \
            {.id = name ".qd1.p50",   \
             .unit = "us",            \
             .better = BETTER_LOWER,  \
             .delta = 0.03,           \
             .percentile = 50},       \
            {.id = name ".qd1.p99",   \
             .unit = "us",            \
             .better = BETTER_LOWER,  \
             .delta = 0.10,           \
             .percentile = 99},       \
    }

const WorkloadInfo catalogue_fs[] = {
    {
        .name = "fs.fsync",
        .summary = "buffered overwrite of a block, then fdatasync",
        .needs_disk = true,
        .write_path = true,
        .metrics = DURABLE_WRITE_METRICS("fs.fsync"),
        .params = {PARAM_FILE, PARAM_WRITE_SIZE, PARAM_IO_TIME},
    },
    {
        .name = "fs.dsync",
        .summary = "overwrite of a block with O_DIRECT and O_DSYNC",
        .needs_disk = true,
        .write_path = true,
        .metrics = DURABLE_WRITE_METRICS("fs.dsync"),
        .params = {PARAM_FILE, PARAM_WRITE_SIZE, PARAM_IO_TIME},
    },
    {
        .name = "fs.seqwrite",
        .summary = "sequential overwrite of a file, closing fsync included",
        .needs_disk = true,
        .write_path = true,
        .metrics = {{.id = "fs.seqwrite.bw",
                     .unit = "MB/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.03,
                     .primary = true}},
        .params = {PARAM_FILE, PARAM_RECORD, PARAM_DIRECT},
    },
    {
        .name = "fs.seqread",
        .summary = "sequential read, with cold caches and again at once",
        .needs_disk = true,
        .metrics = {{.id = "fs.seqread.cold",
                     .unit = "MB/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.03,
                     .primary = true},
                    {.id = "fs.seqread.warm",
                     .unit = "MB/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.05}},
        .params = {PARAM_FILE, PARAM_RECORD, PARAM_DIRECT},
    },
    {
        .name = "fs.randread",
        .summary = "random O_DIRECT reads, 1 and 32 in flight (io_uring)",
        .needs_disk = true,
        .metrics = RANDOM_METRICS("fs.randread"),
        .params = {PARAM_FILE, PARAM_REQUEST, PARAM_RANDOM_TIME},
    },
    {
        .name = "fs.randwrite",
        .summary = "random O_DIRECT overwrites, 1 and 32 in flight (io_uring)",
        .needs_disk = true,
        .write_path = true,
        .metrics = RANDOM_METRICS("fs.randwrite"),
        .params = {PARAM_FILE, PARAM_REQUEST, PARAM_RANDOM_TIME},
    },
    {
        .name = "fs.append",
        .summary = "append of a block to a growing file, then fsync",
        .needs_disk = true,
        .write_path = true,
        .metrics = {{.id = "fs.append.rate",
                     .unit = "op/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.03,
                     .primary = true}},
        .params = {PARAM_WRITE_SIZE, PARAM_APPEND_LIMIT, PARAM_IO_TIME},
    },
    {
        .name = "fs.rewrite",
        .summary = "sequential pass: read, change, write back; closing fsync",
        .needs_disk = true,
        .write_path = true,
        .metrics = {{.id = "fs.rewrite.bw",
                     .unit = "MB/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.03,
                     .primary = true}},
        .params = {PARAM_FILE, PARAM_RECORD},
    },
    {
        .name = "fs.seek",
        .summary = "random buffered reads, every tenth written back",
        .needs_disk = true,
        .write_path = true,
        .metrics = {{.id = "fs.seek.rate",
                     .unit = "op/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.03,
                     .primary = true}},
        .params = {PARAM_FILE, PARAM_SEEK_RECORD, PARAM_SEEKS, PARAM_SEEKERS},
    },
    {
        .name = "fs.meta",
        .summary = "create, stat and unlink empty files, then sync",
        .needs_disk = true,
        .write_path = true,
        .metrics =
            {
                {.id = "fs.meta.rate",
                 .unit = "op/s",
                 .better = BETTER_HIGHER,
                 .delta = 0.03,
                 .primary = true},
                {.id = "fs.meta.create",
                 .unit = "op/s",
                 .better = BETTER_HIGHER,
                 .delta = 0.03},
                {.id = "fs.meta.stat",
                 .unit = "op/s",
                 .better = BETTER_HIGHER,
                 .delta = 0.03},
                {.id = "fs.meta.unlink",
                 .unit = "op/s",
                 .better = BETTER_HIGHER,
                 .delta = 0.03},
            },
        .params = {PARAM_FILES},
    },
    {
        .name = "fs.firstwrite",
        .summary = "sequential write into a hole; closing fsync included",
        .needs_disk = true,
        .write_path = true,
        .metrics = {{.id = "fs.firstwrite.bw",
                     .unit = "MB/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.05,
                     .primary = true}},
        .params = {PARAM_NEW_FILE, PARAM_RECORD},
    },
    {.name = NULL},
};
