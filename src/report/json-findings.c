/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In report.json, what a sweep says beyond single contrasts: interactions,
 * drift, the best cells, shares of the variance.
 */
#include "report/json.h"

#include "report/parts.h"
#include "report/text.h"

static json_t *
metric_id(const Report *report, guint metric)
{
    return json_text(((ReportMetric *) report->metrics->pdata[metric])->id);
}

static json_t *
json_interaction(const Report *report, const ReportInteraction *x)
{
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "metric",
        metric_id(report, x->metric), "setting_a", json_text(x->setting_a),
        "level_a", json_text(x->level_a), "base_a", json_text(x->base_a),
        "setting_b", json_text(x->setting_b), "level_b", json_text(x->level_b),
        "base_b", json_text(x->base_b));

    json_object_update_new(
        object,
        json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, "
                  "s:o}",
                  "n", (json_int_t) x->estimate.n, "contexts",
                  (json_int_t) x->contexts, "ratio", json_number(x->ratio),
                  "ratio_interval", json_pair(x->ratio_lo, x->ratio_hi),
                  "confidence", json_number(x->estimate.confidence), "y",
                  json_estimate(&x->estimate), "p_adjusted",
                  json_number(x->p_adjusted), "flagged", x->flagged,
                  "a_at_base", json_number(x->a_at_base), "a_at_level",
                  json_number(x->a_at_level), "b_at_base",
                  json_number(x->b_at_base), "b_at_level",
                  json_number(x->b_at_level)));
    return object;
}

static json_t *
json_drift(const Report *report, const ReportDrift *d)
{
    const ReportMetric *metric = report->metrics->pdata[d->metric];
    json_t *object = json_pack(
        "{s:o, s:I, s:b, s:b, s:o}", "metric", metric_id(report, d->metric),
        "n", (json_int_t) d->n, "tested", d->tested, "drifted", d->drifted,
        "position_per_place", json_number(d->position));

    json_object_update_new(
        object,
        json_pack("{s:{s:I, s:I, s:o}, s:{s:I, s:o, s:o}, s:o, s:o}", "pettitt",
                  "u", (json_int_t) d->pettitt.u, "at",
                  (json_int_t) d->pettitt.at, "p", json_number(d->pettitt.p),
                  "kendall", "s", (json_int_t) d->kendall.s, "z",
                  json_number(d->kendall.z), "p", json_number(d->kendall.p),
                  "slope_per_run", json_number(d->slope), "shift",
                  json_number(d->shift)));
    json_object_set_new(object, "change_ratio",
                        json_number(report_ratio(metric, d->shift)));
    json_object_set_new(object, "change_block",
                        d->block ? json_integer(d->block) : json_null());
    json_object_set_new(object, "change_time", json_text(d->when));
    return object;
}

static json_t *
cell_name(const Report *report, guint place)
{
    return json_text(((StoreCell *) report->cells->pdata[place])->name);
}

static json_t *
json_best(const Report *report, const ReportBest *b)
{
    const ReportMetric *metric = report->metrics->pdata[b->metric];
    json_t *picks = json_array();

    for (guint i = 0; i < b->picks->len; i++) {
        const ReportPick *pick = &g_array_index(b->picks, ReportPick, i);

        json_array_append_new(picks,
                              json_pack("{s:o, s:I}", "cell",
                                        cell_name(report, pick->place),
                                        "blocks", (json_int_t) pick->count));
    }
    return json_pack(
        "{s:o, s:o, s:I, s:o, s:I, s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "metric",
        metric_id(report, b->metric), "cell", cell_name(report, b->place),
        "candidates", (json_int_t) b->candidates, "picks", picks, "n",
        (json_int_t) b->estimate.n, "gain_mean", json_number(b->gain), "y",
        json_estimate(&b->estimate), "ratio", json_number(b->ratio),
        "ratio_interval", json_pair(b->ratio_lo, b->ratio_hi), "biased",
        "naive_gain_mean", json_number(b->naive_gain), "naive_ratio",
        json_number(report_ratio(metric, b->naive_gain)));
}

static json_t *
json_shares(const Report *report, const ReportShares *s)
{
    json_t *terms = json_object();

    for (guint set = 1; set < s->n_sets; set++) {
        g_autofree char *term = report_shares_term(report, set);

        json_object_set_new(terms, term, json_number(s->shares[set]));
    }
    return json_pack("{s:o, s:I, s:o}", "metric", metric_id(report, s->metric),
                     "n", (json_int_t) s->n, "shares", terms);
}

json_t *
json_findings(const Report *report)
{
    json_t *interactions = json_array(), *drifts = json_array();
    json_t *bests = json_array(), *shares = json_array();
    g_autofree char *confirmation = report_confirmation(report);

    for (guint i = 0; i < report->interactions->len; i++)
        json_array_append_new(
            interactions,
            json_interaction(report, report->interactions->pdata[i]));
    for (guint i = 0; i < report->drifts->len; i++)
        json_array_append_new(drifts,
                              json_drift(report, report->drifts->pdata[i]));
    for (guint i = 0; i < report->bests->len; i++)
        json_array_append_new(bests,
                              json_best(report, report->bests->pdata[i]));
    for (guint i = 0; i < report->shares->len; i++)
        json_array_append_new(shares,
                              json_shares(report, report->shares->pdata[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "interactions", interactions,
                     "drift", drifts, "cross_fitted", bests, "variance_shares",
                     shares, "confirm_with", json_text(confirmation));
}
