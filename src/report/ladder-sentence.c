/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentence of a ladder, by the template of METHOD 10. */
#include "report/ladder-parts.h"

#include <math.h>
#include <string.h>
#include "report/parts.h"

/* How a step is spoken of. */
static const struct {
    const char *step, *subject;
} subjects[] = {
    {"resources", "resource matching"},
    {"nesting", "the file system in a file"},
    {"resources and nesting", "resource matching in a file"},
    {STEP_HOST_TO_BEST, "the step from the host to the best guest"},
    {STEP_TO_GUEST, "the step from the matched host to the guest"},
    {STEP_CONFIGURATION, "the configuration step"},
};

static char *
subject_of(const ReportStep *step)
{
    for (gsize i = 0; i < G_N_ELEMENTS(subjects); i++)
        if (strcmp(subjects[i].step, step->name) == 0)
            return g_strdup(subjects[i].subject);
    return g_strdup_printf("the %s", step->name);
}

/* How far a value ratio is from 1, in per cent. */
static double
size_of(double ratio)
{
    return 100 * fabs(ratio - 1);
}

static bool
is_open(const ReportStep *step)
{
    return step->estimate.lo <= 0 && step->estimate.hi >= 0;
}

/* "CI 3.1 ... 4.7 %" of a step that is not open; signed where it is. */
static char *
range_of(const ReportStep *step)
{
    double lo = size_of(step->ratio_lo), hi = size_of(step->ratio_hi);
    g_autofree char *low = report_percent(step->ratio_lo);
    g_autofree char *high = report_percent(step->ratio_hi);

    if (isnan(step->ratio_lo))
        return g_strdup_printf("no interval from %u block%s", step->estimate.n,
                               step->estimate.n == 1 ? "" : "s");
    if (is_open(step))
        return g_strdup_printf("CI %s ... %s", low, high);
    return g_strdup_printf("CI %.1f ... %.1f %%", fmin(lo, hi), fmax(lo, hi));
}

static bool
gives_back(const ReportLadder *ladder, const ReportStep *step)
{
    return step->estimate.est * ladder->total.estimate.est < 0;
}

/* "the virtualisation floor 3.9 % (CI 3.1 ... 4.7 %)", with a verb before the
 * figure unless the step before has the same. */
static void
add_step(const ReportLadder *ladder, const ReportStep *step, const char *verb,
         GString *out)
{
    const char *does = gives_back(ladder, step) ? "gives back " : verb;
    g_autofree char *subject = subject_of(step);
    g_autofree char *range = range_of(step);
    double share = 100 * report_ladder_share(ladder, step);

    g_string_append_printf(out, "%s ", subject);
    if (is_open(step))
        g_string_append_printf(out, "is not told from nothing (%s)", range);
    else if (strcmp(step->name, STEP_CONFIGURATION) == 0 &&
             !gives_back(ladder, step))
        g_string_append_printf(
            out,
            "%s%.1f %% (%.0f %% of the log total, recoverable by tested "
            "settings)",
            does, size_of(step->ratio), share);
    else
        g_string_append_printf(out, "%s%.1f %% (%s)", does,
                               size_of(step->ratio), range);
}

static void
add_steps(const ReportLadder *ladder, const char *verb, GString *out)
{
    const char *needed = verb;

    for (guint i = ladder->steps->len; i-- > 0;) {
        const ReportStep *step = &g_array_index(ladder->steps, ReportStep, i);

        if (i + 1 < ladder->steps->len)
            g_string_append(out, ", ");
        add_step(ladder, step, needed, out);
        if (!is_open(step))
            needed = gives_back(ladder, step) ? verb : "";
    }
}

char *
report_ladder_sentence(const Report *report, const ReportLadder *ladder)
{
    const ReportMetric *metric = report->metrics->pdata[ladder->metric];
    const ReportStep *total = &ladder->total;
    g_autofree char *range = range_of(total);
    g_autoptr(GString) out = g_string_new(NULL);

    if (report->emulated || total->estimate.n < 3 || isnan(total->mean))
        return NULL;
    g_string_append_printf(out, "%s: ", metric->id);
    if (is_open(total)) {
        g_string_append_printf(out,
                               "the baseline guest is not told from the host "
                               "(%s), so there is no loss to share out.",
                               range);
        return g_strdup(out->str);
    }
    if (total->estimate.est > 0) {
        g_string_append_printf(
            out,
            "the baseline guest is better than the host (%s): "
            "something caches for it that the host does not use.",
            range);
        return g_strdup(out->str);
    }
    g_string_append_printf(out, "of the %.1f %% total %s, ",
                           size_of(total->ratio),
                           metric->higher_better ? "loss" : "increase");
    add_steps(ladder, metric->higher_better ? "costs " : "adds ", out);
    g_string_append(out, ". Steps multiply; they do not add.");
    return g_strdup(out->str);
}
