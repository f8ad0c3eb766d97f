/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of workloads.  Metrics and equivalence bands follow METHOD 6.2;
 * bounds of parameters are those beyond which a run would measure nothing
 * (too short) or never end (too long), so that vsweep refuses them before it
 * boots anything.
 */
#include "guest-payload/catalogue.h"

#include <string.h>

/* Part of the work file that an fs workload touches.  256 MiB is a quarter of
 * the default guest's memory; 64 MiB keeps a quick pass below half a second
 * under emulation. */
#define PARAM_FILE                                                            \
    {                                                                         \
        .name = "file", .type = PARAM_SIZE, .normal = "256M", .quick = "64M", \
        .min = "1M", .max = "64G",                                            \
        .help = "part of the pre-filled work file that is used",              \
    }

/* Record of the two durable-write loops: a file system block by default. */
#define PARAM_WRITE_SIZE                                                   \
    {                                                                      \
        .name = "size", .type = PARAM_SIZE, .normal = "4k", .quick = "4k", \
        .min = "512", .max = "1M",                                         \
        .help = "bytes of one write, a multiple of 512",                   \
    }

#define PARAM_RECORD                                                     \
    {                                                                    \
        .name = "bs", .type = PARAM_SIZE, .normal = "1M", .quick = "1M", \
        .min = "4k", .max = "16M",                                       \
        .help = "bytes of one system call, a multiple of 4096",          \
    }

/* Ticks of the block layer resolve 1 ms a window, so 2 s or more is wanted
 * for the decomposition of the path (METHOD 0.8). */
#define PARAM_IO_TIME                                           \
    {                                                           \
        .name = "time", .type = PARAM_DURATION, .normal = "5s", \
        .quick = "800ms", .min = "100ms", .max = "10m",         \
        .help = "length of the measured window",                \
    }

#define PARAM_CPU_TIME                                          \
    {                                                           \
        .name = "time", .type = PARAM_DURATION, .normal = "3s", \
        .quick = "300ms", .min = "100ms", .max = "10m",         \
        .help = "length of each measured window",               \
    }

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

const WorkloadInfo workload_catalogue[] = {
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
        .params = {PARAM_FILE, PARAM_RECORD},
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
        .params = {PARAM_FILE, PARAM_RECORD},
    },
    {
        .name = "db.txn",
        .summary = "SQLite single-row insert transactions, synchronous=FULL",
        .needs_disk = true,
        .write_path = true,
        .metrics = {{.id = "db.txn.rate",
                     .unit = "txn/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.03,
                     .primary = true},
                    {.id = "db.txn.p50",
                     .unit = "us",
                     .better = BETTER_LOWER,
                     .delta = 0.03,
                     .percentile = 50}},
        .params = {{.name = "rows",
                    .type = PARAM_COUNT,
                    .normal = "2000",
                    .quick = "100",
                    .min = "10",
                    .max = "1000000",
                    .help = "transactions of one row each"},
                   {.name = "journal",
                    .type = PARAM_CHOICE,
                    .normal = "delete",
                    .quick = "delete",
                    .choices = "delete wal",
                    .help = "SQLite's journal mode"}},
    },
    {
        .name = "cpu.int",
        .summary = "integer arithmetic in registers, one thread (control)",
        .metrics = {{.id = "cpu.int.rate",
                     .unit = "iter/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.01,
                     .primary = true}},
        .params = {PARAM_CPU_TIME},
    },
    {
        .name = "cpu.rsa",
        .summary = "RSA-2048 signatures and verifications with libcrypto",
        .metrics = {{.id = "cpu.rsa.sign",
                     .unit = "op/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.02,
                     .primary = true},
                    {.id = "cpu.rsa.verify",
                     .unit = "op/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.02},
                    {.id = "cpu.rsa.sign.all",
                     .unit = "op/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.02},
                    {.id = "cpu.rsa.verify.all",
                     .unit = "op/s",
                     .better = BETTER_HIGHER,
                     .delta = 0.02}},
        .params = {PARAM_CPU_TIME},
    },
    {.name = NULL},
};

const WorkloadInfo *
catalogue_workload(const char *name)
{
    for (const WorkloadInfo *w = workload_catalogue; w->name; w++)
        if (strcmp(w->name, name) == 0)
            return w;
    return NULL;
}

const MetricInfo *
catalogue_metric(const char *id, const WorkloadInfo **ret_workload)
{
    for (const WorkloadInfo *w = workload_catalogue; w->name; w++)
        for (const MetricInfo *m = w->metrics; m->id; m++)
            if (strcmp(m->id, id) == 0) {
                if (ret_workload)
                    *ret_workload = w;
                return m;
            }
    return NULL;
}

const ParamInfo *
catalogue_param(const WorkloadInfo *workload, const char *name)
{
    for (const ParamInfo *p = workload->params; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}
