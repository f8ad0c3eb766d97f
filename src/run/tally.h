/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What has been tried so far: which cells still need an attempt in a block,
 * and which have failed so often that they are left out.
 */
#pragma once

#include <glib.h>
#include "data/store.h"
#include "plan/design.h"

typedef struct Tally Tally;

Tally *tally_new(const Design *design, guint blocks, guint retries);
/* From the database of a sweep that is resumed (StoreRun *). */
void tally_load(Tally *tally, const GPtrArray *runs);
void tally_add(Tally *tally, guint block, guint cell, Outcome outcome,
               const char *reason);
/* Forgets a block whose attempts were discarded. */
void tally_discard(Tally *tally, guint block);
/* Number of the next try (from 1) of this cell in this block, or 0 when it
 * needs none: done, tries used up, or left out. */
guint tally_next_try(const Tally *tally, guint block, guint cell);
/* Whether anything of the block has been tried. */
bool tally_begun(const Tally *tally, guint block);
/* Whether the block has begun but is not complete. */
bool tally_partial(const Tally *tally, guint block);
/* The cell was refused in the same words in two blocks (METHOD 0.11): those
 * words; else NULL. */
const char *tally_unsupported(const Tally *tally, guint cell);
/* Attempts so far, interrupted and discarded ones not counted. */
guint tally_tries(const Tally *tally);
/* Cells that have lost a block so far, those refused as above not counted. */
guint tally_failed_cells(const Tally *tally);
/* Attempts still to come up to that block, retries not counted. */
guint tally_left(const Tally *tally, guint last);
void tally_free(Tally *tally);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tally, tally_free)
