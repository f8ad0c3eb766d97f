/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host run of a block: the same payload, the same conversation, no guest.
 */
#pragma once

#include "run/attempt.h"

void hostrun(Rig *rig, const Cell *cell, const Slot *slot, Attempt *attempt);
