/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of workloads that this binary can run.
 */
#include "guest-payload/workload.h"

#include <stddef.h>

/* One a line, in the order of the catalogue. */
/* clang-format off */
#define WORKLOADS(each) \
    each(wl_fsync) \
    each(wl_dsync) \
    each(wl_seqwrite) \
    each(wl_seqread) \
    each(wl_randread) \
    each(wl_randwrite) \
    each(wl_append) \
    each(wl_rewrite) \
    each(wl_seek) \
    each(wl_meta) \
    each(wl_firstwrite) \
    each(wl_txn) \
    each(wl_int) \
    each(wl_fp) \
    each(wl_rsa) \
    each(wl_hash) \
    each(wl_aead) \
    each(wl_syscall) \
    each(wl_clock) \
    each(wl_exit) \
    each(wl_ctx) \
    each(wl_timer) \
    each(wl_bw) \
    each(wl_lat) \
    each(wl_tlb) \
    each(wl_fault)
/* clang-format on */

#define DECLARE(workload) extern const Workload workload;
#define ADDRESS(workload) &workload,

WORKLOADS(DECLARE)

const Workload *const workload_table[] = {WORKLOADS(ADDRESS) NULL};
