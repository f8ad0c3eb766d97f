/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A drawn sweep without the pipeline around it: cell 0 is the baseline, the
 * others are compared with it as one family of Holm.
 */
#pragma once

#include "campaign.h"

#include "stats/contrast.h"
#include "stats/holm.h"
#include "stats/verdict.h"

#define MAX_COMPARISONS 20

typedef struct Family {
    guint n;
    Estimate estimate[MAX_COMPARISONS];
    double adjusted[MAX_COMPARISONS];
} Family;

/* Fills the blocks from `from` on with noise of that scale. */
static inline void
sweep_draw(Blocks *blocks, guint from, gsl_rng *rng, const struct Noise *noise,
           double scale)
{
    for (guint block = from; block < blocks->n_blocks; block++)
        for (guint cell = 0; cell < blocks->n_cells; cell++)
            blocks_set(blocks, cell, block, scale * noise->draw(rng));
}

/* The first n blocks of a sweep. */
static inline Family
family_infer(const Blocks *blocks, guint n)
{
    Family family = {.n = blocks->n_cells - 1};
    double p[MAX_COMPARISONS];
    g_autofree double *d = g_new(double, n);
    for (guint i = 0; i < family.n; i++) {
        for (guint block = 0; block < n; block++)
            d[block] =
                blocks_get(blocks, i + 1, block) - blocks_get(blocks, 0, block);
        family.estimate[i] = contrast_infer(d, n, family.n, ALPHA);
        p[i] = family.estimate[i].p;
    }
    holm_adjust(p, family.n, family.adjusted);
    return family;
}

static inline Verdict
family_verdict(const Family *family, guint i, double delta)
{
    const Estimate *e = &family->estimate[i];
    return verdict_decide(e->lo, e->hi, family->adjusted[i], delta, ALPHA);
}

static inline gboolean
verdict_differs(Verdict verdict)
{
    return verdict == VERDICT_BETTER || verdict == VERDICT_WORSE ||
           verdict == VERDICT_BETTER_SMALL || verdict == VERDICT_WORSE_SMALL;
}

/* Whether any difference is claimed, however small: without a band, so that
 * none is called equivalent instead. */
static inline gboolean
family_differs(const Family *family)
{
    for (guint i = 0; i < family->n; i++)
        if (verdict_differs(family_verdict(family, i, 0)))
            return TRUE;
    return FALSE;
}
