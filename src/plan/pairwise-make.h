/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside the generator of covering arrays: levels of all factors in one
 * numbering, in which pairs are places of a square.
 */
#pragma once

#include "base/random.h"
#include "plan/pairwise.h"

typedef struct PairSpace {
    const PairModel *model;
    guint *offset; /* of each factor's level 0 among all levels */
    guint total;   /* all levels of all factors */
    guint8 *open;  /* total x total, both ways: some row must have the pair */
} PairSpace;

/* Makes an array that has every open pair shorter for as long as that pays:
 * `rows` are replaced.  A bounded time, less for small models. */
void pairwise_shorten(const PairSpace *space, Random *random, GPtrArray *rows);
