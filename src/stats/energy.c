/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of a wrapping energy counter.
 */
#include "stats/energy.h"

#include <math.h>

#define UJ_PER_J 1e6

gboolean
energy_delta(guint64 before, guint64 after, guint64 range, guint64 *delta)
{
    if (before > range || after > range)
        return FALSE;
    *delta = after >= before ? after - before : range - before + after;
    return TRUE;
}

static double
per_operation(double joules, double operations)
{
    return operations > 0 ? joules * UJ_PER_J / operations : NAN;
}

Energy
energy_account(guint64 delta_uj, double seconds, double idle_watts,
               double operations)
{
    Energy energy = {NAN, NAN, NAN, NAN, NAN};
    if (!(seconds > 0))
        return energy;
    energy.gross_j = (double) delta_uj / UJ_PER_J;
    energy.watts = energy.gross_j / seconds;
    energy.net_j = energy.gross_j - idle_watts * seconds;
    energy.gross_uj_per_op = per_operation(energy.gross_j, operations);
    energy.net_uj_per_op = per_operation(energy.net_j, operations);
    return energy;
}

void
energy_split(double joules, const double *cpu_seconds, guint n, double *shares)
{
    double total = 0;
    for (guint i = 0; i < n; i++)
        total += cpu_seconds[i];
    for (guint i = 0; i < n; i++)
        shares[i] = total > 0 ? joules * cpu_seconds[i] / total : NAN;
}
