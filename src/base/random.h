/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SplitMix64, exactly as METHOD 4.2 gives it, so that a seed means the same
 * order everywhere and for ever.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

typedef struct Random {
    guint64 state;
} Random;

/* The output function alone: a bijective mix of 64 bits. */
guint64 random_mix64(guint64 z);
void random_init(Random *random, guint64 seed);
guint64 random_next(Random *random);
/* Uniform on 0..n-1 without bias (rejection).  n > 0. */
guint64 random_bounded(Random *random, guint64 n);
/* Fills order[0..k-1] with a shuffle of 0..k-1 (Fisher-Yates from the end). */
void random_shuffle(Random *random, guint *order, guint k);
/* 64 bits from getrandom(2), for a seed nobody gave. */
guint64 random_seed(void);
