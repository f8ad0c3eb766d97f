/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads of the processor.  Metrics and equivalence bands follow METHOD 6.2.
 */
#include "guest-payload/catalogue-parts.h"

#include <stddef.h>

const WorkloadInfo catalogue_cpu[] = {
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
