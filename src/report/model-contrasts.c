/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Level against baseline, within blocks (METHOD 7.1, 7.3): the mean over its
 * contexts of the level's cell minus the base's.
 */
#include "report/contexts.h"

#include <math.h>
#include <string.h>
#include "report/precision.h"
#include "report/regression.h"
#include "stats/precision.h"
#include "stats/signedrank.h"

void
report_contrast_free(ReportContrast *contrast)
{
    if (!contrast)
        return;
    g_free(contrast->setting);
    g_free(contrast->level);
    g_free(contrast->base);
    g_free(contrast->alias_of);
    g_free(contrast->note);
    g_free(contrast);
}

double
report_ratio(const ReportMetric *metric, double est)
{
    return exp(metric->higher_better ? est : -est);
}

void
report_ratios(const ReportMetric *metric, const Estimate *estimate,
              double *ret_ratio, double *ret_lo, double *ret_hi)
{
    bool up = metric->higher_better;

    *ret_ratio = report_ratio(metric, estimate->est);
    *ret_lo = report_ratio(metric, up ? estimate->lo : estimate->hi);
    *ret_hi = report_ratio(metric, up ? estimate->hi : estimate->lo);
}

/* Weights of the level side and of the base side; each sums to 1. */
static void
fill_weights(const GArray *used, double *level, double *base)
{
    for (guint i = 0; i < used->len; i++) {
        const Pair *pair = &g_array_index(used, Pair, i);

        level[pair->level] += 1.0 / used->len;
        base[pair->base] += 1.0 / used->len;
    }
}

/* Median over the blocks of the contrast of one side's geometric mean. */
static Interval
side_median(const Blocks *logs, const double *side, const double *weights,
            const ReportMetric *metric)
{
    g_autofree double *x = g_new(double, logs->n_blocks + 1);
    guint n = 0;

    for (guint b = 0; b < logs->n_blocks; b++) {
        double y = 0, d = 0;
        bool needs_any = false;

        for (guint c = 0; c < logs->n_cells; c++) {
            needs_any = needs_any || weights[c] != 0;
            if (weights[c] != 0)
                d += weights[c] * blocks_get(logs, c, b);
            if (side[c] != 0)
                y += side[c] * blocks_get(logs, c, b);
        }
        if (needs_any && !isnan(d) && !isnan(y))
            x[n++] = report_ratio(metric, y);
    }
    return median_interval(x, n, REPORT_ALPHA);
}

static void
fill_medians(ReportContrast *contrast, const Blocks *logs,
             const ContrastSides *sides, const ReportMetric *metric)
{
    Interval of_level = side_median(logs, sides->level, sides->weights, metric);
    Interval of_base = side_median(logs, sides->base, sides->weights, metric);

    contrast->median_level = of_level.est;
    contrast->level_lo = of_level.lo;
    contrast->level_hi = of_level.hi;
    contrast->median_base = of_base.est;
    contrast->base_lo = of_base.lo;
    contrast->base_hi = of_base.hi;
    contrast->median_confidence = of_level.confidence;
}

/* Smallest and largest effect among the contexts. */
static void
fill_simple_effects(ReportContrast *contrast, const Blocks *logs,
                    const GArray *used, const ReportMetric *metric)
{
    g_autofree double *weights = g_new0(double, logs->n_cells);
    g_autofree double *d = g_new(double, logs->n_blocks + 1);

    contrast->simple_lo = contrast->simple_hi = NAN;
    for (guint i = 0; used->len > 1 && i < used->len; i++) {
        const Pair *pair = &g_array_index(used, Pair, i);

        weights[pair->level] = 1;
        weights[pair->base] = -1;
        guint n = contrast_differences(logs, weights, d);
        double ratio = report_ratio(metric, contrast_point(d, n, REPORT_ALPHA));
        /* fmin() and fmax() pass over NaN. */
        contrast->simple_lo = fmin(contrast->simple_lo, ratio);
        contrast->simple_hi = fmax(contrast->simple_hi, ratio);
        weights[pair->level] = weights[pair->base] = 0;
    }
}

/* METHOD 4.4; 0 where the scatter is not known. */
static guint
blocks_needed(const double *d, const Estimate *estimate, double h,
              guint comparisons)
{
    guint need =
        precision_blocks_needed(d, estimate, h, comparisons, REPORT_ALPHA);

    return estimate->n < 3 || need == G_MAXUINT ? 0 : need;
}

/* Whether a cell behind the contrast gets no further value. */
static bool
is_stuck(const Report *report, const double *weights)
{
    for (guint i = 0; report->given_up && i < report->cells->len; i++)
        if (weights[i] != 0 && report->given_up[i])
            return true;
    return false;
}

/* METHOD 6.4.  Cells that both ignore flushes compare with each other, but
 * a contrast over nothing else says nothing about storage. */
static void
fill_durability(const Report *report, ReportContrast *contrast,
                const Contexts *contexts)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];
    guint differing = 0, ignoring = 0, n = contexts->pairs->len;

    contrast->class_level = contexts_class(report, contexts, false);
    contrast->class_base = contexts_class(report, contexts, true);
    for (guint i = 0; i < n; i++) {
        const Pair *pair = &g_array_index(contexts->pairs, Pair, i);
        bool level =
            strcmp(report_cell_class(report->cells->pdata[pair->level]), "N") ==
            0;
        bool base = strcmp(report_cell_class(report->cells->pdata[pair->base]),
                           "N") == 0;

        differing += level != base;
        ignoring += level && base;
    }
    contrast->ignores_flushes =
        metric->write_path && (differing > 0 || ignoring > 0);
    contrast->not_comparable =
        contrast->ignores_flushes && (differing > 0 || ignoring == n) &&
        strcmp(contrast->setting, "aa") != 0 && !report_allows_unsafe(report);
}

ReportContrast *
report_contrast_weigh(const Report *report, guint metric,
                      const ContrastSides *sides, guint comparisons)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    const Blocks *logs = report_logs(report, metric);
    g_autofree double *d = g_new(double, logs->n_blocks + 1);
    guint n = contrast_differences(logs, sides->weights, d);
    ReportContrast *contrast = g_new0(ReportContrast, 1);

    contrast->metric = metric;
    contrast->estimate = contrast_infer(d, n, comparisons, REPORT_ALPHA);
    contrast->sd = precision_sd(d, n);
    contrast->p_adjusted = NAN;
    contrast->exploratory = !info->primary;
    report_ratios(info, &contrast->estimate, &contrast->ratio,
                  &contrast->ratio_lo, &contrast->ratio_hi);
    fill_medians(contrast, logs, sides, info);
    contrast->blocks_needed = blocks_needed(
        d, &contrast->estimate, report_half_width(report, info), comparisons);
    contrast->stuck = is_stuck(report, sides->weights);
    return contrast;
}

static ReportContrast *
contrast_make(const Report *report, guint metric, const char *setting,
              const char *level, const char *base, const Contexts *contexts,
              guint comparisons)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    const Blocks *logs = report_logs(report, metric);
    g_autoptr(GArray) used = contexts_measured(contexts, logs);
    g_autofree double *of_level = g_new0(double, logs->n_cells + 1);
    g_autofree double *of_base = g_new0(double, logs->n_cells + 1);
    g_autofree double *weights = g_new0(double, logs->n_cells + 1);
    const ContrastSides sides = {of_level, of_base, weights};

    fill_weights(used, of_level, of_base);
    for (guint i = 0; i < logs->n_cells; i++)
        weights[i] = of_level[i] - of_base[i];
    ReportContrast *contrast =
        report_contrast_weigh(report, metric, &sides, comparisons);
    contrast->setting = g_strdup(setting);
    contrast->level = g_strdup(level);
    contrast->base = g_strdup(base);
    contrast->contexts = used->len;
    contrast->contexts_total = contexts->total;
    if (report->unblocked && used->len == 1)
        report_fill_unblocked(logs, &g_array_index(used, Pair, 0), info,
                              contrast);
    else
        fill_simple_effects(contrast, logs, used, info);
    fill_durability(report, contrast, contexts);
    return contrast;
}

ReportContrast *
report_contrast_levels(const Report *report, guint metric, const char *setting,
                       const char *level, const char *base)
{
    g_auto(Contexts) contexts =
        contexts_of_levels(report, setting, level, base);
    g_autoptr(Regression) regression = NULL;
    ReportContrast *contrast = NULL;

    if (report_is_screening(report)) {
        if (!regression_level_occurs(report, setting, level) ||
            !regression_level_occurs(report, setting, base))
            return NULL;
        regression = regression_new(report, metric, setting, base);
        contrast = regression_contrast(regression, report, metric, setting,
                                       level, base, 1);
    } else {
        if (contexts.pairs->len == 0)
            return NULL;
        contrast =
            contrast_make(report, metric, setting, level, base, &contexts, 1);
    }
    contrast->exploratory = true;
    report_judge(report, &contrast, 1);
    return contrast;
}

const ReportContrast *
report_contrast(const Report *report, guint metric, const char *setting,
                const char *level)
{
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *contrast = report->contrasts->pdata[i];

        if (contrast->metric == metric &&
            strcmp(contrast->setting, setting) == 0 &&
            strcmp(contrast->level, level) == 0)
            return contrast;
    }
    return NULL;
}

/* A comparison to make for every metric. */
typedef struct Comparison {
    const char *setting, *level, *base; /* owned by the report's tables */
    Contexts contexts;                  /* without pairs: by regression */
} Comparison;

static void
comparison_clear(Comparison *comparison)
{
    contexts_clear(&comparison->contexts);
}

static bool
cell_compared(const GArray *comparisons, guint place)
{
    for (guint i = 0; i < comparisons->len; i++) {
        const Comparison *c = &g_array_index(comparisons, Comparison, i);

        for (guint k = 0; c->contexts.pairs && k < c->contexts.pairs->len;
             k++) {
            const Pair *pair = &g_array_index(c->contexts.pairs, Pair, k);

            if (pair->level == place || pair->base == place)
                return true;
        }
    }
    return false;
}

static void
plan_factor(const Report *report, const StoreFactor *factor,
            GArray *comparisons)
{
    for (guint i = 0; i < factor->levels->len; i++) {
        Comparison c = {factor->setting,
                        factor->levels->pdata[i],
                        factor->levels->pdata[factor->baseline],
                        {NULL, 0}};

        if (i == factor->baseline)
            continue;
        if (report_is_screening(report)) {
            if (regression_level_occurs(report, c.setting, c.level))
                g_array_append_val(comparisons, c);
            continue;
        }
        c.contexts = contexts_of_levels(report, c.setting, c.level, c.base);
        /* Without blocks, means over contexts have no test. */
        if (c.contexts.pairs->len == 1 ||
            (c.contexts.pairs->len > 1 && !report->unblocked))
            g_array_append_val(comparisons, c);
        else
            contexts_clear(&c.contexts);
    }
}

/* Levels against the baseline's, then cells that no setting alone explains
 * (included ones, lists) as a whole. */
static GArray *
plan_comparisons(const Report *report)
{
    GArray *comparisons = g_array_new(FALSE, FALSE, sizeof(Comparison));
    int origin = report_cell_of(report, "baseline");

    g_array_set_clear_func(comparisons, (GDestroyNotify) comparison_clear);
    for (guint i = 0; i < report->factors->len; i++) {
        const StoreFactor *factor = report->factors->pdata[i];

        if (factor->baseline < factor->levels->len)
            plan_factor(report, factor, comparisons);
    }
    for (guint i = 0; origin >= 0 && i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];
        const StoreCell *baseline = report->cells->pdata[origin];

        if (i == (guint) origin || strcmp(cell->kind, "cell") != 0 ||
            !report_cell_planned(cell) || cell_compared(comparisons, i) ||
            (report_is_screening(report) && regression_describes(report, cell)))
            continue;
        Comparison c = {"cell", cell->name, baseline->name,
                        contexts_of_cells(i, (guint) origin)};
        g_array_append_val(comparisons, c);
    }
    return comparisons;
}

/* *fit is that of the metric before, which is often the same. */
static void
add_family(Report *report, guint metric, const GArray *comparisons,
           Regression **fit)
{
    guint first = report->contrasts->len, m = comparisons->len;

    if (report_is_screening(report) &&
        (!*fit || !regression_fits(*fit, report, metric))) {
        regression_free(*fit);
        *fit = regression_new(report, metric, NULL, NULL);
    }
    for (guint i = 0; i < m; i++) {
        const Comparison *c = &g_array_index(comparisons, Comparison, i);

        g_ptr_array_add(report->contrasts,
                        c->contexts.pairs
                            ? contrast_make(report, metric, c->setting,
                                            c->level, c->base, &c->contexts, m)
                            : regression_contrast(*fit, report, metric,
                                                  c->setting, c->level, c->base,
                                                  m));
    }
    report_judge(report, (ReportContrast **) report->contrasts->pdata + first,
                 report->contrasts->len - first);
}

/* The A/A twin or the host against the baseline: a family of its own. */
static void
add_against_baseline(Report *report, guint metric, const char *kind)
{
    int place = report_cell_of(report, kind);
    int origin = report_cell_of(report, "baseline");

    if (place < 0 || origin < 0)
        return;
    const StoreCell *baseline = report->cells->pdata[origin];
    g_auto(Contexts) contexts =
        contexts_of_cells((guint) place, (guint) origin);
    ReportContrast *contrast =
        contrast_make(report, metric, kind, kind, baseline->name, &contexts, 1);
    report_judge(report, &contrast, 1);
    g_ptr_array_add(report->contrasts, contrast);
}

void
report_add_contrasts(Report *report)
{
    g_autoptr(GArray) comparisons = plan_comparisons(report);
    g_autoptr(Regression) fit = NULL;

    for (guint i = 0; i < report->metrics->len; i++) {
        ReportMetric *metric = report->metrics->pdata[i];

        metric->comparisons = comparisons->len;
        add_family(report, i, comparisons, &fit);
    }
    for (guint i = 0; i < report->metrics->len; i++)
        add_against_baseline(report, i, "aa");
    for (guint i = 0; i < report->metrics->len; i++)
        add_against_baseline(report, i, "host");
}
