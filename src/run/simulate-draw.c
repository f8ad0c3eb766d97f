/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of random numbers and the values made of them. */
#include "run/simulate-draw.h"

#include <math.h>
#include "base/random.h"
#include "stats/draw.h"

/* SplitMix64's own step: no two parts of a stream's name leave it alone. */
#define STEP G_GUINT64_CONSTANT(0x9E3779B97F4A7C15)

static guint64
fold(guint64 state, guint64 part)
{
    return random_mix64(state + part + STEP);
}

/* The end is folded in too: "a" "bc" is another stream than "ab" "c". */
static guint64
fold_text(guint64 state, const char *text)
{
    for (const char *c = text; *c; c++)
        state = fold(state, (guint8) *c);
    return fold(state, 0);
}

/* The uniform number of this name.  `cell` NULL: the one of the whole block. */
static double
uniform(const Slot *slot, const Cell *cell, const char *what, const char *which,
        guint number)
{
    guint64 state = fold(random_mix64(slot->seed), slot->block);

    if (cell)
        state = fold(fold_text(state, cell->name), slot->try);
    state = fold(fold_text(fold_text(state, what), which), number);
    return draw_uniform(state);
}

const ModelRule *
simulate_strikes(const Drawn *drawn, const GPtrArray *rules, const char *what)
{
    for (guint i = 0; i < rules->len; i++) {
        const ModelRule *rule = rules->pdata[i];

        if (model_rule_holds(rule, drawn->design, drawn->cell) &&
            uniform(drawn->slot, drawn->cell, what, "", i) < rule->chance)
            return rule;
    }
    return NULL;
}

static double
sum_effects(const Drawn *drawn, const WorkloadInfo *workload,
            const MetricInfo *metric)
{
    double sum = 0;

    for (guint i = 0; i < drawn->model->effects->len; i++) {
        const ModelRule *rule = drawn->model->effects->pdata[i];

        if ((!rule->workload || rule->workload == workload) &&
            (!rule->metric || rule->metric == metric) &&
            model_rule_holds(rule, drawn->design, drawn->cell))
            sum += rule->amount;
    }
    return sum;
}

/* The logarithm against a baseline run without noise; better is up, so what
 * disturbs a run pulls it down, and long tails are of slow runs. */
static double
log_gain(const Drawn *drawn, const WorkloadInfo *workload,
         const MetricInfo *metric, double stolen)
{
    const Model *model = drawn->model;
    double gain = sum_effects(drawn, workload, metric);

    if (model->noise > 0)
        gain -= model->noise *
                draw_standard(model->shape, uniform(drawn->slot, drawn->cell,
                                                    "noise", metric->id, 0));
    if (model->block > 0)
        gain -= model->block *
                draw_standard(DRAW_NORMAL, uniform(drawn->slot, NULL, "block",
                                                   metric->id, 0));
    gain -= log1p(model->drift) * drawn->progress;
    return gain + log1p(-stolen);
}

double
simulate_value(const Drawn *drawn, const WorkloadInfo *workload,
               const MetricInfo *metric, double stolen)
{
    double gain = log_gain(drawn, workload, metric, stolen);
    double base = model_value(drawn->model, metric);

    return base * exp(metric->better == BETTER_HIGHER ? gain : -gain);
}
