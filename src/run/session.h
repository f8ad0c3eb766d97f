/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record of a sweep in its database: facts, design, and whether a resumed
 * sweep still is on the same machine in the same state.
 */
#pragma once

#include "data/store.h"
#include "run/executor.h"
#include "run/sweep.h"

/* What makes two invocations the same sweep.  Caller frees. */
char *session_key(const Design *design, const Executor *executor,
                  const SweepOptions *options);
/* Writes everything about a new sweep. */
bool session_write(Store *store, const Design *design, const Executor *executor,
                   const SweepOptions *options, GError **err);
/* Makes the cells of the design those that the sweep began with, and says so
 * when they were others (another version may choose other rows). */
bool session_restore(Store *store, Design *design, GError **err);
/* Compares the executor's session with the one that is stored; when it is
 * another (host boot, kernel, QEMU, libvirt, acceleration), *ret_same is false
 * and the facts are renewed. */
bool session_check(Store *store, const Executor *executor, bool *ret_same,
                   GError **err);
