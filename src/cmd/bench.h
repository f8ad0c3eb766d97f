/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that say what is to be booted and how, shared by run, plan and
 * shell: the matrix (a file or --set options), and the hypervisor.
 */
#pragma once

#include <glib.h>
#include "plan/design.h"
#include "run/rig.h"

typedef struct BenchOptions {
    gboolean quick;
    char **sets, **workloads;
    char *only, *storage, *connect, *accel, *kernel, *timeout, *blocks;
} BenchOptions;

/* The command-line state of these options. */
extern BenchOptions bench_options;

/* GOptionEntry rows for bench_options, to be put in a command's table. */
#define BENCH_ENTRIES                                                           \
    {"quick",                                                                   \
     'q',                                                                       \
     0,                                                                         \
     G_OPTION_ARG_NONE,                                                         \
     &bench_options.quick,                                                      \
     "small sizes, one setting at a time, 3 blocks",                            \
     NULL},                                                                     \
        {"set",                                                                 \
         0,                                                                     \
         0,                                                                     \
         G_OPTION_ARG_STRING_ARRAY,                                             \
         &bench_options.sets,                                                   \
         "sweep a setting without a matrix file",                               \
         "S=L,L..."},                                                           \
        {"workload",                                                            \
         'w',                                                                   \
         0,                                                                     \
         G_OPTION_ARG_STRING_ARRAY,                                             \
         &bench_options.workloads,                                              \
         "workload to run with --set",                                          \
         "NAME[:...]"},                                                         \
        {"only",                                                                \
         0,                                                                     \
         0,                                                                     \
         G_OPTION_ARG_STRING,                                                   \
         &bench_options.only,                                                   \
         "only this cell or SETTING=LEVEL,...",                                 \
         "FILTER"},                                                             \
        {"blocks",           0,  0, G_OPTION_ARG_STRING, &bench_options.blocks, \
         "number of blocks", "N"},                                              \
        {"storage",                                                             \
         0,                                                                     \
         0,                                                                     \
         G_OPTION_ARG_FILENAME,                                                 \
         &bench_options.storage,                                                \
         "directory for the disk images",                                       \
         "DIR"},                                                                \
        {"connect",                                                             \
         'c',                                                                   \
         0,                                                                     \
         G_OPTION_ARG_STRING,                                                   \
         &bench_options.connect,                                                \
         "libvirt URI (default: embedded driver)",                              \
         "URI"},                                                                \
        {"accel",                                                               \
         0,                                                                     \
         0,                                                                     \
         G_OPTION_ARG_STRING,                                                   \
         &bench_options.accel,                                                  \
         "auto, kvm or tcg",                                                    \
         "ACCEL"},                                                              \
        {"kernel",                                                              \
         0,                                                                     \
         0,                                                                     \
         G_OPTION_ARG_FILENAME,                                                 \
         &bench_options.kernel,                                                 \
         "guest kernel (default: newest that fits)",                            \
         "FILE"},                                                               \
    {                                                                           \
        "timeout", 0, 0, G_OPTION_ARG_STRING, &bench_options.timeout,           \
            "longest silence of a guest (60s)", "TIME"                          \
    }

/* The matrix that `path` (NULL with --set) and the options describe.  `path`
 * may also be the name of a ready matrix ("cache-modes"). */
Matrix *bench_matrix(const char *path, GError **err);
/* Its design, as far as --only and --blocks leave it. */
Design *bench_design(const Matrix *matrix, GError **err);
/* Both. */
bool bench_plan(const char *path, Matrix **ret_matrix, Design **ret_design,
                GError **err);
bool bench_rig_options(RigOptions *ret_options, GError **err);
