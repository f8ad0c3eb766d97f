/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces that rows of the catalogue share.  Bounds of parameters are those
 * beyond which a run would measure nothing (too short) or never end (too
 * long), so that vsweep refuses them before it boots anything.
 */
#pragma once

#include "guest-payload/catalogue.h"

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

/* As a number: no 0, yes 1. */
#define PARAM_DIRECT                                                           \
    {                                                                          \
        .name = "direct", .type = PARAM_CHOICE, .normal = "no", .quick = "no", \
        .choices = "no yes", .help = "past the guest's page cache (O_DIRECT)", \
    }

/* Ticks of the block layer resolve 1 ms a window, so 2 s or more is wanted
 * for the decomposition of the path (METHOD 0.8). */
#define PARAM_IO_TIME                                           \
    {                                                           \
        .name = "time", .type = PARAM_DURATION, .normal = "5s", \
        .quick = "800ms", .min = "100ms", .max = "10m",         \
        .help = "length of the measured window",                \
    }

/* One request of random access; 1 MiB is the smallest file, and 32 of them in
 * flight must not meet in it. */
#define PARAM_REQUEST                                                    \
    {                                                                    \
        .name = "bs", .type = PARAM_SIZE, .normal = "4k", .quick = "4k", \
        .min = "512", .max = "32k",                                      \
        .help = "bytes of one request, a multiple of 512",               \
    }

/* Two windows of it, hence half as long when quick. */
#define PARAM_RANDOM_TIME                                       \
    {                                                           \
        .name = "time", .type = PARAM_DURATION, .normal = "5s", \
        .quick = "400ms", .min = "100ms", .max = "10m",         \
        .help = "length of each measured window",               \
    }

/* A quarter of the disk is free beside the work file: half of that quarter of
 * the default disk of 512 MiB.  32 MiB holds the unmeasured appends of the
 * largest size and as many measured ones. */
#define PARAM_APPEND_LIMIT                                                    \
    {                                                                         \
        .name = "limit", .type = PARAM_SIZE, .normal = "64M", .quick = "32M", \
        .min = "32M", .max = "16G",                                           \
        .help = "length of the file at which the window ends early",          \
    }

/* The default disk has inodes for three times as many. */
#define PARAM_FILES                                              \
    {                                                            \
        .name = "files", .type = PARAM_COUNT, .normal = "10000", \
        .quick = "1000", .min = "100", .max = "1000000",         \
        .help = "files created, looked at and removed",          \
    }

/* Beside the work file, as PARAM_APPEND_LIMIT. */
#define PARAM_NEW_FILE                                                       \
    {                                                                        \
        .name = "size", .type = PARAM_SIZE, .normal = "64M", .quick = "32M", \
        .min = "16M", .max = "64G", .help = "length of the new file",        \
    }

/* Chunk, number of seeks and of seekers are bonnie++'s. */
#define PARAM_SEEK_RECORD                                                \
    {                                                                    \
        .name = "bs", .type = PARAM_SIZE, .normal = "8k", .quick = "8k", \
        .min = "512", .max = "32k", .help = "bytes read at one place",   \
    }
#define PARAM_SEEKS                                             \
    {                                                           \
        .name = "seeks", .type = PARAM_COUNT, .normal = "8192", \
        .quick = "1000", .min = "100", .max = "10000000",       \
        .help = "places visited, by all threads together",      \
    }
#define PARAM_SEEKERS                                                        \
    {                                                                        \
        .name = "threads", .type = PARAM_COUNT, .normal = "5", .quick = "5", \
        .min = "1", .max = "32", .help = "threads that seek",                \
    }

#define PARAM_CPU_TIME                                          \
    {                                                           \
        .name = "time", .type = PARAM_DURATION, .normal = "3s", \
        .quick = "300ms", .min = "100ms", .max = "10m",         \
        .help = "length of each measured window",               \
    }

/* Six windows of libcrypto's bulk work a pass: a quick one is shorter. */
#define PARAM_BULK_TIME                                         \
    {                                                           \
        .name = "time", .type = PARAM_DURATION, .normal = "3s", \
        .quick = "100ms", .min = "50ms", .max = "10m",          \
        .help = "length of each measured window",               \
    }
