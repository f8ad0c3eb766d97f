/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a metric has nothing to compare, in one line instead of an empty table.
 */
#include "report/text.h"

#include <string.h>
#include "guest-payload/catalogue.h"
#include "report/format.h"
#include "report/parts.h"
#include "stats/histogram.h"

bool
report_metric_compared(const Report *report, guint metric)
{
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];

        if (c->metric == metric && c->estimate.n > 0)
            return true;
    }
    return false;
}

/* How many operations a percentile takes (METHOD 6.3). */
static gint64
operations_needed(double percentile)
{
    gint64 n = 1;

    while (percentile < 100 && !histogram_supports(n, percentile))
        n++;
    return n;
}

/* A value that was measured and is unusable, and the most operations behind
 * one: how far away it is. */
static const StoreValue *
unusable_value(const Report *report, const char *id)
{
    const StoreValue *most = NULL;

    for (guint i = 0; i < report->values->len; i++) {
        const StoreValue *value = report->values->pdata[i];

        if (strcmp(value->metric, id) == 0 && !value->valid &&
            value->outcome == OUTCOME_OK && (!most || value->n > most->n))
            most = value;
    }
    return most;
}

char *
report_no_data_text(const Report *report, guint metric)
{
    const ReportMetric *info = report->metrics->pdata[metric];
    const MetricInfo *known = catalogue_metric(info->id, NULL);
    const StoreValue *value = unusable_value(report, info->id);
    double percentile = known ? known->percentile : 0;
    g_autofree char *id = format_safe(info->id);
    g_autofree char *reason = format_safe(value ? value->reason : NULL);

    if (value && percentile > 0 && !histogram_supports(value->n, percentile))
        return g_strdup_printf("%s: no data: needs %" G_GINT64_FORMAT
                               " operations an attempt, "
                               "had %" G_GINT64_FORMAT " at most",
                               id, operations_needed(percentile), value->n);
    return g_strdup_printf("%s: no data: %s", id,
                           *reason ? reason
                                   : "no block has two cells to compare");
}
