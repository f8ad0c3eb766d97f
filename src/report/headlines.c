/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which verdict rows get a sentence at the top of a report, and in what order.
 */
#include "report/parts.h"

#include <math.h>
#include <string.h>

/* Clear effects first, open questions after them, rows without a verdict
 * last. */
static int
rank_of(const ReportContrast *contrast)
{
    static const int ranks[] = {
        [VERDICT_NONE] = 4,         [VERDICT_BETTER] = 0,
        [VERDICT_WORSE] = 0,        [VERDICT_EQUIVALENT] = 3,
        [VERDICT_BETTER_SMALL] = 1, [VERDICT_WORSE_SMALL] = 1,
        [VERDICT_INCONCLUSIVE] = 2,
    };
    G_STATIC_ASSERT(G_N_ELEMENTS(ranks) == VERDICT_MAX);

    return ranks[contrast->verdict];
}

static int
compare_contrasts(const void *a, const void *b)
{
    const ReportContrast *x = *(ReportContrast *const *) a;
    const ReportContrast *y = *(ReportContrast *const *) b;

    if (rank_of(x) != rank_of(y))
        return rank_of(x) - rank_of(y);
    if (fabs(x->estimate.est) > fabs(y->estimate.est))
        return -1;
    return fabs(x->estimate.est) < fabs(y->estimate.est);
}

/* Primary metrics only; the host is a plain number, not a finding. */
static GPtrArray *
rows_worth_a_sentence(const Report *report)
{
    GPtrArray *rows = g_ptr_array_new();

    for (guint i = 0; i < report->contrasts->len; i++) {
        ReportContrast *c = report->contrasts->pdata[i];

        if (!c->exploratory && strcmp(c->setting, "aa") != 0 &&
            strcmp(c->setting, "host") != 0 &&
            !report_figures_only(report, report->metrics->pdata[c->metric]))
            g_ptr_array_add(rows, c);
    }
    /* A stable sort: rows without an estimate keep their order. */
    g_ptr_array_sort(rows, compare_contrasts);
    return rows;
}

static void
add_failed_twins(Report *report)
{
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];

        if (strcmp(c->setting, "aa") == 0 && !c->exploratory &&
            (c->estimate.lo > 0 || c->estimate.hi < 0))
            g_ptr_array_add(report->headlines, report_sentence(report, c));
    }
}

static void
add_on_interactions(Report *report)
{
    bool any_flagged = false, enough = report->interactions->len > 0;

    for (guint i = 0; i < report->interactions->len; i++) {
        const ReportInteraction *x = report->interactions->pdata[i];

        any_flagged = any_flagged || x->flagged;
        enough = enough && x->estimate.n >= 3;
    }
    if (report->factors->len > 1 && report->interactions->len == 0 &&
        report->contrasts->len > 0)
        g_ptr_array_add(report->headlines,
                        g_strdup_printf("Interactions between settings were "
                                        "not tested by this design (%s).",
                                        report_fact(report, "design")
                                            ? report_fact(report, "design")
                                            : "unknown"));
    else if (enough && !any_flagged)
        g_ptr_array_add(
            report->headlines,
            g_strdup("No interaction between settings was detected; one is "
                     "estimated with twice the error of an averaged effect."));
}

void
report_add_headlines(Report *report)
{
    g_autoptr(GPtrArray) rows = rows_worth_a_sentence(report);

    add_failed_twins(report);
    for (guint i = 0; i < rows->len; i++)
        g_ptr_array_add(report->headlines,
                        report_sentence(report, rows->pdata[i]));
    add_on_interactions(report);
}
