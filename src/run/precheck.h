/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is found out before the first boot: whether KVM works (by booting) and
 * which cells libvirt can do at all (METHOD 0.1, 0.11).
 */
#pragma once

#include "run/rig.h"

/* Decides Rig.accel with the CPU models of the planned cells. */
bool precheck_accel(Rig *rig, GError **err);
/* Validates every planned cell's document and asks libvirt for its command
 * line; what it cannot do becomes CELL_UNSUPPORTED in its words.  Fails when
 * the baseline is among them, or O_DIRECT is needed and refused. */
bool precheck_cells(Rig *rig, GError **err);
