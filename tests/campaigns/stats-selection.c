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

/* Baseline and twin of each block, in time order: METHOD 7.9's sentinel. */
static double
banner_rate(gsl_rng *rng, const struct Noise *noise, guint blocks, double drift)
{
    guint banners = 0, n = 2 * blocks;
    g_autofree double *y = g_new(double, n);
    for (guint set = 0; set < NOMINAL_SETS; set++) {
        for (guint i = 0; i < n; i++)
            y[i] = NOISE * noise->draw(rng) + drift * i / (n - 1);
        banners += drift_pettitt(y, n).p < DRIFT_ALPHA ||
                   drift_kendall(y, n).p < DRIFT_ALPHA;
    }
    return (double) banners / NOMINAL_SETS;
}

static void
check_banner(gsl_rng *rng)
{
    double limit = DRIFT_ALPHA + 2 * standard_error(DRIFT_ALPHA, NOMINAL_SETS);
    const guint lengths[] = {6, 8, 10, 12, 16};
    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++)
        row(banner_rate(rng, &noises[0], lengths[i], 0), AT_MOST, limit,
            "drift banner without drift, B = %u", lengths[i]);
    row(banner_rate(rng, &noises[0], BLOCKS, 0.10), AT_LEAST, 0.95,
        "drift banner at 10 %% drift under 1 %% noise, B = %u", BLOCKS);
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
