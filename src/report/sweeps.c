/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sweeps against each other: see sweeps.h. */
#include "report/sweeps.h"

#include <math.h>
#include <string.h>
#include "report/parts.h"
#include "stats/holm.h"
#include "stats/signedrank.h"
#include "stats/unblocked.h"

void
sweep_comparison_clear(SweepComparison *comparison)
{
    g_clear_pointer(&comparison->differences, g_ptr_array_unref);
    g_clear_pointer(&comparison->rows, g_array_unref);
}

/* y of a cell in each block, less that of the baseline unless `absolute`.
 * Returns how many. */
static guint
values_of(const Report *report, guint metric, guint place, bool absolute,
          double *y)
{
    const Blocks *logs = report_logs(report, metric);
    guint origin = (guint) report_cell_of(report, "baseline");
    guint n = 0;

    for (guint b = 0; b < logs->n_blocks; b++) {
        double value = blocks_get(logs, place, b) -
                       (absolute ? 0 : blocks_get(logs, origin, b));

        if (isfinite(value))
            y[n++] = value;
    }
    return n;
}

static Estimate
estimate_of(const Shift *shift, guint n)
{
    Method method = shift->k == 0  ? METHOD_DESCRIPTIVE
                    : shift->exact ? METHOD_EXACT
                                   : METHOD_NORMAL;
    bool enough = shift->k > 0;

    return (Estimate){.n = n,
                      .est = shift->est,
                      .lo = enough ? shift->lo : NAN,
                      .hi = enough ? shift->hi : NAN,
                      .confidence = enough ? shift->confidence : 0,
                      .p = enough ? shift->p : NAN,
                      .ci_method = method,
                      .p_method = method};
}

/* Where the cell of the old sweep stands in the new one; -1: nowhere. */
static int
place_in(const Report *report, const StoreCell *cell)
{
    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *other = report->cells->pdata[i];

        if (strcmp(other->kind, cell->kind) == 0 &&
            sweeps_same_cell(other, cell))
            return (int) i;
    }
    return -1;
}

static void
add_row(SweepComparison *comparison, guint metric, guint metric_new,
        guint place, guint place_new)
{
    const Report *old = comparison->old, *new = comparison->new;
    bool absolute = (int) place == report_cell_of(old, "baseline");
    g_autofree double *x = g_new(double, new->last_block + 1);
    g_autofree double *y = g_new(double, old->last_block + 1);
    SweepRow row = {.metric = metric, .place = place, .absolute = absolute};

    row.runs_new = values_of(new, metric_new, place_new, absolute, x);
    row.runs_old = values_of(old, metric, place, absolute, y);
    if (row.runs_new == 0 || row.runs_old == 0)
        return;
    Shift shift =
        unblocked_shift(x, row.runs_new, y, row.runs_old, REPORT_ALPHA);
    const ReportMetric *info = old->metrics->pdata[metric];
    row.estimate = estimate_of(&shift, MIN(row.runs_new, row.runs_old));
    row.old = report_ratio(info, median(y, row.runs_old));
    row.new = report_ratio(info, median(x, row.runs_new));
    report_ratios(info, &row.estimate, &row.ratio, &row.ratio_lo,
                  &row.ratio_hi);
    g_array_append_val(comparison->rows, row);
}

/* METHOD 0.1, 6.4, 7.4. */
static const char *
choose_word(const Report *old, const SweepRow *row)
{
    const ReportMetric *metric = old->metrics->pdata[row->metric];
    const StoreCell *cell = old->cells->pdata[row->place];
    bool ignores = strcmp(report_cell_class(cell), "N") == 0;

    if (metric->write_path && ignores && !row->absolute &&
        !report_allows_unsafe(old))
        return "not comparable: flushes ignored";
    if (row->estimate.ci_method == METHOD_DESCRIPTIVE)
        return "descriptive";
    if (report_figures_only(old, metric) || strcmp(cell->kind, "cell") != 0)
        return "figures only";
    return verdict_name(verdict_decide(row->estimate.lo, row->estimate.hi,
                                       row->p_adjusted, metric->delta,
                                       REPORT_ALPHA));
}

static void
judge(SweepComparison *comparison, guint first)
{
    guint count = comparison->rows->len - first;
    SweepRow *rows = &g_array_index(comparison->rows, SweepRow, first);
    g_autofree double *p = g_new(double, count + 1);
    g_autofree double *adjusted = g_new(double, count + 1);

    for (guint i = 0; i < count; i++)
        p[i] = rows[i].estimate.p;
    holm_adjust(p, count, adjusted);
    for (guint i = 0; i < count; i++) {
        rows[i].p_adjusted = adjusted[i];
        rows[i].word = choose_word(comparison->old, &rows[i]);
    }
}

static void
add_metric(SweepComparison *comparison, guint metric, guint metric_new)
{
    const GPtrArray *cells = comparison->old->cells;
    guint first = comparison->rows->len;

    for (guint i = 0; i < cells->len; i++) {
        const StoreCell *cell = cells->pdata[i];
        int place = place_in(comparison->new, cell);

        if (place >= 0 && strcmp(cell->kind, "aa") != 0)
            add_row(comparison, metric, metric_new, i, (guint) place);
    }
    if (comparison->rows->len > first)
        judge(comparison, first);
}

static bool
same_meaning(const ReportMetric *a, const ReportMetric *b)
{
    return strcmp(a->id, b->id) == 0 && strcmp(a->unit, b->unit) == 0 &&
           a->higher_better == b->higher_better;
}

static bool
add_metrics(SweepComparison *comparison, const char *wanted, GError **err)
{
    const Report *old = comparison->old, *new = comparison->new;

    for (guint m = 0; m < old->metrics->len; m++) {
        const ReportMetric *metric = old->metrics->pdata[m];
        int other = report_metric(new, metric->id);

        if (other >= 0 &&
            (wanted ? strcmp(metric->id, wanted) == 0 : metric->primary) &&
            same_meaning(metric, new->metrics->pdata[other]))
            add_metric(comparison, m, (guint) other);
    }
    if (comparison->rows->len > 0)
        return true;
    if (wanted)
        return vs_usage(err,
                        "the sweeps have no cell in common with values of "
                        "'%s': take a metric that both reports have",
                        wanted);
    return vs_usage(err, "the sweeps have no cell in common with values of a "
                         "primary metric: name one with --metric");
}

static bool
check_baselines(const Report *old, const Report *new, GError **err)
{
    int a = report_cell_of(old, "baseline"),
        b = report_cell_of(new, "baseline");

    if (a < 0 || b < 0)
        return vs_usage(err, "a sweep without its baseline cannot be compared: "
                             "the other cells are ratios to it");
    if (!sweeps_same_cell(old->cells->pdata[a], new->cells->pdata[b]))
        return vs_usage(err,
                        "the baselines differ (%s against %s), and cells "
                        "are compared as ratios to them",
                        ((StoreCell *) old->cells->pdata[a])->name,
                        ((StoreCell *) new->cells->pdata[b])->name);
    return true;
}

static bool
check_circumstances(const SweepComparison *comparison, bool anyway,
                    GError **err)
{
    g_autofree char *list = NULL;

    if (comparison->old->emulated != comparison->new->emulated)
        return vs_usage(err, "one sweep ran under KVM and the other under "
                             "emulation: they have nothing in common");
    if (comparison->differences->len == 0 || anyway)
        return true;
    g_ptr_array_add(comparison->differences, NULL);
    list = g_strjoinv("; ", (GStrv) comparison->differences->pdata);
    return vs_usage(err,
                    "the sweeps differ in more than their results (%s); with "
                    "--anyway they are compared all the same",
                    list);
}

bool
sweeps_compare(const Report *old, const Report *new, const char *metric,
               bool anyway, SweepComparison *ret_comparison, GError **err)
{
    g_auto(SweepComparison)
        comparison = {old, new, sweeps_differences(old, new),
                      g_array_new(FALSE, FALSE, sizeof(SweepRow))};

    if (!check_circumstances(&comparison, anyway, err) ||
        !check_baselines(old, new, err) ||
        !add_metrics(&comparison, metric, err))
        return false;
    *ret_comparison = comparison;
    comparison = (SweepComparison){0};
    return true;
}
