/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ladders in report.json; under emulation as a check of the harness. */
#include "report/json.h"

#include "report/ladder.h"
#include "report/parts.h"

static json_t *
json_step(const ReportLadder *ladder, const ReportStep *step)
{
    const Estimate *e = &step->estimate;

    if (e->n == 0)
        return json_null();
    return json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "n", (json_int_t) e->n,
        "confidence", json_number(e->confidence), "ratio",
        json_number(step->ratio), "ratio_interval",
        json_pair(step->ratio_lo, step->ratio_hi), "y", json_estimate(e),
        "mean", json_number(step->mean), "of_total",
        json_number(report_ladder_share(ladder, step)));
}

static json_t *
json_named(const ReportLadder *ladder, const ReportStep *step)
{
    json_t *object = json_step(ladder, step);

    json_object_set_new(object, "step", json_text(step->name));
    return object;
}

/* Its shares are of the configuration step, best less baseline. */
static json_t *
json_part(const ReportLadder *ladder, const ReportPart *part)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "setting",
                     json_text(part->setting), "level", json_text(part->level),
                     "base", json_text(part->base), "first_in",
                     json_step(ladder, &part->first_in), "last_in",
                     json_step(ladder, &part->last_in), "shapley",
                     json_step(ladder, &part->shapley));
}

static json_t *
json_ladder(const Report *report, const ReportLadder *ladder)
{
    const ReportMetric *metric = report->metrics->pdata[ladder->metric];
    json_t *steps = json_array(), *parts = json_array(), *notes = json_array();
    g_autofree char *sentence = report_ladder_sentence(report, ladder);

    for (guint i = 0; i < ladder->steps->len; i++)
        json_array_append_new(
            steps,
            json_named(ladder, &g_array_index(ladder->steps, ReportStep, i)));
    for (guint i = 0; i < ladder->parts->len; i++)
        json_array_append_new(parts,
                              json_part(ladder, ladder->parts->pdata[i]));
    for (guint i = 0; i < ladder->notes->len; i++)
        json_array_append_new(notes, json_text(ladder->notes->pdata[i]));
    return json_pack("{s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "metric",
                     json_text(metric->id), "steps", steps, "total",
                     json_step(ladder, &ladder->total), "blocks",
                     (json_int_t) ladder->blocks, "parts", parts, "remainder",
                     json_step(ladder, &ladder->remainder), "notes", notes,
                     "sentence", json_text(sentence));
}

json_t *
json_ladders(const Report *report)
{
    json_t *ladders = json_array();

    for (guint i = 0; i < report->ladders->len; i++)
        json_array_append_new(ladders,
                              json_ladder(report, report->ladders->pdata[i]));
    return report->emulated ? json_pack("{s:[], s:{s:o}}", "ladders",
                                        "harness_check", "ladders", ladders)
                            : json_pack("{s:o}", "ladders", ladders);
}
