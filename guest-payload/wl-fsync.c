/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fs.fsync: a buffered overwrite of 4 KiB, then fdatasync, as a database's
 * log does it (the shape of pg_test_fsync and of fio's fdatasync=1).
 */
#include <fcntl.h>
#include <unistd.h>

#include "guest-payload/durable.h"

extern const Workload wl_fsync;

static bool
write_one(Blocks *blocks, int fd)
{
    return blocks_put(blocks, fd) && fdatasync(fd) == 0;
}

static bool
setup(Run *run, Fail *fail)
{
    return durable_setup(run, 0, fail);
}

static bool
warm_up(Run *run, Fail *fail)
{
    return durable_warm_up(run, write_one, fail);
}

static bool
measure(Run *run, Fail *fail)
{
    return durable_run(run, write_one, "fs.fsync.rate", "fs.fsync.lat", fail);
}

const Workload wl_fsync = {
    .name = "fs.fsync",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = durable_check,
    .teardown = durable_teardown,
};
