/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best cell of a metric and what it is worth, scored on other blocks than
 * those it was chosen on (METHOD 8.3).
 */
#include "report/parts.h"

#include <math.h>
#include <string.h>
#include "report/format.h"
#include "report/text.h"
#include "stats/best.h"

void
report_best_free(ReportBest *best)
{
    if (!best)
        return;
    g_array_unref(best->picks);
    g_free(best);
}

/* Stronger promises rank higher; METHOD 6.4. */
static guint
durability_rank(const StoreCell *cell)
{
    const char *class = report_cell_class(cell);

    return strcmp(class, "N") == 0 ? 0 : strcmp(class, "D") == 0 ? 1 : 2;
}

/* Cells that ignore flushes are never the best, and none that promises less
 * than the baseline is where writes count (METHOD 2, rule 9). */
static bool
may_be_best(const Report *report, const ReportMetric *metric,
            const StoreCell *cell, const StoreCell *baseline)
{
    if (strcmp(cell->kind, "cell") != 0 || !report_cell_planned(cell))
        return false;
    if (report_allows_unsafe(report))
        return true;
    return durability_rank(cell) > 0 &&
           (!metric->write_path ||
            durability_rank(cell) >= durability_rank(baseline));
}

GArray *
report_best_candidates(const Report *report, guint metric, guint origin)
{
    GArray *candidates = g_array_new(FALSE, FALSE, sizeof(guint));
    const Blocks *logs = report_logs(report, metric);

    for (guint i = 0; i < report->cells->len; i++)
        if (may_be_best(report, report->metrics->pdata[metric],
                        report->cells->pdata[i],
                        report->cells->pdata[origin]) &&
            report_logs_any(logs, i))
            g_array_append_val(candidates, i);
    return candidates;
}

/* How often each candidate was picked, those never picked left out. */
static GArray *
count_picks(const guint *picks, guint n_blocks, const GArray *candidates)
{
    GArray *counts = g_array_new(FALSE, FALSE, sizeof(ReportPick));

    for (guint i = 0; i < candidates->len; i++) {
        ReportPick pick = {g_array_index(candidates, guint, i), 0};

        for (guint b = 0; b < n_blocks; b++)
            pick.count += picks[b] == pick.place;
        if (pick.count > 0)
            g_array_append_val(counts, pick);
    }
    return counts;
}

static double
mean_of(const double *x, guint n)
{
    double sum = 0;

    for (guint i = 0; i < n; i++)
        sum += x[i];
    return n > 0 ? sum / n : NAN;
}

/* Of the blocks in which every candidate was measured, which are those that
 * were picked for. */
static double
naive_gain(const Blocks *logs, guint best, guint origin, const guint *picks)
{
    g_autofree double *d = g_new(double, logs->n_blocks + 1);
    guint n = 0;

    for (guint b = 0; b < logs->n_blocks; b++) {
        double gain = blocks_get(logs, best, b) - blocks_get(logs, origin, b);

        if (picks[b] != BEST_NO_CELL && isfinite(gain))
            d[n++] = gain;
    }
    return mean_of(d, n);
}

static ReportBest *
best_make(const Report *report, guint metric, guint origin,
          const GArray *candidates)
{
    const Blocks *logs = report_logs(report, metric);
    const guint *cells = (const guint *) candidates->data;
    g_autofree guint *picks = g_new(guint, logs->n_blocks + 1);
    g_autofree double *d = g_new(double, logs->n_blocks + 1);
    guint n = best_crossfit(logs, cells, candidates->len, origin, picks, d);
    ReportBest *best = NULL;

    if (n == 0)
        return NULL;
    best = g_new0(ReportBest, 1);
    best->metric = metric;
    best->place = best_naive(logs, cells, candidates->len);
    best->candidates = candidates->len;
    best->picks = count_picks(picks, logs->n_blocks, candidates);
    best->naive_gain = naive_gain(logs, best->place, origin, picks);
    best->gain = mean_of(d, n);
    best->estimate = contrast_infer(d, n, 1, REPORT_ALPHA);
    report_ratios(report->metrics->pdata[metric], &best->estimate, &best->ratio,
                  &best->ratio_lo, &best->ratio_hi);
    return best;
}

void
report_add_bests(Report *report)
{
    int origin = report_cell_of(report, "baseline");

    for (guint m = 0; origin >= 0 && m < report->metrics->len; m++) {
        const ReportMetric *metric = report->metrics->pdata[m];
        g_autoptr(GArray) candidates = NULL;
        ReportBest *best = NULL;

        if (!metric->primary)
            continue;
        candidates = report_best_candidates(report, m, (guint) origin);
        if (candidates->len > 1)
            best = best_make(report, m, (guint) origin, candidates);
        if (best)
            g_ptr_array_add(report->bests, best);
    }
}

const ReportBest *
report_best(const Report *report, guint metric)
{
    for (guint i = 0; i < report->bests->len; i++) {
        const ReportBest *best = report->bests->pdata[i];

        if (best->metric == metric)
            return best;
    }
    return NULL;
}

static guint
pick_count(const ReportBest *best, guint place)
{
    for (guint i = 0; i < best->picks->len; i++) {
        const ReportPick *pick = &g_array_index(best->picks, ReportPick, i);

        if (pick->place == place)
            return pick->count;
    }
    return 0;
}

/* METHOD 0.1: emulation recommends nothing; 0.2: nor do fewer than 3 blocks. */
char *
report_best_text(const Report *report, const ReportBest *best)
{
    const StoreCell *cell = report->cells->pdata[best->place];
    const ReportMetric *metric = report->metrics->pdata[best->metric];
    const Estimate *e = &best->estimate;
    g_autofree char *gain = report_percent(best->ratio);
    g_autofree char *interval = format_interval(best->ratio_lo, best->ratio_hi);
    g_autofree char *chosen =
        e->lo > 0 ? g_strdup_printf("%s, chosen in %u of %u blocks", cell->name,
                                    pick_count(best, best->place), e->n)
                  : g_strdup_printf("none is shown to beat the baseline in %u "
                                    "blocks",
                                    e->n);

    if (report->emulated || e->n < 3)
        return NULL;
    return g_strdup_printf("best of %u cells: %s: %s %s against the baseline "
                           "(%s), scored on blocks it was not chosen on",
                           best->candidates, chosen, gain, interval,
                           format_better(metric->higher_better));
}
