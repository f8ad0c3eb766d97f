/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many equal guests a host carries (METHOD 9): score, fairness, quality of
 * service and the peak.
 *
 * A tile runs all workloads at once.  Results are normalised to those of the
 * baseline alone, so that one tile alone scores 1 and N tiles without any loss
 * score N.
 */
#pragma once

#include <glib.h>

/* What one tile got from one workload, or what the baseline alone got. */
typedef struct TileValue {
    double value; /* throughput or time, above 0 */
    double p99;   /* latency, any unit; 0: the workload has none */
} TileValue;

typedef struct TileWorkload {
    TileValue reference;
    gboolean higher_better; /* of value */
} TileWorkload;

typedef struct TileLimits {
    double value; /* normalised value, at least */
    double p99;   /* times the reference, at most */
} TileLimits;

/* METHOD 9.4: 0.8 and 2. */
extern const TileLimits tiles_default_limits;

typedef enum { TILE_VALUE, TILE_P99 } TileMeasure;

/* A limit that was not kept. */
typedef struct TileBreach {
    guint tile, workload; /* from 0 */
    TileMeasure measure;
    double ratio; /* to the reference; 0: there is no result */
} TileBreach;

typedef struct Tiles {
    guint n_tiles;
    double *tile;      /* score of each tile: geometric mean */
    double score;      /* their sum */
    double efficiency; /* score / n_tiles */
    double fairness;   /* worst tile / best tile; NaN when all are 0 */
    GArray *breaches;  /* of TileBreach, by tile, then workload */
} Tiles;

/* 1 at the reference, more is better; 0 for a value that is missing or not
 * above 0, which makes the tile 0 as well. */
double tiles_normalise(const TileWorkload *workload, double value);

/* results[tile * n_workloads + workload]; at least one of each.  A latency
 * that is missing (0 or NaN) where the reference has one is a breach. */
Tiles *tiles_new(const TileWorkload *workloads, guint n_workloads,
                 const TileValue *results, guint n_tiles,
                 const TileLimits *limits);
void tiles_free(Tiles *tiles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tiles, tiles_free)

/* Quality of service: no breach. */
gboolean tiles_pass(const Tiles *tiles);

/* Performance per kilowatt, and joules per unit of score over a window.  NaN
 * where power or score is not above 0. */
double tiles_per_kilowatt(double score, double watts);
double tiles_joules_per_score(double score, double watts, double seconds);

/* The common window in which work counts: from the last start plus ramp to the
 * first end less ramp, one clock, any unit.  FALSE, with the outputs left
 * alone, when it is below 80 % of the nominal length. */
gboolean tiles_window(const double *starts, const double *ends, guint n_tiles,
                      double ramp, double nominal, double *from, double *to);

/* One step of the search, scores[i] and pass[i] being those of i + 1 tiles. */
typedef struct TilesPeak {
    guint n;        /* the peak so far; 0: not even one tile passes */
    gboolean found; /* the search is over */
} TilesPeak;

/* The search stops at the first number of tiles that fails its quality of
 * service or does not raise the score. */
TilesPeak tiles_peak(const double *scores, const gboolean *pass, guint count);

/* The peak repeated: it counts only when all repeats pass. */
typedef struct TilesConfirmed {
    gboolean valid;                /* enough repeats, and all pass */
    double score, lowest, highest; /* median and range; no interval */
} TilesConfirmed;

#define TILES_MIN_REPEATS 3

TilesConfirmed tiles_confirm(const double *scores, const gboolean *pass,
                             guint repeats);
