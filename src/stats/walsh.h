/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walsh averages, (d_i + d_j) / 2 for i <= j, without making all n(n+1)/2 of
 * them: in a sorted array they are a table whose rows and columns ascend.
 */
#pragma once

#include <glib.h>

/* How many there are for n numbers, which is also the largest signed-rank
 * sum. */
gsize walsh_count(guint n);
/* The rank-th smallest, from 1; d ascends.  The very number that sorting would
 * find. */
double walsh_select(const double *d, guint n, gsize rank);
/* d ascends. */
double walsh_median(const double *d, guint n);
/* V of METHOD 7.2: those above zero, and by half those at zero; d ascends. */
double walsh_positive(const double *d, guint n);
