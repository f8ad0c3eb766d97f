/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The manipulation check (METHOD 5.7): did every setting of a cell take
 * effect?  Rows of the setting table say where to look - the live domain, the
 * arguments of the QEMU process, what the guest itself saw - and what must be
 * found there.  One proof that fails makes the attempt a mismatch: its figures
 * would be filed under a setting that was not there.
 */
#pragma once

#include <glib.h>
#include "data/attempt.h"
#include "plan/design.h"

/* Looks at all proofs of all settings, swept or not, each at its level in the
 * cell, and appends one AttemptProof a proof to `proofs`.  `argv` has one
 * argument a line; `guest_facts` is name -> text.  What is NULL proves
 * nothing, so the proofs that need it fail.  True when all hold; a cell that
 * is no guest (the host) has none and holds. */
bool proof_check(const Design *design, const Cell *cell, const char *live_xml,
                 const char *argv, GHashTable *guest_facts, GPtrArray *proofs);
