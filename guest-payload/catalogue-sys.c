/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads that time single operations of the system, those that
 * virtualization makes dearer.  Metrics and bands follow METHOD 6.2.
 */
#include "guest-payload/catalogue-parts.h"

#include <stddef.h>

#define METRIC_TIME(workload, band)                                      \
    {                                                                    \
        .id = workload ".time", .unit = "ns/op", .better = BETTER_LOWER, \
        .delta = (band), .primary = true,                                \
    }

const WorkloadInfo catalogue_sys[] = {
    {
        .name = "cpu.syscall",
        .summary = "a system call that does next to nothing (getppid)",
        .metrics = {METRIC_TIME("cpu.syscall", 0.02)},
        .params = {PARAM_CPU_TIME},
    },
    {
        .name = "cpu.clock",
        .summary = "a reading of CLOCK_MONOTONIC",
        .metrics = {METRIC_TIME("cpu.clock", 0.05)},
        .params = {PARAM_CPU_TIME},
    },
    {
        .name = "cpu.exit",
        .summary = "CPUID: an exit to the hypervisor and back",
        .metrics = {METRIC_TIME("cpu.exit", 0.03)},
        .params = {PARAM_CPU_TIME},
    },
    {
        .name = "cpu.ctx",
        .summary = "a round trip between two threads on one CPU (pipes)",
        .metrics = {METRIC_TIME("cpu.ctx", 0.03)},
        .params = {PARAM_CPU_TIME},
    },
    {
        .name = "cpu.timer",
        .summary = "how late a timer of 1 ms wakes its waiter (open loop)",
        .metrics = {{.id = "cpu.timer.p50",
                     .unit = "us",
                     .better = BETTER_LOWER,
                     .delta = 0.03,
                     .percentile = 50,
                     .primary = true},
                    {.id = "cpu.timer.p99",
                     .unit = "us",
                     .better = BETTER_LOWER,
                     .delta = 0.1,
                     .percentile = 99}},
        .params = {{.name = "time",
                    .type = PARAM_DURATION,
                    .normal = "5s",
                    /* 1000 expirations, the least for a p99. */
                    .quick = "1s",
                    .min = "100ms",
                    .max = "10m",
                    .help = "length of the measured window"}},
    },
    {.name = NULL},
};
