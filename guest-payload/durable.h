/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop shared by fs.fsync and fs.dsync: overwrite a block in place at
 * successive offsets, make it durable, time each operation.  Both write
 * paths are wanted because cache modes can rank differently on them
 * (METHOD 0.6).
 */
#pragma once

#include "guest-payload/blocks.h"
#include "guest-payload/workload.h"

/* One operation: write and make durable.  False with errno set. */
typedef bool (*DurableWrite)(Blocks *blocks, int fd);

/* `flags` are added to O_RDWR. */
bool durable_setup(Run *run, int flags, Fail *fail);
bool durable_warm_up(Run *run, DurableWrite write_one, Fail *fail);
/* One window; keeps `rate_metric` and the histogram `hist_metric`. */
bool durable_run(Run *run, DurableWrite write_one, const char *rate_metric,
                 const char *hist_metric, Fail *fail);
bool durable_check(Run *run, Fail *fail);
void durable_teardown(Run *run);
