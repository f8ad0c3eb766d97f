/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holm's step-down adjustment: the i-th smallest of m p-values is multiplied
 * by m - i + 1, never below the one before it, never above 1.
 */
#include "stats/holm.h"

#include <math.h>
#include <stdlib.h>

typedef struct Ranked {
    double p;
    guint index;
} Ranked;

static int
compare_ranked(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

void
holm_adjust(const double *p, guint m, double *adjusted)
{
    g_autofree Ranked *ranked = g_new(Ranked, m);
    guint count = 0;
    for (guint i = 0; i < m; i++) {
        adjusted[i] = NAN;
        if (!isnan(p[i]))
            ranked[count++] = (Ranked){p[i], i};
    }
    if (count == 0)
        return;
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    double floor = 0;
    for (guint rank = 0; rank < count; rank++) {
        double raised = MIN(1.0, (count - rank) * ranked[rank].p);
        floor = MAX(floor, raised);
        adjusted[ranked[rank].index] = floor;
    }
}
