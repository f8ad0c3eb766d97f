/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From an estimate to the word in the verdict column, and when there is to be
 * no word (METHOD 0.1, 6.4, 7.4, 7.7).
 */
#include "report/parts.h"

#include <math.h>
#include <string.h>
#include "report/format.h"
#include "report/text.h"
#include "stats/holm.h"

/* Workloads that emulation turns upside down: their speed is the processor's
 * or the network stack's, which emulation replaces (METHOD 0.1). */
static const char *const emulation_distorts[] = {"cpu.", "mem.", "net.", "kv.",
                                                 "web."};

bool
report_figures_only(const Report *report, const ReportMetric *metric)
{
    for (gsize i = 0; report->emulated && i < G_N_ELEMENTS(emulation_distorts);
         i++)
        if (g_str_has_prefix(metric->id, emulation_distorts[i]))
            return true;
    return false;
}

double
report_resolution(const Report *report, guint metric)
{
    const ReportContrast *aa = report_contrast(report, metric, "aa", "aa");

    if (!aa || isnan(aa->estimate.lo))
        return NAN;
    return expm1((aa->estimate.hi - aa->estimate.lo) / 2);
}

static const char *
twin_word(const Estimate *estimate)
{
    if (estimate->lo > 0 || estimate->hi < 0)
        return "A/A failed";
    return "A/A pass";
}

/* A host is no setting that one could choose: it gets no verdict. */
static bool
is_host(const ReportContrast *contrast)
{
    return strcmp(contrast->setting, "host") == 0;
}

static const char *
choose_word(const Report *report, const ReportContrast *contrast)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];

    if (contrast->not_estimable)
        return "not estimable";
    if (contrast->estimate.n == 0)
        return "no data";
    if (contrast->not_comparable)
        return "not comparable: flushes ignored";
    if (contrast->estimate.n < 3)
        return "descriptive";
    if (strcmp(contrast->setting, "aa") == 0)
        return twin_word(&contrast->estimate);
    if (is_host(contrast) || report_figures_only(report, metric))
        return "figures only";
    return verdict_name(contrast->verdict);
}

/* Whether a verdict may be given at all. */
static bool
may_judge(const Report *report, const ReportContrast *contrast)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];

    return contrast->estimate.n >= 3 && !contrast->not_comparable &&
           !is_host(contrast) && !report_figures_only(report, metric);
}

/* The host being slower than its own guest means that a cache answered
 * (METHOD 6.2). */
static bool
guest_beats_host(const ReportContrast *contrast, const ReportMetric *metric)
{
    return is_host(contrast) && metric->needs_disk && contrast->estimate.hi < 0;
}

char *
report_alias_text(const ReportContrast *contrast)
{
    if (!contrast->alias_of)
        return NULL;
    return g_strdup_printf("alias %.2f with %s", contrast->alias,
                           contrast->alias_of);
}

static char *
make_note(const ReportContrast *contrast, const ReportMetric *metric)
{
    const Estimate *e = &contrast->estimate;
    bool twin = strcmp(contrast->setting, "aa") == 0;
    g_autofree char *alias = report_alias_text(contrast);
    bool significant = contrast->p_adjusted <= REPORT_ALPHA;
    const struct {
        bool holds;
        const char *text;
    } notes[] = {
        {contrast->runs_base > 0, REPORT_UNBLOCKED},
        {e->ci_method == METHOD_T, "ci=t-log"},
        {e->p_method == METHOD_T, "p=t-log"},
        {e->n > 0 && e->n < 3, "n<3"},
        {contrast->screening, "screening"},
        {alias != NULL, alias},
        {contrast->not_estimable,
         "the cells cannot tell it from other settings"},
        {contrast->exploratory && !twin, "exploratory"},
        {contrast->verdict == VERDICT_EQUIVALENT && significant && !twin,
         "detectable but within the band"},
        {contrast->ignores_flushes && !contrast->not_comparable,
         "cells that ignore flushes are in it"},
        {guest_beats_host(contrast, metric),
         "guest faster than its host: something caches"},
    };
    g_autoptr(GString) note = g_string_new(NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(notes); i++)
        if (notes[i].holds)
            g_string_append_printf(note, "%s%s", note->len ? "; " : "",
                                   notes[i].text);
    return note->len ? g_strdup(note->str) : NULL;
}

void
report_judge(const Report *report, ReportContrast *const *contrasts,
             guint count)
{
    g_autofree double *p = g_new(double, count + 1);
    g_autofree double *adjusted = g_new(double, count + 1);

    for (guint i = 0; i < count; i++)
        p[i] = contrasts[i]->estimate.p;
    holm_adjust(p, count, adjusted);
    for (guint i = 0; i < count; i++) {
        ReportContrast *contrast = contrasts[i];
        const ReportMetric *metric = report->metrics->pdata[contrast->metric];
        const Estimate *e = &contrast->estimate;

        contrast->p_adjusted = contrast->exploratory ? e->p : adjusted[i];
        contrast->verdict =
            may_judge(report, contrast)
                ? verdict_decide(e->lo, e->hi, contrast->p_adjusted,
                                 metric->delta, REPORT_ALPHA)
                : VERDICT_NONE;
        contrast->word = choose_word(report, contrast);
        g_free(contrast->note);
        contrast->note = make_note(contrast, metric);
    }
}
