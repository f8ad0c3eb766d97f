/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of workloads that this binary can run.
 */
#include "guest-payload/workload.h"

#include <stddef.h>

extern const Workload wl_fsync, wl_dsync, wl_seqwrite, wl_seqread, wl_txn,
    wl_int, wl_rsa;

const Workload *const workload_table[] = {
    &wl_fsync, &wl_dsync, &wl_seqwrite, &wl_seqread,
    &wl_txn,   &wl_int,   &wl_rsa,      NULL,
};
