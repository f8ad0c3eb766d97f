/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.dsync: an overwrite of 4 KiB with O_DIRECT and O_DSYNC.  Under a
 * write-back device it becomes a write and a flush, under a write-through
 * device one write.
 */
#include <fcntl.h>
#include <unistd.h>

#include "guest-payload/durable.h"

extern const Workload wl_dsync;

static bool
write_one(Blocks *blocks, int fd)
{
    return blocks_put(blocks, fd);
}

static bool
setup(Run *run, Fail *fail)
{
    return durable_setup(run, O_DIRECT | O_DSYNC, fail);
}

static bool
warm_up(Run *run, Fail *fail)
{
    return durable_warm_up(run, write_one, fail);
}

static bool
measure(Run *run, Fail *fail)
{
    return durable_run(run, write_one, "fs.dsync.rate", "fs.dsync.lat", fail);
}

const Workload wl_dsync = {
    .name = "fs.dsync",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = durable_check,
    .teardown = durable_teardown,
};
