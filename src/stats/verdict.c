/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From an interval, an adjusted p and an equivalence band to one word.  The
 * rows of METHOD 7.4 in their order; the first that matches wins.
 */
#include "stats/verdict.h"

#include <math.h>

typedef struct Evidence {
    double lo, hi;
    double band; /* ln(1 + delta) */
    gboolean significant;
} Evidence;

static gboolean
is_better(const Evidence *e)
{
    return e->significant && e->lo > e->band;
}

static gboolean
is_worse(const Evidence *e)
{
    return e->significant && e->hi < -e->band;
}

static gboolean
is_equivalent(const Evidence *e)
{
    return -e->band <= e->lo && e->hi <= e->band;
}

static gboolean
is_better_small(const Evidence *e)
{
    return e->significant && e->lo > 0;
}

static gboolean
is_worse_small(const Evidence *e)
{
    return e->significant && e->hi < 0;
}

static const struct {
    gboolean (*holds)(const Evidence *evidence);
    Verdict verdict;
} rows[] = {
    {is_better, VERDICT_BETTER},
    {is_worse, VERDICT_WORSE},
    {is_equivalent, VERDICT_EQUIVALENT},
    {is_better_small, VERDICT_BETTER_SMALL},
    {is_worse_small, VERDICT_WORSE_SMALL},
};

Verdict
verdict_decide(double lo, double hi, double p, double delta, double alpha)
{
    if (isnan(lo) || isnan(hi) || isnan(p))
        return VERDICT_NONE;
    Evidence evidence = {.lo = lo,
                         .hi = hi,
                         .band = log1p(delta),
                         .significant = p <= alpha && (lo > 0 || hi < 0)};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].holds(&evidence))
            return rows[i].verdict;
    return VERDICT_INCONCLUSIVE;
}

static const char *const names[] = {
    [VERDICT_NONE] = "none",
    [VERDICT_BETTER] = "better",
    [VERDICT_WORSE] = "worse",
    [VERDICT_EQUIVALENT] = "equivalent",
    [VERDICT_BETTER_SMALL] = "better-small",
    [VERDICT_WORSE_SMALL] = "worse-small",
    [VERDICT_INCONCLUSIVE] = "inconclusive",
};
G_STATIC_ASSERT(G_N_ELEMENTS(names) == VERDICT_MAX);

const char *
verdict_name(Verdict verdict)
{
    g_assert(verdict < VERDICT_MAX);
    return names[verdict];
}
