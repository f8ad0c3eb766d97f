/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From counters of energy to joules per operation (METHOD 6.5).  Energy that
 * was not measured is NaN, never 0.
 */
#pragma once

#include <glib.h>

/* Microjoules between two readings of a counter that wraps once at most; range
 * is its max_energy_range_uj.  262 kJ last for 15 minutes at 300 W: sample
 * every 30 s and add up.  FALSE, with delta left alone, for readings beyond the
 * range. */
gboolean energy_delta(guint64 before, guint64 after, guint64 range,
                      guint64 *delta);

typedef struct Energy {
    double gross_j;         /* all that the package took */
    double watts;           /* mean power */
    double net_j;           /* less idle power over the time */
    double gross_uj_per_op; /* NaN without operations */
    double net_uj_per_op;
} Energy;

/* idle_watts: NaN when it was not measured, net is then NaN too.  All NaN
 * without a time above 0. */
Energy energy_account(guint64 delta_uj, double seconds, double idle_watts,
                      double operations);

/* Splits joules over n tiles by their CPU time: an estimate, to be labelled as
 * one.  All shares are NaN when nobody used any. */
void energy_split(double joules, const double *cpu_seconds, guint n,
                  double *shares);
