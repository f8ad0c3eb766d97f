/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See local.h: progress and the table of figures.
 */
#include "guest-payload/local.h"

#include <string.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"

void
local_begin(LocalView *view)
{
    view->progress = isatty(STDERR_FILENO);
    if (view->progress)
        fputs(ERASE_LINE "preparing", stderr);
}

void
local_end(LocalView *view)
{
    if (view->progress)
        fputs(ERASE_LINE, stderr);
}

void
local_on_phase(const Run *run, void *data)
{
    LocalView *view = data;

    view->current += run->sample_count == 0; /* its first window */
    if (view->progress)
        fprintf(stderr, ERASE_LINE "[%d/%d] %s: %s", view->current, view->total,
                run->info->name, run->phase);
}

static Figure
figure_of(const Run *run, const MetricInfo *metric)
{
    Figure figure = {.metric = metric};

    if (metric->percentile > 0 && run->hist) {
        figure.n = (int64_t) run->hist->n;
        figure.supported = hist_supports(run->hist->n, metric->percentile);
        /* ns to us */
        figure.value =
            (double) hist_percentile(run->hist, metric->percentile) / 1e3;
        return figure;
    }
    for (int i = 0; i < run->sample_count; i++)
        if (strcmp(run->samples[i].metric, metric->id) == 0) {
            figure.n = run->samples[i].n;
            figure.value = run->samples[i].value;
            figure.supported = true;
        }
    return figure;
}

void
local_on_result(const Run *run, void *data)
{
    LocalView *view = data;

    for (const MetricInfo *m = run->info->metrics; m->id; m++)
        view->figures[view->count++] = figure_of(run, m);
}

void
local_on_error(const WorkloadInfo *info, const Fail *what, void *data)
{
    LocalView *view = data;

    fprintf(stderr, "%svsweep-payload: %s failed: %s\n",
            view->progress ? ERASE_LINE : "", info->name, what->text);
}

/* Four significant digits, without an exponent. */
static void
format_value(double value, char *text, size_t size)
{
    int decimals = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;

    snprintf(text, size, "%.*f", decimals, value);
}

void
local_print(const LocalView *view, FILE *out)
{
    if (!view->count)
        return;
    fprintf(out, "%-20s %14s %-7s %10s  %s\n", "METRIC", "VALUE", "UNIT", "N",
            "BETTER");
    for (int i = 0; i < view->count; i++) {
        const Figure *figure = &view->figures[i];
        char value[64] = "n/a";
        if (figure->supported)
            format_value(figure->value, value, sizeof(value));
        fprintf(out, "%-20s %14s %-7s %10lld  %s%s\n", figure->metric->id,
                value, figure->metric->unit, (long long) figure->n,
                figure->metric->better == BETTER_HIGHER ? "higher" : "lower",
                figure->supported ? "" : " (too few operations)");
    }
}
