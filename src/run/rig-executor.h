/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The executor that measures: every attempt is a boot on a rig, or a run on
 * the host.
 */
#pragma once

#include "run/executor.h"
#include "run/rig.h"

/* Prepares the rig whole (rig_prepare). */
Executor *rig_executor_new(const Matrix *matrix, Design *design,
                           const RigOptions *options, GError **err);
