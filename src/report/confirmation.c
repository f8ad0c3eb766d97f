/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After screening: the few settings with the largest effects, to be confirmed
 * by a design that separates them (METHOD 3.3).
 */
#include "report/regression.h"

#include <math.h>
#include <string.h>

/* METHOD 3.3: a full design over more is too large. */
#define CONFIRMED_MAX 3u

typedef struct Candidate {
    const StoreFactor *factor;
    double effect; /* largest |y| of a level on a primary metric */
    bool stands_out;
} Candidate;

/* Whether a row says how much its setting matters. */
static bool
is_usable(const Report *report, const ReportContrast *c,
          const StoreFactor *factor)
{
    return strcmp(c->setting, factor->setting) == 0 && !c->exploratory &&
           c->estimate.n > 0 && !c->not_comparable &&
           !report_figures_only(report, report->metrics->pdata[c->metric]);
}

static Candidate
candidate_of(const Report *report, const StoreFactor *factor)
{
    Candidate candidate = {factor, 0, false};

    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];

        if (!is_usable(report, c, factor))
            continue;
        candidate.effect = fmax(candidate.effect, fabs(c->estimate.est));
        candidate.stands_out =
            candidate.stands_out ||
            (report_conclusive(report, c) && c->verdict != VERDICT_EQUIVALENT);
    }
    return candidate;
}

static int
compare_candidates(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;

    return (x->effect < y->effect) - (x->effect > y->effect);
}

char *
report_confirmation(const Report *report)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Candidate));
    g_autoptr(GString) line = g_string_new("design: full:");
    bool any = false;

    if (!report_is_screening(report) || report_is_csv(report))
        return NULL;
    for (guint i = 0; i < report->factors->len; i++) {
        Candidate candidate = candidate_of(report, report->factors->pdata[i]);

        any = any || candidate.stands_out;
        if (candidate.effect > 0)
            g_array_append_val(all, candidate);
    }
    if (!any)
        return NULL;
    g_array_sort(all, compare_candidates);
    for (guint i = 0; i < MIN(all->len, CONFIRMED_MAX); i++)
        g_string_append_printf(
            line, "%s%s", i ? "," : "",
            g_array_index(all, Candidate, i).factor->setting);
    return g_strdup(line->str);
}
