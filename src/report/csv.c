/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contrasts.csv (every row of the report) and interactions.csv, and the fields
 * of any CSV file of ours.  Empty fields are unknown values.
 */
#include "report/csv-fields.h"

#include <math.h>
#include <string.h>
#include "report/format.h"
#include "report/ladder.h"
#include "report/parts.h"

void
csv_text(GString *out, const char *text)
{
    format_csv(out, text);
    g_string_append_c(out, ',');
}

void
csv_number(GString *out, double value)
{
    g_autofree char *text = format_exact(value);

    g_string_append_printf(out, "%s,", text);
}

void
csv_derived(GString *out, double value)
{
    g_autofree char *text = format_derived(value);

    g_string_append_printf(out, "%s,", text);
}

void
csv_count(GString *out, gint64 value)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT ",", value);
}

void
csv_end_line(GString *out)
{
    g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

const char *
csv_accel(const Report *report)
{
    const char *accel = report_fact(report, "accel");

    return accel ? accel : "";
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

    csv_text(out, metric->id);
    csv_text(out, metric->unit);
    csv_text(out, metric->higher_better ? "higher" : "lower");
    csv_count(out, metric->primary);
    csv_text(out, c->setting);
    csv_text(out, c->level);
    csv_text(out, c->base);
    csv_count(out, c->estimate.n);
    csv_count(out, c->contexts);
    csv_count(out, c->contexts_total);
    csv_derived(out, c->median_level);
    csv_derived(out, c->median_base);
    csv_derived(out, c->ratio);
    csv_derived(out, c->ratio_lo);
    csv_derived(out, c->ratio_hi);
    csv_derived(out, c->estimate.est);
    csv_derived(out, c->estimate.lo);
    csv_derived(out, c->estimate.hi);
    csv_derived(out, c->estimate.confidence);
    csv_derived(out, c->estimate.p);
    csv_derived(out, c->p_adjusted);
    csv_text(out, report_method(c->estimate.ci_method));
    csv_text(out, report_method(c->estimate.p_method));
    csv_derived(out, metric->delta);
    csv_text(out, c->word);
    csv_text(out, c->class_level);
    csv_text(out, c->class_base);
    csv_text(out, c->note);
    csv_count(out, c->screening);
    if (c->screening)
        csv_derived(out, c->alias);
    else
        csv_text(out, "");
    csv_text(out, c->alias_of);
    csv_text(out, csv_accel(report));
    csv_end_line(out);
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
        csv_text(out, names[i]);
    csv_count(out, x->estimate.n);
    csv_count(out, x->contexts);
    for (gsize i = 0; i < G_N_ELEMENTS(figures); i++)
        csv_derived(out, figures[i]);
    csv_text(out, report_method(x->estimate.ci_method));
    csv_text(out, report_method(x->estimate.p_method));
    csv_count(out, x->flagged);
    csv_text(out, csv_accel(report));
    csv_end_line(out);
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
