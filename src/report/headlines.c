/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which verdict rows get a sentence, in what order, and which of them a first
 * look needs.
 */
#include "report/regression.h"

#include <math.h>
#include <string.h>

/* Sentences on conclusive rows among the findings: what is read at once. */
#define FINDINGS_MAX 6u

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

/* Among the findings if there is room, and among the headlines anyway. */
static void
add_conclusive(Report *report, const ReportContrast *c)
{
    g_autofree char *sentence = report_sentence(report, c);

    g_ptr_array_add(report->headlines, g_strdup(sentence));
    if (report->findings->len < FINDINGS_MAX)
        g_ptr_array_add(report->findings, g_steal_pointer(&sentence));
    else
        report->findings_left++;
}

static void
add_failed_twins(Report *report)
{
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];

        if (strcmp(c->setting, "aa") == 0 && !c->exploratory &&
            (c->estimate.lo > 0 || c->estimate.hi < 0))
            add_conclusive(report, c);
    }
}

static void
add_rows(Report *report)
{
    g_autoptr(GPtrArray) rows = rows_worth_a_sentence(report);
    g_autofree char *others = report_sum_up(report, rows);

    for (guint i = 0; i < rows->len; i++) {
        const ReportContrast *c = rows->pdata[i];

        if (report_conclusive(report, c))
            add_conclusive(report, c);
        else
            g_ptr_array_add(report->headlines, report_sentence(report, c));
    }
    if (others)
        g_ptr_array_add(report->findings, g_steal_pointer(&others));
}

static char *
interactions_sentence(const Report *report)
{
    bool any_flagged = false, enough = report->interactions->len > 0;
    const char *design = report_fact(report, "design");

    if (report_is_screening(report))
        return g_strdup_printf("This is screening (%s): effects of single "
                               "settings are fitted to all cells at once, and "
                               "interactions, which were not tested, are in "
                               "them.",
                               design);
    for (guint i = 0; i < report->interactions->len; i++) {
        const ReportInteraction *x = report->interactions->pdata[i];

        any_flagged = any_flagged || x->flagged;
        enough = enough && x->estimate.n >= 3;
    }
    if (report->factors->len > 1 && report->interactions->len == 0 &&
        report->contrasts->len > 0)
        return g_strdup_printf("Interactions between settings were not tested "
                               "by this design (%s).",
                               design ? design : "unknown");
    if (enough && !any_flagged)
        return g_strdup_printf(
            "No interaction between %s was detected; one is estimated with "
            "twice the error of an averaged effect.",
            report_design_is(report, "star+pairs")
                ? "the settings that were crossed"
                : "settings");
    return NULL;
}

/* full:...: which settings of the matrix did not vary. */
static void
add_uncrossed(Report *report)
{
    const char *uncrossed = report_fact(report, "design.uncrossed");
    g_autofree char *sentence = NULL;

    if (!uncrossed)
        return;
    sentence = g_strdup_printf("Settings that the design does not cross "
                               "stayed at their baseline: %s.",
                               uncrossed);
    g_ptr_array_add(report->headlines, g_strdup(sentence));
    g_ptr_array_add(report->findings, g_steal_pointer(&sentence));
}

void
report_add_headlines(Report *report)
{
    g_autofree char *interactions = interactions_sentence(report);

    add_failed_twins(report);
    add_rows(report);
    add_uncrossed(report);
    if (!interactions)
        return;
    g_ptr_array_add(report->headlines, g_strdup(interactions));
    g_ptr_array_add(report->findings, g_steal_pointer(&interactions));
}
