/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which setting, and which interaction, makes how much of the differences
 * between cells (METHOD 7.5): shares of the log-variance in a balanced full
 * design.
 */
#pragma once

#include <glib.h>

/* A term is a set of settings, a number of as many bits. */
#define SHARES_MAX_SETTINGS 10

/* means has one value per cell, the level of the last setting changing
 * fastest.  shares[set] for the 2^n_settings sets: bit s of `set` is setting
 * s, shares[0] is 0, all together are 1.  FALSE, with shares left alone, when
 * a mean is missing (NaN) or nothing differs. */
gboolean shares_of_variance(const double *means, const guint *n_levels,
                            guint n_settings, double *shares);
