/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums behind a plan: see plan-check.h. */
#include <math.h>
#include <stdio.h>
#include "base/clock.h"
#include "base/units.h"
#include "cmd/plan-check.h"
#include "run/estimate.h"
#include "stats/precision.h"

/* What a comparison scatters by from block to block on a quiet host: METHOD
 * 0.13 plans with it.  The sweep itself will show the real figure. */
#define ASSUMED_SD 0.02
/* 1 - confidence (METHOD 3.4). */
#define ALPHA 0.05
#define SECONDS_PER_YEAR (365.25 * 86400)

void
plan_print_reasons(const GArray *reasons)
{
    bool any = false;

    for (guint i = 0; i < reasons->len; i++) {
        const DesignReason *reason = &g_array_index(reasons, DesignReason, i);

        if (!reason->cells)
            continue;
        if (!any)
            puts("excluded:");
        any = true;
        printf("  %10" G_GUINT64_FORMAT "  %s\n", reason->cells, reason->why);
    }
}

void
plan_print_precision(guint blocks)
{
    double half = precision_half_width(ASSUMED_SD, blocks, ALPHA);

    printf("precision: about +-%.1f %% for one comparison after %u blocks, "
           "assuming that it scatters by %.0f %% from block to block\n",
           100 * expm1(half), blocks, 100 * ASSUMED_SD);
}

/* "3 d 04 h" is not for what takes longer than anybody lives. */
static char *
format_seconds(double seconds)
{
    if (seconds < SECONDS_PER_YEAR)
        return units_format_duration((gint64) (seconds * CLOCK_NS_PER_S));
    return g_strdup_printf("%.3g years", seconds / SECONDS_PER_YEAR);
}

static void
print_count(const DesignCount *count)
{
    if (count->cells == G_MAXUINT64)
        printf("design: full, at least %" G_GUINT64_FORMAT " cells",
               count->cells);
    else if (count->exact)
        printf("design: full, %" G_GUINT64_FORMAT
               " cells to plan, %" G_GUINT64_FORMAT " excluded",
               count->cells - count->excluded, count->excluded);
    else
        printf("design: full, %" G_GUINT64_FORMAT
               " cells, excluded ones among them (too many to count)",
               count->cells);
    printf("; %u blocks (%u needed for exact p-values with %u comparisons)\n",
           count->blocks_min, design_blocks_bound(count->comparisons),
           count->comparisons);
}

void
plan_print_large(const Matrix *matrix)
{
    g_autoptr(DesignCount) count = design_count(matrix);
    /* And the twin. */
    guint64 guests = count->cells - count->excluded + 1;
    g_autofree char *kvm =
        format_seconds(estimate_cells(matrix, guests, count->blocks_min, true));
    g_autofree char *tcg = format_seconds(
        estimate_cells(matrix, guests, count->blocks_min, false));

    printf("%s: %s\n", matrix->name,
           matrix->question ? matrix->question : "(no question)");
    print_count(count);
    plan_print_reasons(count->reasons);
    plan_print_precision(count->blocks_min);
    printf("time: about %s with KVM, %s emulated\n", kvm, tcg);
}
