/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which contrasts are known well enough: see report/precision.h. */
#include "report/precision.h"

#include <math.h>
#include <string.h>
#include "report/parts.h"
#include "stats/precision.h"

/* The precision of the matrix, or 0. */
static double
asked(const Report *report)
{
    const char *fact = report_fact(report, "precision");
    double ratio = fact ? g_ascii_strtod(fact, NULL) : 0;

    return isfinite(ratio) && ratio > 0 ? ratio : 0;
}

double
report_half_width(const Report *report, const ReportMetric *metric)
{
    double ratio = asked(report);

    return ratio > 0 ? log1p(ratio) : precision_half_band(metric->delta);
}

double
report_half_percent(const Report *report, const ReportMetric *metric)
{
    double ratio = asked(report);

    return 100 * (ratio > 0 ? ratio : metric->delta / 2);
}

bool
report_resolved(const Report *report, const ReportContrast *contrast)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];

    return precision_resolved(&contrast->estimate,
                              report_half_width(report, metric));
}

static bool
is_waited_for(const Report *report, const ReportContrast *contrast)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];

    return metric->primary && strcmp(contrast->setting, "aa") != 0 &&
           strcmp(contrast->setting, "host") != 0 && contrast->estimate.n > 0 &&
           !contrast->stuck && !contrast->not_comparable &&
           !report_figures_only(report, metric);
}

ReportPrecision
report_precision(const Report *report)
{
    ReportPrecision precision = {0};
    guint most = 0;

    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *contrast = report->contrasts->pdata[i];

        if (!is_waited_for(report, contrast))
            continue;
        precision.waited++;
        if (report_resolved(report, contrast)) {
            precision.resolved++;
        } else if (contrast->blocks_needed > most) {
            most = contrast->blocks_needed;
            precision.farthest = contrast;
        }
    }
    return precision;
}

char *
report_precision_text(const Report *report)
{
    ReportPrecision precision = report_precision(report);
    double ratio = asked(report);
    g_autofree char *wanted = ratio > 0 ? g_strdup_printf("±%g %%", ratio * 100)
                                        : g_strdup("half of their bands");

    if (precision.waited == 0)
        return NULL;
    return g_strdup_printf("%u of %u contrast%s resolved to %s",
                           precision.resolved, precision.waited,
                           precision.waited == 1 ? "" : "s", wanted);
}

char *
report_contrast_label(const Report *report, const ReportContrast *contrast)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];
    bool whole = strcmp(contrast->setting, "cell") == 0;

    return g_strdup_printf("%s%s%s, %s", contrast->setting, whole ? " " : "=",
                           contrast->level, metric->id);
}
