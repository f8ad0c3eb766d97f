/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.json: the model as it is, for other programs. */
#include "report/json.h"

#include <math.h>
#include <string.h>
#include "report/format.h"
#include "report/parts.h"
#include "report/precision.h"
#include "report/text.h"
#include "report/write.h"

/* Raised when a reader of report.json would have to change. */
#define JSON_FORMAT_VERSION 1
/* Enough for every measured value; the exact ones are in runs.csv. */
#define JSON_DIGITS 12

json_t *
json_text(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

    for (guint i = 0; lines[i]; i++) {
        char *line = lines[i];

        lines[i] = format_safe(line);
        g_free(line);
    }
    g_autofree char *safe = g_strjoinv("\n", lines);
    return text ? json_string(safe) : json_null();
}

json_t *
json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *
json_pair(double lo, double hi)
{
    return json_pack("[o, o]", json_number(lo), json_number(hi));
}

json_t *
json_estimate(const Estimate *e)
{
    return json_pack(
        "{s:o, s:o, s:o, s:s, s:s}", "est", json_number(e->est), "interval",
        json_pair(e->lo, e->hi), "p", json_number(e->p), "ci_method",
        report_method(e->ci_method), "p_method", report_method(e->p_method));
}

json_t *
json_contrast(const Report *report, const ReportContrast *c)
{
    const ReportMetric *metric = report->metrics->pdata[c->metric];
    g_autofree char *sentence = report_sentence(report, c);
    json_t *object =
        json_pack("{s:o, s:s, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o}",
                  "metric", json_text(metric->id), "better",
                  metric->higher_better ? "higher" : "lower", "setting",
                  json_text(c->setting), "level", json_text(c->level), "base",
                  json_text(c->base), "n", (json_int_t) c->estimate.n,
                  "median_level", json_number(c->median_level), "median_base",
                  json_number(c->median_base), "ratio", json_number(c->ratio),
                  "ratio_interval", json_pair(c->ratio_lo, c->ratio_hi),
                  "confidence", json_number(c->estimate.confidence));

    json_object_update_new(
        object,
        json_pack("{s:o, s:o, s:b, s:s, s:o, s:I, s:I, s:o, s:I, s:s, s:s, "
                  "s:b, s:o}",
                  "y", json_estimate(&c->estimate), "p_adjusted",
                  json_number(c->p_adjusted), "exploratory", c->exploratory,
                  "verdict", c->word, "note", json_text(c->note), "contexts",
                  (json_int_t) c->contexts, "contexts_total",
                  (json_int_t) c->contexts_total, "by_context",
                  c->contexts > 1 ? json_pair(c->simple_lo, c->simple_hi)
                                  : json_null(),
                  "blocks_needed", (json_int_t) c->blocks_needed, "class_level",
                  c->class_level, "class_base", c->class_base,
                  "ignores_flushes", c->ignores_flushes, "sentence",
                  json_text(sentence)));
    if (c->contexts > 1)
        json_object_set_new(object, "simple_effects",
                            json_simple_effects(report, c));
    if (c->screening)
        json_object_update_new(object,
                               json_pack("{s:b, s:b, s:o, s:o}", "screening",
                                         true, "estimable", !c->not_estimable,
                                         "alias", json_number(c->alias),
                                         "alias_of", json_text(c->alias_of)));
    return object;
}

static json_t *
json_facts(const Report *report)
{
    json_t *object = json_object();
    g_autoptr(GList) keys = g_hash_table_get_keys(report->facts);

    keys = g_list_sort(keys, (GCompareFunc) strcmp);
    for (GList *k = keys; k; k = k->next) {
        g_autofree char *key = format_safe(k->data);

        json_object_set_new(object, key,
                            json_text(report_fact(report, k->data)));
    }
    return object;
}

static json_t *
json_cell_values(const Report *report, const StoreCell *cell)
{
    json_t *object = json_object();

    for (guint i = 0; i < report->cell_values->len; i++) {
        const ReportCellMetric *v = report->cell_values->pdata[i];
        const ReportMetric *metric = report->metrics->pdata[v->metric];

        if (v->cell != cell->index)
            continue;
        g_autofree char *id = format_safe(metric->id);
        json_object_set_new(
            object, id,
            json_pack("{s:o, s:o, s:o, s:I}", "median", json_number(v->median),
                      "interval", json_pair(v->lo, v->hi), "confidence",
                      json_number(v->confidence), "n", (json_int_t) v->n));
    }
    return object;
}

static json_t *
json_outcomes(const Report *report, guint cell)
{
    json_t *object = json_object();

    for (guint i = 0; i < report->runs->len; i++) {
        const StoreRun *run = report->runs->pdata[i];
        const char *name = outcome_name(run->outcome);
        json_int_t before = json_integer_value(json_object_get(object, name));

        if (run->cell == cell && !run->discarded)
            json_object_set_new(object, name, json_integer(before + 1));
    }
    return object;
}

static json_t *
json_cell(const Report *report, const StoreCell *cell)
{
    json_t *settings = json_object();

    for (guint i = 0; i < cell->settings->len; i++) {
        g_autofree char *key = format_safe(cell->settings->pdata[i]);

        json_object_set_new(settings, key, json_text(cell->levels->pdata[i]));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:s, s:o, s:o, s:o}", "name",
                     json_text(cell->name), "kind", json_text(cell->kind),
                     "state", json_text(cell->state), "why",
                     json_text(cell->why), "baseline", cell->baseline, "class",
                     report_cell_class(cell), "settings", settings, "attempts",
                     json_outcomes(report, cell->index), "values",
                     json_cell_values(report, cell));
}

static json_t *
json_metric(const Report *report, guint metric)
{
    const ReportMetric *m = report->metrics->pdata[metric];

    return json_pack("{s:o, s:o, s:o, s:s, s:b, s:o, s:b}", "id",
                     json_text(m->id), "workload", json_text(m->workload),
                     "unit", json_text(m->unit), "better",
                     m->higher_better ? "higher" : "lower", "primary",
                     m->primary, "delta", json_number(m->delta), "drifted",
                     report_drifted(report, metric));
}

static json_t *
json_strings(const GPtrArray *texts)
{
    json_t *array = json_array();

    for (guint i = 0; i < texts->len; i++)
        json_array_append_new(array, json_text(texts->pdata[i]));
    return array;
}

static json_t *
json_times(const Report *report)
{
    json_t *object = json_object();

    for (guint i = 0; i < PART_MAX; i++)
        json_object_set_new(object, part_name((Part) i),
                            json_integer(report->times[i]));
    return object;
}

static json_t *
json_windows(const Report *report)
{
    json_t *gates = json_object();
    guint disturbed = 0, windows = report_windows(report, &disturbed);

    for (guint i = 0; i < report->gates->len; i++) {
        const StoreGate *gate = report->gates->pdata[i];
        g_autofree char *id = format_safe(gate->id);

        if (gate->id)
            json_object_set_new(gates, id, json_integer(gate->windows));
    }
    return json_pack("{s:I, s:I, s:o}", "measured", (json_int_t) windows,
                     "disturbed", (json_int_t) disturbed, "by_gate", gates);
}

static json_t *
json_lists(const Report *report)
{
    json_t *metrics = json_array(), *cells = json_array();
    json_t *contrasts = json_array();

    for (guint i = 0; i < report->metrics->len; i++)
        json_array_append_new(metrics, json_metric(report, i));
    for (guint i = 0; i < report->cells->len; i++)
        json_array_append_new(cells,
                              json_cell(report, report->cells->pdata[i]));
    for (guint i = 0; i < report->contrasts->len; i++)
        json_array_append_new(
            contrasts, json_contrast(report, report->contrasts->pdata[i]));
    return json_pack("{s:o, s:o, s:o}", "metrics", metrics, "cells", cells,
                     "contrasts", contrasts);
}

void
json_finish(json_t *document, GString *out)
{
    char *text =
        json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(JSON_DIGITS));

    g_string_append_printf(out, "%s\n", text ? text : "null");
    free(text);
    json_decref(document);
}

/* How the sweep ended, and what the rule of METHOD 4.4 sees. */
static json_t *
json_stopped(const Report *report)
{
    g_autofree char *text = report_stop_text(report);
    ReportPrecision precision = report_precision(report);
    guint needed = precision.farthest ? precision.farthest->blocks_needed : 0;

    return json_pack("{s:o, s:I, s:I, s:I}", "text", json_text(text),
                     "contrasts", (json_int_t) precision.waited, "resolved",
                     (json_int_t) precision.resolved, "blocks_needed",
                     (json_int_t) needed);
}

void
report_json(const Report *report, GString *out)
{
    char grade[] = {report->grade, 0};
    g_autoptr(GPtrArray) troubles = report_troubles(report);
    json_t *document = json_pack(
        "{s:i, s:b, s:b, s:s, s:o, s:I, s:I, s:I, s:o, s:o, s:o, "
        "s:o, s:o, s:o, s:o}",
        "format", JSON_FORMAT_VERSION, "emulated", report->emulated,
        "simulated", report->simulated, "grade", grade, "grade_reasons",
        json_strings(report->grade_reasons), "blocks",
        (json_int_t) report->blocks, "cells_planned",
        (json_int_t) report->cells_planned, "cells_measured",
        (json_int_t) report->cells_measured, "stopped", json_stopped(report),
        "headlines", json_strings(report->headlines), "findings",
        json_strings(report->findings), "windows", json_windows(report),
        "troubles", json_strings(troubles), "times_ns", json_times(report),
        "facts", json_facts(report));

    json_object_update_new(document, json_lists(report));
    json_object_update_new(document, json_findings(report));
    json_object_update_new(document, json_ladders(report));
    json_object_set_new(document, "levels", json_levels(report));
    json_finish(document, out);
}
