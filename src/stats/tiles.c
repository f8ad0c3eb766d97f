/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of consolidation: geometric mean in a tile, sum over tiles.
 */
#include "stats/tiles.h"

#include <math.h>

#include "stats/signedrank.h"

/* METHOD 9.2: tiles that overlap less did not share the host. */
#define MIN_OVERLAP 0.8

const TileLimits tiles_default_limits = {.value = 0.8, .p99 = 2.0};

static gboolean
is_positive(double x)
{
    return isfinite(x) && x > 0;
}

double
tiles_normalise(const TileWorkload *workload, double value)
{
    double reference = workload->reference.value;
    if (!is_positive(value) || !is_positive(reference))
        return 0;
    return workload->higher_better ? value / reference : reference / value;
}

static void
add_breach(Tiles *tiles, guint tile, guint workload, TileMeasure measure,
           double ratio)
{
    TileBreach breach = {tile, workload, measure, ratio};
    g_array_append_val(tiles->breaches, breach);
}

static void
check_p99(Tiles *tiles, guint tile, guint workload, double reference,
          double p99, double limit)
{
    if (!is_positive(reference))
        return;
    double ratio = is_positive(p99) ? p99 / reference : 0;
    if (ratio == 0 || ratio > limit)
        add_breach(tiles, tile, workload, TILE_P99, ratio);
}

static double
score_tile(Tiles *tiles, guint tile, const TileWorkload *workloads,
           guint n_workloads, const TileValue *results,
           const TileLimits *limits)
{
    double logs = 0;
    for (guint i = 0; i < n_workloads; i++) {
        double ratio = tiles_normalise(&workloads[i], results[i].value);
        if (ratio == 0 || ratio < limits->value)
            add_breach(tiles, tile, i, TILE_VALUE, ratio);
        check_p99(tiles, tile, i, workloads[i].reference.p99, results[i].p99,
                  limits->p99);
        logs += log(ratio); /* -infinity makes the tile 0 */
    }
    return exp(logs / n_workloads);
}

Tiles *
tiles_new(const TileWorkload *workloads, guint n_workloads,
          const TileValue *results, guint n_tiles, const TileLimits *limits)
{
    g_assert(n_workloads > 0 && n_tiles > 0);
    Tiles *tiles = g_new0(Tiles, 1);
    tiles->n_tiles = n_tiles;
    tiles->tile = g_new(double, n_tiles);
    tiles->breaches = g_array_new(FALSE, FALSE, sizeof(TileBreach));
    double lowest = INFINITY, highest = 0;
    for (guint i = 0; i < n_tiles; i++) {
        tiles->tile[i] = score_tile(tiles, i, workloads, n_workloads,
                                    results + (gsize) i * n_workloads, limits);
        tiles->score += tiles->tile[i];
        lowest = MIN(lowest, tiles->tile[i]);
        highest = MAX(highest, tiles->tile[i]);
    }
    tiles->efficiency = tiles->score / n_tiles;
    tiles->fairness = highest > 0 ? lowest / highest : NAN;
    return tiles;
}

void
tiles_free(Tiles *tiles)
{
    if (!tiles)
        return;
    g_free(tiles->tile);
    g_array_unref(tiles->breaches);
    g_free(tiles);
}

gboolean
tiles_pass(const Tiles *tiles)
{
    return tiles->breaches->len == 0;
}

double
tiles_per_kilowatt(double score, double watts)
{
    return is_positive(watts) ? score / (watts / 1000) : NAN;
}

double
tiles_joules_per_score(double score, double watts, double seconds)
{
    return is_positive(watts) && is_positive(score) ? watts * seconds / score
                                                    : NAN;
}

gboolean
tiles_window(const double *starts, const double *ends, guint n_tiles,
             double ramp, double nominal, double *from, double *to)
{
    double last_start = -INFINITY, first_end = INFINITY;
    for (guint i = 0; i < n_tiles; i++) {
        last_start = MAX(last_start, starts[i]);
        first_end = MIN(first_end, ends[i]);
    }
    double length = first_end - last_start - 2 * ramp;
    if (n_tiles == 0 || !(length >= MIN_OVERLAP * nominal))
        return FALSE;
    *from = last_start + ramp;
    *to = first_end - ramp;
    return TRUE;
}

TilesPeak
tiles_peak(const double *scores, const gboolean *pass, guint count)
{
    TilesPeak peak = {0, FALSE};
    for (guint i = 0; i < count && !peak.found; i++) {
        gboolean raised = i == 0 || scores[i] > scores[i - 1];
        if (pass[i] && raised)
            peak.n = i + 1;
        else
            peak.found = TRUE;
    }
    return peak;
}

TilesConfirmed
tiles_confirm(const double *scores, const gboolean *pass, guint repeats)
{
    TilesConfirmed result = {repeats >= TILES_MIN_REPEATS, NAN, NAN, NAN};
    if (repeats == 0)
        return result;
    result.score = median(scores, repeats);
    result.lowest = result.highest = scores[0];
    for (guint i = 0; i < repeats; i++) {
        result.valid = result.valid && pass[i];
        result.lowest = MIN(result.lowest, scores[i]);
        result.highest = MAX(result.highest, scores[i]);
    }
    return result;
}
