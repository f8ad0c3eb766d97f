/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One attempt: one fresh boot of one cell, or one host run.  Whatever happens
 * to the guest or its QEMU is the outcome of the attempt.
 */
#pragma once

#include "run/executor.h"
#include "run/rig.h"

/* Always returns an attempt with an outcome.  Caller frees. */
Attempt *attempt_run(Rig *rig, const Cell *cell, const Slot *slot);
