/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two cells that share no block (METHOD 7.8): all runs of the one against all
 * of the other.  What drifted between them is in the difference, which every
 * face of the report says.
 */
#include "report/parts.h"

#include <math.h>
#include "report/contexts.h"
#include "stats/signedrank.h"
#include "stats/unblocked.h"

/* The values that a cell has.  Returns how many. */
static guint
values_of(const Blocks *logs, guint cell, double *y)
{
    guint n = 0;

    for (guint b = 0; b < logs->n_blocks; b++)
        if (!isnan(blocks_get(logs, cell, b)))
            y[n++] = blocks_get(logs, cell, b);
    return n;
}

static Interval
value_median(const ReportMetric *metric, const double *y, guint n)
{
    g_autofree double *x = g_new(double, n + 1);

    for (guint i = 0; i < n; i++)
        x[i] = report_ratio(metric, y[i]);
    return median_interval(x, n, REPORT_ALPHA);
}

/* Too few runs for an interval at the level: figures only. */
static Estimate
estimate_of(const Shift *shift, guint n)
{
    Method method = shift->exact ? METHOD_EXACT : METHOD_NORMAL;
    bool enough = shift->k > 0;

    return (Estimate){.n = n,
                      .est = shift->est,
                      .lo = enough ? shift->lo : NAN,
                      .hi = enough ? shift->hi : NAN,
                      .confidence = enough ? shift->confidence : 0,
                      .p = enough ? shift->p : NAN,
                      .ci_method = enough ? method : METHOD_DESCRIPTIVE,
                      .p_method = enough ? method : METHOD_DESCRIPTIVE};
}

void
report_fill_unblocked(const Blocks *logs, const Pair *pair,
                      const ReportMetric *metric, ReportContrast *contrast)
{
    g_autofree double *level = g_new(double, logs->n_blocks + 1);
    g_autofree double *base = g_new(double, logs->n_blocks + 1);
    guint m = values_of(logs, pair->level, level);
    guint n = values_of(logs, pair->base, base);
    Shift shift = unblocked_shift(level, m, base, n, REPORT_ALPHA);
    Interval of_level = value_median(metric, level, m);
    Interval of_base = value_median(metric, base, n);

    contrast->runs_level = m;
    contrast->runs_base = n;
    contrast->estimate = estimate_of(&shift, MIN(m, n));
    contrast->sd = NAN;
    contrast->simple_lo = contrast->simple_hi = NAN;
    contrast->median_level = of_level.est;
    contrast->level_lo = of_level.lo;
    contrast->level_hi = of_level.hi;
    contrast->median_base = of_base.est;
    contrast->base_lo = of_base.lo;
    contrast->base_hi = of_base.hi;
    contrast->median_confidence = of_level.confidence;
    report_ratios(metric, &contrast->estimate, &contrast->ratio,
                  &contrast->ratio_lo, &contrast->ratio_hi);
}

bool
report_is_csv(const Report *report)
{
    return report_fact(report, "source") != NULL;
}

char *
report_paired(const Report *report, guint n)
{
    return g_strdup_printf("%u paired %s%s", n,
                           report_is_csv(report) ? "block" : "boot",
                           n == 1 ? "" : "s");
}

char *
report_replicates(const Report *report, const ReportContrast *contrast)
{
    if (report->unblocked)
        return g_strdup_printf("%u against %u runs, unblocked",
                               contrast->runs_level, contrast->runs_base);
    return report_paired(report, contrast->estimate.n);
}
