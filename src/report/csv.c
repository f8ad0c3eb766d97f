/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runs.csv (METHOD 7.11: one line per run and metric, enough to repeat the
 * analysis elsewhere), contrasts.csv (every row of the report) and
 * interactions.csv.  Empty fields are unknown values; measured numbers read
 * back exactly.
 */
#include "report/write.h"

#include <math.h>
#include <string.h>
#include "report/format.h"
#include "report/ladder.h"
#include "report/parts.h"

static void
add_text(GString *out, const char *text)
{
    format_csv(out, text);
    g_string_append_c(out, ',');
}

static void
add_number(GString *out, double value)
{
    g_autofree char *text = format_exact(value);

    g_string_append_printf(out, "%s,", text);
}

static void
add_derived(GString *out, double value)
{
    g_autofree char *text = format_derived(value);

    g_string_append_printf(out, "%s,", text);
}

static void
add_count(GString *out, gint64 value)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT ",", value);
}

/* Ends a line: the comma behind its last field goes. */
static void
end_line(GString *out)
{
    g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

static const char *
accel_of(const Report *report)
{
    const char *accel = report_fact(report, "accel");

    return accel ? accel : "";
}

/* From the campaign to the tile: what identifies an attempt. */
static void
add_run(GString *out, const Report *report, guint block, guint pos, guint try,
        const StoreCell *cell)
{
    add_text(out, report_fact(report, "matrix.name"));
    add_count(out, 1); /* session: one until hosts are rebooted on purpose */
    add_count(out, block);
    add_count(out, pos);
    add_count(out, try);
    add_text(out, cell ? cell->name : "");
    add_text(out, cell ? cell->kind : "");
    add_count(out, 0); /* tile: one guest at a time */
}

/* From the class to the end. */
static void
add_run_end(GString *out, const Report *report, const StoreCell *cell,
            const ReportSpan *span)
{
    add_text(out, cell ? report_cell_class(cell) : "");
    if (span && span->begin > 0)
        add_count(out, span->begin);
    else
        add_text(out, "");
    if (span && span->end > 0)
        add_count(out, span->end);
    else
        add_text(out, "");
    add_text(out, accel_of(report));
    end_line(out);
}

static const ReportSpan *
span_of(const Report *report, gint64 attempt)
{
    for (guint i = 0; i < report->runs->len; i++)
        if (((StoreRun *) report->runs->pdata[i])->id == attempt)
            return &g_array_index(report->spans, ReportSpan, i);
    return NULL;
}

/* The catalogue's direction where the report uses it. */
static bool
better_of(const Report *report, const StoreValue *value)
{
    int metric = report_metric(report, value->metric);

    if (metric < 0)
        return value->higher_better;
    return ((ReportMetric *) report->metrics->pdata[metric])->higher_better;
}

static void
add_value(GString *out, const Report *report, const StoreValue *value)
{
    const StoreCell *cell = report_cell(report, value->cell);
    g_autofree char *why = value->reason ? g_strdup(value->reason)
                           : value->valid
                               ? NULL
                               : g_strdup(outcome_name(value->outcome));

    add_run(out, report, value->block, value->pos, value->try, cell);
    add_text(out, value->workload);
    add_text(out, value->metric);
    add_text(out, value->unit);
    add_text(out, better_of(report, value) ? "higher" : "lower");
    add_number(out, value->value);
    add_count(out, value->n);
    add_count(out, value->valid);
    add_text(out, why);
    add_run_end(out, report, cell, span_of(report, value->attempt));
}

static bool
has_values(const GPtrArray *values, gint64 attempt)
{
    for (guint i = 0; i < values->len; i++)
        if (((StoreValue *) values->pdata[i])->attempt == attempt)
            return true;
    return false;
}

/* An attempt that left no value is a line of its own: failure is data. */
static void
add_empty_run(GString *out, const Report *report, guint index)
{
    const StoreRun *run = report->runs->pdata[index];
    const StoreCell *cell = report_cell(report, run->cell);
    g_autofree char *why =
        g_strdup_printf("%s%s%s%s", run->discarded ? "session; " : "",
                        outcome_name(run->outcome), run->reason ? ": " : "",
                        run->reason ? run->reason : "");

    add_run(out, report, run->block, run->pos, run->try, cell);
    for (guint i = 0; i < 6; i++) /* workload to n_samples */
        add_text(out, "");
    add_count(out, 0);
    add_text(out, why);
    add_run_end(out, report, cell,
                &g_array_index(report->spans, ReportSpan, index));
}

void
report_runs_csv(const Report *report, GString *out)
{
    g_string_append(
        out, "campaign,session,block,pos,attempt,cell_id,kind,tile,workload,"
             "metric,unit,better,value,n_samples,valid,reason,class,"
             "t_start_ns,t_end_ns,accel\n");
    for (guint i = 0; i < report->values->len; i++)
        add_value(out, report, report->values->pdata[i]);
    for (guint i = 0; i < report->discarded->len; i++)
        add_value(out, report, report->discarded->pdata[i]);
    for (guint i = 0; i < report->runs->len; i++) {
        const StoreRun *run = report->runs->pdata[i];

        if (!has_values(report->values, run->id) &&
            !has_values(report->discarded, run->id))
            add_empty_run(out, report, i);
    }
}

const char *
report_method(Method method)
{
    static const char *const names[] = {
        [METHOD_NONE] = "",         [METHOD_DESCRIPTIVE] = "descriptive",
        [METHOD_EXACT] = "exact",   [METHOD_T] = "t-log",
        [METHOD_NORMAL] = "normal",
    };

    return names[method];
}

static void
add_contrast(GString *out, const Report *report, const ReportContrast *c)
{
    const ReportMetric *metric = report->metrics->pdata[c->metric];

    add_text(out, metric->id);
    add_text(out, metric->unit);
    add_text(out, metric->higher_better ? "higher" : "lower");
    add_count(out, metric->primary);
    add_text(out, c->setting);
    add_text(out, c->level);
    add_text(out, c->base);
    add_count(out, c->estimate.n);
    add_count(out, c->contexts);
    add_count(out, c->contexts_total);
    add_derived(out, c->median_level);
    add_derived(out, c->median_base);
    add_derived(out, c->ratio);
    add_derived(out, c->ratio_lo);
    add_derived(out, c->ratio_hi);
    add_derived(out, c->estimate.est);
    add_derived(out, c->estimate.lo);
    add_derived(out, c->estimate.hi);
    add_derived(out, c->estimate.confidence);
    add_derived(out, c->estimate.p);
    add_derived(out, c->p_adjusted);
    add_text(out, report_method(c->estimate.ci_method));
    add_text(out, report_method(c->estimate.p_method));
    add_derived(out, metric->delta);
    add_text(out, c->word);
    add_text(out, c->class_level);
    add_text(out, c->class_base);
    add_text(out, c->note);
    add_count(out, c->screening);
    if (c->screening)
        add_derived(out, c->alias);
    else
        add_text(out, "");
    add_text(out, c->alias_of);
    add_text(out, accel_of(report));
    end_line(out);
}

static void
add_interaction(GString *out, const Report *report, const ReportInteraction *x)
{
    const ReportMetric *metric = report->metrics->pdata[x->metric];
    const char *const names[] = {
        metric->id,   metric->unit, metric->higher_better ? "higher" : "lower",
        x->setting_a, x->level_a,   x->base_a,
        x->setting_b, x->level_b,   x->base_b};
    const double figures[] = {x->ratio,
                              x->ratio_lo,
                              x->ratio_hi,
                              x->estimate.est,
                              x->estimate.lo,
                              x->estimate.hi,
                              x->estimate.confidence,
                              x->estimate.p,
                              x->p_adjusted,
                              x->a_at_base,
                              x->a_at_level,
                              x->b_at_base,
                              x->b_at_level};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        add_text(out, names[i]);
    add_count(out, x->estimate.n);
    add_count(out, x->contexts);
    for (gsize i = 0; i < G_N_ELEMENTS(figures); i++)
        add_derived(out, figures[i]);
    add_text(out, report_method(x->estimate.ci_method));
    add_text(out, report_method(x->estimate.p_method));
    add_count(out, x->flagged);
    add_text(out, accel_of(report));
    end_line(out);
}

void
report_interactions_csv(const Report *report, GString *out)
{
    g_string_append(
        out, "metric,unit,better,setting_a,level_a,base_a,setting_b,level_b,"
             "base_b,n,contexts,ratio,ratio_lo,ratio_hi,est,lo,hi,confidence,"
             "p,p_adjusted,a_at_base,a_at_level,b_at_base,b_at_level,"
             "ci_method,p_method,flagged,accel\n");
    for (guint i = 0; i < report->interactions->len; i++)
        add_interaction(out, report, report->interactions->pdata[i]);
}

/* A step or a share as a contrast; its mean, which adds up, is in the note. */
static void
add_step(GString *out, const Report *report, const ReportLadder *ladder,
         const char *level, const char *base, const ReportStep *step)
{
    g_autofree char *mean = format_derived(step->mean);
    g_autofree char *note = g_strdup_printf("mean=%s", mean);
    ReportContrast row = {.metric = ladder->metric,
                          .setting = (char *) "ladder",
                          .level = (char *) level,
                          .base = (char *) base,
                          .median_level = NAN,
                          .median_base = NAN,
                          .ratio = step->ratio,
                          .ratio_lo = step->ratio_lo,
                          .ratio_hi = step->ratio_hi,
                          .estimate = step->estimate,
                          .p_adjusted = NAN,
                          .contexts = 1,
                          .contexts_total = 1,
                          .class_level = "",
                          .class_base = "",
                          .word = "",
                          .note = note};

    if (step->estimate.n > 0)
        add_contrast(out, report, &row);
}

static void
add_part(GString *out, const Report *report, const ReportLadder *ladder,
         const ReportPart *part)
{
    const struct {
        const char *name;
        const ReportStep *step;
    } shares[] = {{"first-in", &part->first_in},
                  {"last-in", &part->last_in},
                  {"shapley", &part->shapley}};

    for (gsize i = 0; i < G_N_ELEMENTS(shares); i++) {
        g_autofree char *level = g_strdup_printf("%s=%s %s", part->setting,
                                                 part->level, shares[i].name);

        add_step(out, report, ladder, level, part->base, shares[i].step);
    }
}

static void
add_ladder(GString *out, const Report *report, const ReportLadder *ladder)
{
    for (guint i = 0; i < ladder->steps->len; i++) {
        const ReportStep *step = &g_array_index(ladder->steps, ReportStep, i);

        add_step(out, report, ladder, step->name, "", step);
    }
    add_step(out, report, ladder, ladder->total.name, "", &ladder->total);
    for (guint i = 0; i < ladder->parts->len; i++)
        add_part(out, report, ladder, ladder->parts->pdata[i]);
    add_step(out, report, ladder, ladder->remainder.name, "",
             &ladder->remainder);
}

void
report_contrasts_csv(const Report *report, GString *out)
{
    g_string_append(
        out,
        "metric,unit,better,primary,setting,level,base,n,contexts,"
        "contexts_total,median_level,median_base,ratio,ratio_lo,ratio_hi,"
        "est,lo,hi,confidence,p,p_adjusted,ci_method,p_method,delta,"
        "verdict,class_level,class_base,note,screening,alias,alias_of,accel\n");
    for (guint i = 0; i < report->contrasts->len; i++)
        add_contrast(out, report, report->contrasts->pdata[i]);
    for (guint i = 0; !report->emulated && i < report->ladders->len; i++)
        add_ladder(out, report, report->ladders->pdata[i]);
}
