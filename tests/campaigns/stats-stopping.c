/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep that stops when its intervals are narrow enough (METHOD 4.4) claims
 * no more than one of fixed length, and its intervals hold what they say; one
 * that stops on significance does (METHOD 13, S1), which this shows too.
 */
#include "sweep.h"

#include "plan/design.h"
#include "stats/precision.h"

#define DELTA 0.02
#define NOISE 0.01 /* standard deviation of a run */
#define MIN_COVERAGE 0.93
#define LAST_LOOK 32 /* METHOD 4.4 */
#define SPARE 2      /* METHOD 0.13: blocks beyond the bound, for power */
typedef gboolean Resolved(const Family *family);

static gboolean
by_precision(const Family *family)
{
    for (guint i = 0; i < family->n; i++)
        if (!precision_resolved(&family->estimate[i],
                                precision_half_band(DELTA)))
            return FALSE;
    return TRUE;
}

static gboolean
by_significance(const Family *family)
{
    return family_differs(family);
}

/* The looks of a sweep whose matrix says nothing of blocks. */
static Design
default_looks(guint m)
{
    guint bound = design_blocks_bound(m);
    return (Design){.blocks_min = bound + SPARE, .blocks_max = LAST_LOOK};
}

/* What the sweep says when it has stopped. */
static Family
stop(const Blocks *blocks, Resolved *resolved)
{
    Design design = default_looks(blocks->n_cells - 1);
    for (guint block = 1; block < LAST_LOOK; block++) {
        if (!design_is_look(&design, block))
            continue;
        Family family = family_infer(blocks, block);
        if (resolved(&family))
            return family;
    }
    return family_infer(blocks, LAST_LOOK);
}

typedef struct Tally {
    double wrong, coverage, blocks;
} Tally;

static Tally
tally(gsl_rng *rng, const struct Noise *noise, guint m, Resolved *resolved)
{
    guint wrong = 0, held = 0, length = 0;
    g_autoptr(Blocks) blocks = blocks_new(m + 1, LAST_LOOK);
    for (guint set = 0; set < NOMINAL_SETS; set++) {
        sweep_draw(blocks, 0, rng, noise, NOISE);
        Family family = stop(blocks, resolved);
        wrong += family_differs(&family);
        length += family.estimate[0].n;
        for (guint i = 0; i < m; i++)
            held += family.estimate[i].lo <= 0 && family.estimate[i].hi >= 0;
    }
    double sets = NOMINAL_SETS;
    return (Tally){wrong / sets, held / (sets * m), length / sets};
}

static void
check_precision(gsl_rng *rng, const struct Noise *noise, guint m)
{
    Tally got = tally(rng, noise, m, by_precision);
    double single = ADMITTED + 2 * standard_error(ADMITTED, NOMINAL_SETS);
    row(got.wrong, AT_MOST, m == 1 ? single : FALSE_RATE,
        "false difference, stop on precision, %s, m = %u, B = %.1f",
        noise->name, m, got.blocks);
    row(got.coverage, AT_LEAST, MIN_COVERAGE,
        "coverage, stop on precision, %s, m = %u", noise->name, m);
}

int
main(void)
{
    gsl_rng *rng = campaign_rng(1);
    for (guint i = 0; i < G_N_ELEMENTS(noises); i++) {
        check_precision(rng, &noises[i], 1);
        check_precision(rng, &noises[i], 4);
    }
    check_precision(rng, &noises[0], 10);
    /* The harness sees what is wrong. */
    Tally wrong = tally(rng, &noises[0], 1, by_significance);
    row(wrong.wrong, AT_LEAST, 0.10,
        "false difference, stop on significance (the wrong rule), m = 1");
    gsl_rng_free(rng);
    return campaign_status();
}
