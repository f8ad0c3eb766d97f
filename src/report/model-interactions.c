/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the effect of one setting depend on another?  METHOD 7.5: the mean over
 * contexts of y(i,j) - y(i,base) - y(base,j) + y(base,base), where all four
 * cells exist; exp of it is a ratio of ratios.
 */
#include "report/parts.h"
#include "report/regression.h"

#include <math.h>
#include <string.h>
#include "report/lattice.h"
#include "stats/holm.h"

/* An interaction is worth a sentence when its interval leaves +-5 %. */
#define INTERACTION_BAND 0.05

/* The four cells: i and j are the levels of a and b, 0 their baselines. */
typedef enum { CORNER_IJ, CORNER_I0, CORNER_0J, CORNER_00, CORNERS } Corner;

typedef struct Corners {
    guint place[CORNERS]; /* in Report.cells */
} Corners;

/* Two levels, each of its own setting, against their baselines. */
typedef struct Crossing {
    const StoreFactor *a, *b;
    const char *level_a, *level_b;
    GArray *corners; /* Corners */
} Crossing;

void
report_interaction_free(ReportInteraction *interaction)
{
    if (!interaction)
        return;
    g_free(interaction->setting_a);
    g_free(interaction->level_a);
    g_free(interaction->base_a);
    g_free(interaction->setting_b);
    g_free(interaction->level_b);
    g_free(interaction->base_b);
    g_free(interaction);
}

static const char *
baseline_level(const StoreFactor *factor)
{
    return factor->levels->pdata[factor->baseline];
}

/* All four corners of each context.  The baselines are looked up first: where
 * no cell has them there is no context. */
static void
find_corners(const Report *report, Crossing *x)
{
    const Lattice *lattice = report->lattice;
    Coordinate a = {0}, a0 = {0}, b = {0}, b0 = {0};

    if (!lattice_coordinate(lattice, x->a->setting, x->level_a, &a) ||
        !lattice_coordinate(lattice, x->b->setting, x->level_b, &b) ||
        !lattice_coordinate(lattice, x->a->setting, baseline_level(x->a),
                            &a0) ||
        !lattice_coordinate(lattice, x->b->setting, baseline_level(x->b), &b0))
        return;
    for (guint i = 0; i < report->cells->len; i++) {
        const Coordinate both[] = {a0, b0};

        if (!lattice_has(lattice, i, a) || !lattice_has(lattice, i, b))
            continue;
        const Corners corners = {
            {[CORNER_IJ] = i,
             [CORNER_I0] = lattice_move(lattice, i, &b0, 1),
             [CORNER_0J] = lattice_move(lattice, i, &a0, 1),
             [CORNER_00] = lattice_move(lattice, i, both, 2)}};
        if (corners.place[CORNER_I0] != LATTICE_NO_CELL &&
            corners.place[CORNER_0J] != LATTICE_NO_CELL &&
            corners.place[CORNER_00] != LATTICE_NO_CELL)
            g_array_append_val(x->corners, corners);
    }
}

/* Whether a metric can speak about these cells: all have values, and none of
 * them ignores flushes where that matters. */
static bool
corners_usable(const Report *report, const ReportMetric *metric,
               const Blocks *logs, const Corners *corners)
{
    for (guint i = 0; i < CORNERS; i++) {
        const StoreCell *cell = report->cells->pdata[corners->place[i]];

        if (!report_logs_any(logs, corners->place[i]))
            return false;
        if (metric->write_path && !report_allows_unsafe(report) &&
            strcmp(report_cell_class(cell), "N") == 0)
            return false;
    }
    return true;
}

/* The corners that this metric can use.  (Corners) */
static GArray *
usable_corners(const Report *report, const ReportMetric *metric,
               const Blocks *logs, const Crossing *x)
{
    GArray *used = g_array_new(FALSE, FALSE, sizeof(Corners));

    for (guint i = 0; i < x->corners->len; i++) {
        Corners corners = g_array_index(x->corners, Corners, i);

        if (corners_usable(report, metric, logs, &corners))
            g_array_append_val(used, corners);
    }
    return used;
}

/* Adds the mean over contexts of one corner minus another. */
static void
add_weights(const GArray *used, Corner plus, Corner minus, double sign,
            double *weights)
{
    for (guint i = 0; i < used->len; i++) {
        const Corners *c = &g_array_index(used, Corners, i);

        weights[c->place[plus]] += sign / used->len;
        weights[c->place[minus]] -= sign / used->len;
    }
}

/* The value ratio of one corner to another. */
static double
simple_ratio(const Blocks *logs, const GArray *used, Corner plus, Corner minus,
             const ReportMetric *metric)
{
    g_autofree double *weights = g_new0(double, logs->n_cells + 1);
    g_autofree double *d = g_new(double, logs->n_blocks + 1);

    add_weights(used, plus, minus, 1, weights);
    guint n = contrast_differences(logs, weights, d);
    return report_ratio(metric, contrast_point(d, n, REPORT_ALPHA));
}

static ReportInteraction *
interaction_make(const Report *report, guint metric, const Crossing *x,
                 guint comparisons)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    const Blocks *logs = report_logs(report, metric);
    g_autoptr(GArray) used = usable_corners(report, info, logs, x);
    g_autofree double *weights = g_new0(double, logs->n_cells + 1);
    g_autofree double *d = g_new(double, logs->n_blocks + 1);
    ReportInteraction *result = g_new0(ReportInteraction, 1);

    add_weights(used, CORNER_IJ, CORNER_0J, 1, weights);
    add_weights(used, CORNER_I0, CORNER_00, -1, weights);
    guint n = contrast_differences(logs, weights, d);
    *result = (ReportInteraction){
        .metric = metric,
        .setting_a = g_strdup(x->a->setting),
        .level_a = g_strdup(x->level_a),
        .base_a = g_strdup(baseline_level(x->a)),
        .setting_b = g_strdup(x->b->setting),
        .level_b = g_strdup(x->level_b),
        .base_b = g_strdup(baseline_level(x->b)),
        .contexts = used->len,
        .estimate = contrast_infer(d, n, comparisons, REPORT_ALPHA),
        .a_at_base = simple_ratio(logs, used, CORNER_I0, CORNER_00, info),
        .a_at_level = simple_ratio(logs, used, CORNER_IJ, CORNER_0J, info),
        .b_at_base = simple_ratio(logs, used, CORNER_0J, CORNER_00, info),
        .b_at_level = simple_ratio(logs, used, CORNER_IJ, CORNER_I0, info)};
    report_ratios(info, &result->estimate, &result->ratio, &result->ratio_lo,
                  &result->ratio_hi);
    return result;
}

static void
crossing_clear(Crossing *x)
{
    g_clear_pointer(&x->corners, g_array_unref);
}

static void
plan_crossings_of(const Report *report, const StoreFactor *a,
                  const StoreFactor *b, GArray *crossings)
{
    for (guint i = 0; i < a->levels->len; i++)
        for (guint j = 0; j < b->levels->len; j++) {
            if (i == a->baseline || j == b->baseline)
                continue;
            Crossing x = {a, b, a->levels->pdata[i], b->levels->pdata[j],
                          g_array_new(FALSE, FALSE, sizeof(Corners))};
            find_corners(report, &x);
            if (x.corners->len > 0)
                g_array_append_val(crossings, x);
            else
                crossing_clear(&x);
        }
}

static GArray *
plan_crossings(const Report *report)
{
    GArray *crossings = g_array_new(FALSE, FALSE, sizeof(Crossing));

    g_array_set_clear_func(crossings, (GDestroyNotify) crossing_clear);
    for (guint i = 0; i < report->factors->len; i++)
        for (guint j = i + 1; j < report->factors->len; j++) {
            const StoreFactor *a = report->factors->pdata[i];
            const StoreFactor *b = report->factors->pdata[j];

            if (a->baseline < a->levels->len && b->baseline < b->levels->len)
                plan_crossings_of(report, a, b, crossings);
        }
    return crossings;
}

static void
judge(const Report *report, guint first)
{
    guint count = report->interactions->len - first;
    ReportInteraction **all =
        (ReportInteraction **) report->interactions->pdata + first;
    g_autofree double *p = g_new(double, count + 1);
    g_autofree double *adjusted = g_new(double, count + 1);
    double band = log1p(INTERACTION_BAND);

    for (guint i = 0; i < count; i++)
        p[i] = all[i]->estimate.p;
    holm_adjust(p, count, adjusted);
    for (guint i = 0; i < count; i++) {
        const Estimate *e = &all[i]->estimate;

        all[i]->p_adjusted = adjusted[i];
        all[i]->flagged =
            adjusted[i] <= REPORT_ALPHA && (e->lo < -band || e->hi > band) &&
            (e->lo > 0 || e->hi < 0) &&
            !report_figures_only(report,
                                 report->metrics->pdata[all[i]->metric]);
    }
}

void
report_add_interactions(Report *report)
{
    /* Four corners that meet by chance in screening separate nothing. */
    if (report_is_screening(report))
        return;
    g_autoptr(GArray) crossings = plan_crossings(report);

    if (report->unblocked)
        return;
    for (guint m = 0; m < report->metrics->len; m++) {
        const ReportMetric *metric = report->metrics->pdata[m];
        guint first = report->interactions->len;

        if (!metric->primary)
            continue;
        for (guint i = 0; i < crossings->len; i++) {
            const Crossing *x = &g_array_index(crossings, Crossing, i);

            g_ptr_array_add(report->interactions,
                            interaction_make(report, m, x, crossings->len));
        }
        judge(report, first);
    }
}

const ReportInteraction *
report_interaction_of(const Report *report, const ReportContrast *contrast)
{
    const ReportInteraction *strongest = NULL;

    for (guint i = 0; i < report->interactions->len; i++) {
        const ReportInteraction *x = report->interactions->pdata[i];

        if (x->metric != contrast->metric || !x->flagged)
            continue;
        bool is_a = strcmp(x->setting_a, contrast->setting) == 0 &&
                    strcmp(x->level_a, contrast->level) == 0;
        bool is_b = strcmp(x->setting_b, contrast->setting) == 0 &&
                    strcmp(x->level_b, contrast->level) == 0;
        if ((is_a || is_b) && (!strongest || fabs(x->estimate.est) >
                                                 fabs(strongest->estimate.est)))
            strongest = x;
    }
    return strongest;
}
