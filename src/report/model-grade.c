/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a sweep is to be trusted: the letter of METHOD 0.2 and why it is no
 * better one.  A rule caps the grade; the lowest cap wins.  Whatever keeps a
 * sweep from A without being a reason for C or D is a soft miss (B).
 */
#include "report/parts.h"

#include <string.h>

/* METHOD 0.2: more than that of the attempts or windows, in percent. */
#define MANY 10u
#define SOME 5u

typedef struct Evidence {
    const Report *report;
    guint attempts, invalid;
    guint windows, disturbed;
    guint twins, failed_twins; /* A/A contrasts of primary metrics */
} Evidence;

static bool
fact_is(const Evidence *e, const char *key, const char *value)
{
    return g_strcmp0(report_fact(e->report, key), value) == 0;
}

static bool
is_quick(const Evidence *e)
{
    return fact_is(e, "quick", "yes");
}

static bool
below_three(const Evidence *e)
{
    return e->report->blocks < 3;
}

static bool
below_six(const Evidence *e)
{
    return e->report->blocks >= 3 && e->report->blocks < 6;
}

static bool
below_eight(const Evidence *e)
{
    return e->report->blocks >= 6 && e->report->blocks < 8;
}

static bool
twin_failed(const Evidence *e)
{
    return e->failed_twins > 0;
}

static bool
twin_missing(const Evidence *e)
{
    return e->twins == 0;
}

static bool
exceeds(guint count, guint total, guint percent)
{
    return count * 100 > total * percent;
}

static bool
is_unblocked(const Evidence *e)
{
    return e->report->unblocked;
}

static bool
many_invalid(const Evidence *e)
{
    return exceeds(e->invalid, e->attempts, MANY);
}

static bool
some_invalid(const Evidence *e)
{
    return exceeds(e->invalid, e->attempts, SOME) && !many_invalid(e);
}

bool
report_much_disturbed(const Report *report)
{
    guint disturbed = 0, windows = report_windows(report, &disturbed);

    return exceeds(disturbed, windows, MANY);
}

/* Hygiene quick keeps what another would void, so it counts the same here. */
static bool
many_disturbed(const Evidence *e)
{
    return exceeds(e->disturbed, e->windows, MANY);
}

static bool
some_disturbed(const Evidence *e)
{
    return exceeds(e->disturbed, e->windows, SOME) && !many_disturbed(e);
}

static bool
not_strict(const Evidence *e)
{
    return !fact_is(e, "hygiene", "strict") && !fact_is(e, "source", "csv");
}

/* How a file of figures was measured is not known here. */
static bool
measured_elsewhere(const Evidence *e)
{
    return fact_is(e, "source", "csv");
}

static bool
is_nested(const Evidence *e)
{
    return fact_is(e, "host.cpu.hypervisor", "yes");
}

static bool
is_emulated(const Evidence *e)
{
    return e->report->emulated;
}

static bool
has_drifted(const Evidence *e)
{
    for (guint i = 0; i < e->report->drifts->len; i++)
        if (((ReportDrift *) e->report->drifts->pdata[i])->drifted)
            return true;
    return false;
}

static bool
drift_untested(const Evidence *e)
{
    return !report_drift_tested(e->report);
}

static const struct {
    char cap;
    bool (*holds)(const Evidence *evidence);
    const char *reason; /* NULL: stands beside the letter anyway */
} rules[] = {
    {'D', is_quick, "--quick"},
    {'D', below_three, "fewer than 3 complete blocks"},
    {'C', below_six, "fewer than 6 complete blocks"},
    {'C', twin_failed, "A/A failed"},
    {'C', is_unblocked, "cells compared without blocks"},
    {'C', many_invalid, "more than 10 % of the attempts invalid"},
    {'C', many_disturbed, "more than 10 % of the windows disturbed"},
    {'B', below_eight, "fewer than 8 complete blocks"},
    {'B', twin_missing, "no A/A result"},
    {'B', some_invalid, "more than 5 % of the attempts invalid"},
    {'B', some_disturbed, "more than 5 % of the windows disturbed"},
    {'B', is_emulated, NULL},
    {'B', is_nested, "nested"},
    {'B', not_strict, "preflight not strict"},
    {'B', measured_elsewhere, "not measured by vsweep"},
    {'B', has_drifted, "drift"},
    {'B', drift_untested, "drift not tested"},
};

/* An attempt is invalid as a whole (METHOD 5.5).  A value can be unusable in
 * a good attempt, as a percentile of too few operations is. */
static void
count_attempts(Evidence *e)
{
    for (guint i = 0; i < e->report->runs->len; i++) {
        const StoreRun *run = e->report->runs->pdata[i];

        if (run->discarded || run->outcome == OUTCOME_INTERRUPTED)
            continue;
        e->attempts++;
        e->invalid += run->outcome == OUTCOME_INVALID;
    }
}

static void
count_twins(Evidence *e)
{
    for (guint i = 0; i < e->report->contrasts->len; i++) {
        const ReportContrast *c = e->report->contrasts->pdata[i];

        if (strcmp(c->setting, "aa") != 0 || c->exploratory ||
            c->estimate.n < 3)
            continue;
        e->twins++;
        e->failed_twins += c->estimate.lo > 0 || c->estimate.hi < 0;
    }
}

guint
report_windows(const Report *report, guint *ret_disturbed)
{
    guint windows = 0, disturbed = 0;

    for (guint i = 0; i < report->gates->len; i++) {
        const StoreGate *gate = report->gates->pdata[i];

        windows += gate->windows;
        disturbed += gate->id ? gate->windows : 0;
    }
    *ret_disturbed = disturbed;
    return windows;
}

void
report_add_grade(Report *report)
{
    Evidence evidence = {.report = report};

    count_attempts(&evidence);
    evidence.windows = report_windows(report, &evidence.disturbed);
    count_twins(&evidence);
    report->grade = 'A';
    for (gsize i = 0; i < G_N_ELEMENTS(rules); i++) {
        if (!rules[i].holds(&evidence))
            continue;
        report->grade = MAX(report->grade, rules[i].cap);
        if (rules[i].reason)
            g_ptr_array_add(report->grade_reasons, g_strdup(rules[i].reason));
    }
}
