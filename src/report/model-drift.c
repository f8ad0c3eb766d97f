/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Did the rig change while the sweep ran?  METHOD 7.9: a change point and a
 * trend in what was measured again and again - the baseline, its twin and the
 * host.
 */
#include "report/parts.h"

#include <math.h>
#include <string.h>
#include "report/text.h"

/* Runs below which a change cannot be found.  Pettitt's p of n runs is never
 * below 2 exp(-3/8 n^2 / (n + 1)), that of a clean step in the middle: with 15
 * runs 0.0108, with 16 0.0071.  Eight blocks of baseline and twin are enough.
 */
#define DRIFT_RUNS_MIN 16u
/* The position effect is a median over all pairs of runs: 2048 runs are 2
 * million pairs, 16 MB.  Of a larger sweep its first blocks are taken. */
#define POSITION_RUNS_MAX 2048u

/* What every block repeats. */
static const char *const sentinels[] = {"baseline", "aa", "host",
                                        "host-matched"};

/* One run of the series. */
typedef struct Point {
    guint block, place;
    double position, y;
} Point;

static int
compare_points(const void *a, const void *b)
{
    const Point *p = a, *q = b;

    if (p->block != q->block)
        return p->block < q->block ? -1 : 1;
    if (p->position < q->position || p->position > q->position)
        return p->position < q->position ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

static int
place_of(const Report *report, guint index)
{
    for (guint i = 0; i < report->cells->len; i++)
        if (((StoreCell *) report->cells->pdata[i])->index == index)
            return (int) i;
    return -1;
}

/* Where in its block each cell ran, the last try if there were several; NaN:
 * not known. */
static Blocks *
positions_of(const Report *report)
{
    Blocks *positions = blocks_new(report->cells->len, report->last_block);

    for (guint i = 0; report->runs && i < report->runs->len; i++) {
        const StoreRun *run = report->runs->pdata[i];
        int place = place_of(report, run->cell);

        if (run->outcome == OUTCOME_OK && !run->discarded && place >= 0)
            blocks_set(positions, (guint) place, run->block - 1, run->pos);
    }
    return positions;
}

/* The runs of the sentinels in the order of time.  (Point) */
static GArray *
series_of(const Report *report, const Blocks *logs, const Blocks *positions)
{
    GArray *series = g_array_new(FALSE, FALSE, sizeof(Point));

    for (gsize i = 0; i < G_N_ELEMENTS(sentinels); i++) {
        int place = report_cell_of(report, sentinels[i]);

        for (guint b = 0; place >= 0 && b < logs->n_blocks; b++) {
            const Point point = {b, (guint) place,
                                 blocks_get(positions, (guint) place, b),
                                 blocks_get(logs, (guint) place, b)};

            if (isfinite(point.y))
                g_array_append_val(series, point);
        }
    }
    g_array_sort(series, compare_points);
    return series;
}

/* The wall clock at the begin of the run; NULL: not known. */
static const char *
started(const Report *report, const Point *point)
{
    const StoreCell *cell = report->cells->pdata[point->place];

    for (guint i = 0; report->runs && i < report->runs->len; i++) {
        const StoreRun *run = report->runs->pdata[i];

        if (run->cell == cell->index && run->block == point->block + 1 &&
            run->outcome == OUTCOME_OK && !run->discarded)
            return g_array_index(report->spans, ReportSpan, i).started;
    }
    return NULL;
}

/* Theil-Sen slope, on the place in the block, of what neither cell nor block
 * explains. */
static double
position_effect(const Blocks *logs, const Blocks *positions)
{
    gsize size = (gsize) logs->n_cells * logs->n_blocks;
    guint blocks =
        MIN(logs->n_blocks, MAX(1, POSITION_RUNS_MAX / MAX(logs->n_cells, 1)));
    g_autofree double *residuals = g_new(double, size + 1);
    g_autofree double *x = g_new(double, size + 1);
    g_autofree double *y = g_new(double, size + 1);
    guint n = 0;
    bool moved = false;

    drift_residuals(logs, residuals);
    for (guint c = 0; c < logs->n_cells; c++)
        for (guint b = 0; b < blocks; b++) {
            double residual = residuals[c * logs->n_blocks + b];

            if (!isfinite(residual) || isnan(blocks_get(positions, c, b)))
                continue;
            x[n] = blocks_get(positions, c, b);
            moved = moved || x[n] != x[0];
            y[n++] = residual;
        }
    /* A file without positions: millions of pairs would say so too. */
    return moved ? drift_theil_sen(x, y, n) : (double) NAN;
}

static void
test_series(const Report *report, const GArray *series, ReportDrift *drift)
{
    g_autofree double *y = g_new(double, series->len + 1);
    g_autofree double *step = g_new(double, series->len + 1);
    g_autofree guint *cell = g_new(guint, series->len + 1);

    for (guint i = 0; i < series->len; i++) {
        const Point *point = &g_array_index(series, Point, i);

        y[i] = point->y;
        step[i] = i;
        cell[i] = point->place;
    }
    drift->n = series->len;
    drift_center(y, cell, drift->n);
    drift->pettitt = drift_pettitt(y, drift->n);
    drift->kendall = drift_kendall(y, drift->n);
    drift->slope = drift_theil_sen(step, y, drift->n);
    drift->shift = drift_shift(y, drift->n, drift->pettitt.at);
    drift->tested = drift->n >= DRIFT_RUNS_MIN;
    drift->drifted =
        drift->pettitt.p < DRIFT_ALPHA || drift->kendall.p < DRIFT_ALPHA;
    if (drift->pettitt.at > 0) {
        const Point *after = &g_array_index(series, Point, drift->pettitt.at);

        drift->block = after->block + 1;
        drift->when = g_strdup(started(report, after));
    }
}

void
report_drift_free(ReportDrift *drift)
{
    if (!drift)
        return;
    g_free(drift->when);
    g_free(drift);
}

void
report_add_drifts(Report *report)
{
    g_autoptr(Blocks) positions = positions_of(report);

    /* Without blocks nothing says what was measured when. */
    if (report->unblocked)
        return;
    for (guint m = 0; m < report->metrics->len; m++) {
        const ReportMetric *metric = report->metrics->pdata[m];
        const Blocks *logs = report_logs(report, m);
        g_autoptr(GArray) series = NULL;
        ReportDrift *drift = NULL;

        if (!metric->primary)
            continue;
        series = series_of(report, logs, positions);
        if (series->len == 0)
            continue;
        drift = g_new0(ReportDrift, 1);
        drift->metric = m;
        test_series(report, series, drift);
        drift->position = position_effect(logs, positions);
        g_ptr_array_add(report->drifts, drift);
    }
}

const ReportDrift *
report_drift(const Report *report, guint metric)
{
    for (guint i = 0; i < report->drifts->len; i++) {
        const ReportDrift *drift = report->drifts->pdata[i];

        if (drift->metric == metric)
            return drift;
    }
    return NULL;
}

bool
report_drifted(const Report *report, guint metric)
{
    const ReportDrift *drift = report_drift(report, metric);

    return drift && drift->drifted;
}

/* A missing test is no passed test (METHOD 2, rule 12). */
bool
report_drift_tested(const Report *report)
{
    for (guint i = 0; i < report->drifts->len; i++)
        if (!((ReportDrift *) report->drifts->pdata[i])->tested)
            return false;
    return report->drifts->len > 0;
}

/* "block 5 (2026-11-30T12:03:11Z)" */
static char *
change_point(const ReportDrift *drift)
{
    return g_strdup_printf(
        "block %u%s%s%s", drift->block, drift->when ? " (" : "",
        drift->when ? drift->when : "", drift->when ? ")" : "");
}

/* A step where there is one, else the trend from the first run to the last. */
char *
report_drift_text(const Report *report, const ReportDrift *drift)
{
    const ReportMetric *metric = report->metrics->pdata[drift->metric];
    bool step = drift->pettitt.p < DRIFT_ALPHA;
    double size = step ? drift->shift : drift->slope * (drift->n - 1);
    g_autofree char *percent = report_percent(report_ratio(metric, size));
    g_autofree char *where = change_point(drift);

    if (step)
        return g_strdup_printf("%s %s from %s on", metric->id, percent, where);
    return g_strdup_printf("%s %s over the sweep", metric->id, percent);
}
