/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best of identical cells gains nothing when it is cross-fitted (METHOD
 * 13, S7), and the tests of drift find drift and little else (METHOD 7.9).
 */
#include "sweep.h"

#include "stats/best.h"
#include "stats/drift.h"

#define BLOCKS 8
#define MAX_CELLS 24
#define NOISE 0.01 /* standard deviation of a run */
/* Gains are a percentage here, like those of METHOD 13. */
#define PERCENT 100

static double
mean(const double *x, guint n)
{
    double sum = 0;
    for (guint i = 0; i < n; i++)
        sum += x[i];
    return sum / n;
}

/* y is 0 in truth: the mean of what is chosen is its bias. */
static double
naive_gain(const Blocks *blocks, const guint *cells)
{
    guint best = best_naive(blocks, cells, blocks->n_cells - 1);
    return mean(blocks->y + best * BLOCKS, BLOCKS);
}

static double
crossfit_gain(const Blocks *blocks, const guint *cells)
{
    guint picks[BLOCKS], zero = blocks->n_cells - 1;
    double d[BLOCKS];
    best_crossfit(blocks, cells, zero, zero, picks, d);
    return mean(d, BLOCKS);
}

static void
check_best(gsl_rng *rng, guint k)
{
    guint cells[MAX_CELLS];
    double naive = 0, crossfit = 0;
    /* The last cell is the truth, to compare with. */
    g_autoptr(Blocks) blocks = blocks_new(k + 1, BLOCKS);
    for (guint i = 0; i < k; i++)
        cells[i] = i;
    for (guint set = 0; set < NOMINAL_SETS; set++) {
        sweep_draw(blocks, 0, rng, &noises[0], NOISE);
        for (guint block = 0; block < BLOCKS; block++)
            blocks_set(blocks, k, block, 0);
        naive += naive_gain(blocks, cells);
        crossfit += crossfit_gain(blocks, cells);
    }
    naive *= (double) PERCENT / NOMINAL_SETS;
    crossfit *= (double) PERCENT / NOMINAL_SETS;
    row(fabs(crossfit), AT_MOST, 0.02,
        "gain of the best of %2u equal cells, cross-fitted (%+.4f %%)", k,
        crossfit);
    row(naive, AT_LEAST, 0.3,
        "gain of the best of %2u equal cells, naive: the bias", k);
}

/* Baseline, twin and perhaps host run of each block, in time order: METHOD
 * 7.9's sentinel.  Drift is the whole of it, from the first run to the last;
 * wander is what all runs of a block share, as a multiple of the noise. */
typedef struct Sentinel {
    guint blocks, runs; /* runs: in a block */
    double drift, wander;
} Sentinel;

#define MAX_RUNS 48

typedef struct Banners {
    double pettitt, kendall, either;
} Banners;

static Banners
banner_rates(gsl_rng *rng, const Sentinel *sentinel)
{
    guint pettitt = 0, kendall = 0, either = 0;
    guint n = sentinel->blocks * sentinel->runs;
    double y[MAX_RUNS], shared = 0;
    guint cell[MAX_RUNS];
    g_assert(n <= MAX_RUNS);
    for (guint set = 0; set < NOMINAL_SETS; set++) {
        for (guint i = 0; i < n; i++) {
            cell[i] = i % sentinel->runs;
            if (cell[i] == 0)
                shared = sentinel->wander * noise_normal(rng);
            y[i] = NOISE * (shared + noise_normal(rng)) +
                   sentinel->drift * i / (n - 1);
        }
        drift_center(y, cell, n);
        gboolean step = drift_pettitt(y, n).p < DRIFT_ALPHA;
        gboolean trend = drift_kendall(y, n).p < DRIFT_ALPHA;
        pettitt += step;
        kendall += trend;
        either += step || trend;
    }
    double sets = NOMINAL_SETS;
    return (Banners){pettitt / sets, kendall / sets, either / sets};
}

static void
check_still(gsl_rng *rng)
{
    double limit = DRIFT_ALPHA + 2 * standard_error(DRIFT_ALPHA, NOMINAL_SETS);
    const guint lengths[] = {6, 8, 10, 12, 16};
    Banners highest = {0, 0, 0};
    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
        Sentinel still = {lengths[i], 2, 0, 0};
        Banners got = banner_rates(rng, &still);
        highest.pettitt = MAX(highest.pettitt, got.pettitt);
        highest.kendall = MAX(highest.kendall, got.kendall);
        highest.either = MAX(highest.either, got.either);
    }
    row(highest.pettitt, AT_MOST, limit,
        "Pettitt at 1 %% without drift, B = 6..16, highest");
    row(highest.kendall, AT_MOST, limit,
        "Kendall at 1 %% without drift, B = 6..16, highest");
    /* The banner is raised by either of them. */
    row(highest.either, AT_MOST, 2 * DRIFT_ALPHA,
        "drift banner, either at 1 %%, without drift, B = 6..16, highest");
}

static void
check_banner(gsl_rng *rng)
{
    Sentinel drifts = {BLOCKS, 2, 0.10, 0};
    check_still(rng);
    row(banner_rates(rng, &drifts).either, AT_LEAST, 0.95,
        "drift banner at 10 %% drift under 1 %% noise, B = %u", BLOCKS);
    /* METHOD 7.9 takes runs as exchangeable, which those of one block are not
     * where blocks differ; it has no figure for that. */
    for (guint runs = 2; runs <= 3; runs++) {
        Sentinel wanders = {10, runs, 0, 1};
        note(banner_rates(rng, &wanders).either,
             "drift banner, blocks differ as much as runs, %u of each, B = 10",
             runs);
    }
}

int
main(void)
{
    gsl_rng *rng = campaign_rng(7);
    check_best(rng, 4);
    check_best(rng, 12);
    check_best(rng, MAX_CELLS);
    check_banner(rng);
    gsl_rng_free(rng);
    return campaign_status();
}
