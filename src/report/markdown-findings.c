/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In summary.md, what a sweep says beyond single contrasts: interactions,
 * drift, the best cells, shares of the variance.
 */
#include "report/markdown.h"

#include <math.h>
#include "base/table.h"
#include "report/format.h"
#include "report/parts.h"
#include "report/text.h"

/* Columns of the widest table. */
#define COLUMNS_MAX 10

/* One row of texts for Markdown, escaped. */
typedef struct Cells {
    char *texts[COLUMNS_MAX];
    guint n;
} Cells;

static void
cells_clear(Cells *cells)
{
    for (guint i = 0; i < cells->n; i++)
        g_free(cells->texts[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cells, cells_clear)

/* Takes the text. */
static void
add(Cells *cells, char *text)
{
    g_autofree char *owned = text;

    cells->texts[cells->n++] = format_markdown(owned);
}

static void
add_metric(Cells *cells, const Report *report, guint metric)
{
    add(cells, g_strdup(((ReportMetric *) report->metrics->pdata[metric])->id));
}

static void
add_row(Table *table, const Cells *cells)
{
    table_add(table, (const char *const *) cells->texts);
}

/* "1.17 [1.13, 1.21]" */
static char *
ratio_text(double ratio, double lo, double hi)
{
    if (isnan(lo))
        return g_strdup_printf("%.3f", ratio);
    return g_strdup_printf("%.3f [%.3f, %.3f]", ratio, lo, hi);
}

static char *
gain_text(double ratio, double lo, double hi)
{
    g_autofree char *percent = report_percent(ratio);
    g_autofree char *interval = format_interval(lo, hi);

    return g_strdup_printf("%s %s", percent, isnan(lo) ? "" : interval);
}

static char *
level_text(const char *setting, const char *level, const char *base)
{
    return g_strdup_printf("%s=%s vs %s", setting, level, base);
}

static char *
range_text(double at_base, double at_level)
{
    g_autofree char *base = report_percent(at_base);
    g_autofree char *level = report_percent(at_level);

    return g_strdup_printf("%s, %s", base, level);
}

static void
add_interactions(const Report *report, GString *out)
{
    static const char *const headings[] = {
        "metric",   "a", "b", "ratio of ratios", "a at b's levels",
        "contexts", "n", "p", "better",          "depends"};
    static const TableAlign align[G_N_ELEMENTS(headings)] = {0};
    g_autoptr(Table) table = table_new(G_N_ELEMENTS(headings), headings, align);

    if (report->interactions->len == 0)
        return;
    for (guint i = 0; i < report->interactions->len; i++) {
        const ReportInteraction *x = report->interactions->pdata[i];
        const ReportMetric *metric = report->metrics->pdata[x->metric];
        g_auto(Cells) row = {.n = 0};

        add_metric(&row, report, x->metric);
        add(&row, level_text(x->setting_a, x->level_a, x->base_a));
        add(&row, level_text(x->setting_b, x->level_b, x->base_b));
        add(&row, ratio_text(x->ratio, x->ratio_lo, x->ratio_hi));
        add(&row, range_text(x->a_at_base, x->a_at_level));
        add(&row, g_strdup_printf("%u", x->contexts));
        add(&row, g_strdup_printf("%u", x->estimate.n));
        add(&row, format_p(x->p_adjusted));
        add(&row, g_strdup(format_better(metric->higher_better)));
        add(&row, g_strdup(report_figures_only(report, metric) ? "figures only"
                           : x->flagged                        ? "yes"
                                                               : "not shown"));
        add_row(table, &row);
    }
    g_string_append(out, "\n## Interactions (p Holm-adjusted within a metric's "
                         "interactions)\n\n");
    table_format_markdown(table, out);
}

static void
add_drifts(const Report *report, GString *out)
{
    static const char *const headings[] = {
        "metric",           "runs",        "step",          "p (Pettitt)",
        "trend over sweep", "p (Kendall)", "a place later", "drift"};
    static const TableAlign align[G_N_ELEMENTS(headings)] = {0};
    g_autoptr(Table) table = table_new(G_N_ELEMENTS(headings), headings, align);

    if (report->drifts->len == 0)
        return;
    for (guint i = 0; i < report->drifts->len; i++) {
        const ReportDrift *d = report->drifts->pdata[i];
        const ReportMetric *metric = report->metrics->pdata[d->metric];
        g_autofree char *step = report_percent(report_ratio(metric, d->shift));
        g_auto(Cells) row = {.n = 0};

        add_metric(&row, report, d->metric);
        add(&row, g_strdup_printf("%u", d->n));
        add(&row,
            d->pettitt.p < DRIFT_ALPHA
                ? g_strdup_printf("%s from block %u%s%s", step, d->block,
                                  d->when ? ", " : "", d->when ? d->when : "")
                : g_strdup("-"));
        add(&row, format_p(d->pettitt.p));
        add(&row, report_percent(report_ratio(metric, d->slope * (d->n - 1))));
        add(&row, format_p(d->kendall.p));
        add(&row, report_percent(report_ratio(metric, d->position)));
        add(&row, g_strdup(d->drifted  ? "yes"
                           : d->tested ? "not shown"
                                       : "not tested"));
        add_row(table, &row);
    }
    g_string_append(out,
                    "\n## Drift of the baseline, its twin and the host\n\n");
    table_format_markdown(table, out);
    g_string_append_printf(
        out, "\np below %g is drift: " REPORT_DRIFTED ".%s\n", DRIFT_ALPHA,
        report_drift_tested(report) ? "" : " " REPORT_DRIFT_UNTESTED);
}

static char *
picks_text(const Report *report, const ReportBest *best)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < best->picks->len; i++) {
        const ReportPick *pick = &g_array_index(best->picks, ReportPick, i);
        const StoreCell *cell = report->cells->pdata[pick->place];

        g_string_append_printf(out, "%s%s %u", i ? ", " : "", cell->name,
                               pick->count);
    }
    return g_strdup(out->str);
}

static void
add_bests(const Report *report, GString *out)
{
    static const char *const headings[] = {
        "metric",           "best cell",          "of",
        "chosen in blocks", "gain, cross-fitted", "n",
        "better",           "naive gain (biased)"};
    static const TableAlign align[G_N_ELEMENTS(headings)] = {0};
    g_autoptr(Table) table = table_new(G_N_ELEMENTS(headings), headings, align);
    guint rows = 0;

    for (guint i = 0; i < report->bests->len; i++) {
        const ReportBest *b = report->bests->pdata[i];
        const ReportMetric *metric = report->metrics->pdata[b->metric];
        const StoreCell *cell = report->cells->pdata[b->place];
        g_autofree char *text = report_best_text(report, b);
        g_auto(Cells) row = {.n = 0};

        if (!text)
            continue;
        rows++;
        add_metric(&row, report, b->metric);
        add(&row, g_strdup(b->estimate.lo > 0 ? cell->name : "none shown"));
        add(&row, g_strdup_printf("%u", b->candidates));
        add(&row, picks_text(report, b));
        add(&row, gain_text(b->ratio, b->ratio_lo, b->ratio_hi));
        add(&row, g_strdup_printf("%u", b->estimate.n));
        add(&row, g_strdup(format_better(metric->higher_better)));
        add(&row, report_percent(report_ratio(metric, b->naive_gain)));
        add_row(table, &row);
    }
    if (rows == 0)
        return;
    g_string_append(out, "\n## Best cell against the baseline, scored on other "
                         "blocks than it was chosen on\n\n");
    table_format_markdown(table, out);
}

static void
add_shares(const Report *report, GString *out)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < report->shares->len; i++) {
        const ReportShares *shares = report->shares->pdata[i];
        const ReportMetric *metric = report->metrics->pdata[shares->metric];
        g_autofree char *text = report_shares_text(report, shares);

        if (text)
            g_ptr_array_add(texts, g_strdup_printf("%s: %s", metric->id, text));
    }
    markdown_bullets(out, "Shares of the differences", texts);
}

static void
add_confirmation(const Report *report, GString *out)
{
    g_autofree char *line = report_confirmation(report);
    g_autofree char *safe = format_safe(line);

    if (line)
        g_string_append_printf(
            out, "\n## Confirm with this line in the matrix\n\n    %s\n", safe);
}

void
markdown_findings(const Report *report, GString *out)
{
    add_confirmation(report, out);
    add_interactions(report, out);
    add_shares(report, out);
    add_bests(report, out);
    add_drifts(report, out);
}
