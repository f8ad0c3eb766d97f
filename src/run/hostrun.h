/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host runs of a block: the same payload, the same conversation, no guest;
 * with all the host has, or confined to what the baseline guest has.
 */
#pragma once

#include "run/attempt.h"

void hostrun(Rig *rig, const Cell *cell, const Slot *slot, Attempt *attempt);
