/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads of databases.  Metrics and equivalence bands follow METHOD 6.2.
 */
#include "guest-payload/catalogue-parts.h"

#include <stddef.h>

const WorkloadInfo catalogue_db[] = {
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
    {.name = NULL},
};
