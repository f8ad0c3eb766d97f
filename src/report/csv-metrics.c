/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metrics of a CSV file: which way is better, the unit, the band, and
 * which of them are primary.  What the options say comes first, then what the
 * file says, then the catalogue of workloads.
 */
#include "report/csv-input.h"

#include <string.h>
#include "base/suggest.h"
#include "guest-payload/catalogue.h"

/* Equivalence band of a metric nobody set one for. */
#define DELTA_DEFAULT 0.02

/* The first text that a metric has in a column of a tidy file, or the only
 * one in a wide file; NULL. */
static const char *
text_of(const CsvInput *input, Role role, guint row)
{
    return input->role[role] ? long_text(input->role[role], row) : NULL;
}

/* A name that speaks of time is one of cost, unless it is a rate. */
static bool
names_time(const char *id)
{
    static const char *const times[] = {
        "seconds",  "second",  "secs",  "msec", "usec",
        "nsec",     "ms",      "us",    "ns",   "latency",
        "duration", "elapsed", "delay", "time", NULL};
    g_autofree char *lower = g_ascii_strdown(id, -1);
    g_auto(GStrv) words = g_strsplit_set(lower, "_-./ ()[]", -1);
    bool any = false;

    for (guint i = 0; words[i]; i++)
        any = any || g_strv_contains(times, words[i]);
    return any && !g_strv_contains((const char *const *) words, "per");
}

static bool
higher_better(const CsvInput *input, const char *id, const MetricInfo *info,
              guint row, bool *ret_assumed)
{
    const CsvOptions *options = input->options;
    const char *better = text_of(input, ROLE_BETTER, row);

    *ret_assumed = false;
    if (csv_listed(options->lower, id))
        return false;
    if (csv_listed(options->higher, id))
        return true;
    if (better)
        return g_ascii_strcasecmp(better, "lower") != 0;
    *ret_assumed = !info;
    return info ? info->better == BETTER_HIGHER : !names_time(id);
}

static bool
is_primary(const CsvInput *input, const char *id, const MetricInfo *info)
{
    if (input->options->primary)
        return csv_listed(input->options->primary, id);
    return !info || info->primary;
}

static void
add_metric(CsvInput *input, const char *id, const LongColumn *numbers,
           guint32 code, guint row)
{
    const WorkloadInfo *workload = NULL;
    const MetricInfo *info = catalogue_metric(id, &workload);
    const char *unit = text_of(input, ROLE_UNIT, row);
    const char *group = text_of(input, ROLE_WORKLOAD, row);
    ReportMetric *metric = g_new0(ReportMetric, 1);
    CsvMetric measured = {.metric = metric, .numbers = numbers, .code = code};
    double delta = input->options->delta;

    metric->id = g_strdup(id);
    metric->workload = g_strdup(group ? group : info ? workload->name : id);
    metric->unit = g_strdup(unit ? unit : info ? info->unit : "");
    metric->higher_better =
        higher_better(input, id, info, row, &measured.assumed);
    metric->delta = delta > 0 ? delta : info ? info->delta : DELTA_DEFAULT;
    metric->primary = is_primary(input, id, info);
    metric->write_path = info && workload->write_path;
    metric->needs_disk = info && workload->needs_disk;
    g_ptr_array_add(input->report->metrics, metric);
    g_array_append_val(input->measured, measured);
}

/* The metrics of a tidy file, by first appearance. */
static void
add_tidy(CsvInput *input)
{
    const LongColumn *names = input->role[ROLE_METRIC];
    const char *wanted = input->options->metrics;
    g_autofree bool *seen = g_new0(bool, names->levels->len + 1);

    for (guint i = 0; i < longform_rows(input->form); i++) {
        guint32 code = long_code(names, i);

        if (code == LONG_NO_TEXT || seen[code])
            continue;
        seen[code] = true;
        if (!wanted || csv_listed(wanted, names->levels->pdata[code]))
            add_metric(input, names->levels->pdata[code],
                       input->role[ROLE_VALUE], code, i);
    }
}

static void
add_wide(CsvInput *input)
{
    for (guint i = 0; i < input->metrics->len; i++) {
        const LongColumn *column = input->metrics->pdata[i];

        add_metric(input, column->name, column, 0, 0);
    }
}

/* Every metric of an option has to be one of the file's. */
static void
check_option(const CsvInput *input, const char *option, const char *list)
{
    g_auto(GStrv) words = csv_words(list);
    g_autoptr(GPtrArray) ids = g_ptr_array_new();

    for (guint i = 0; i < input->report->metrics->len; i++)
        g_ptr_array_add(
            ids, ((ReportMetric *) input->report->metrics->pdata[i])->id);
    g_ptr_array_add(ids, NULL);
    for (guint i = 0; words[i]; i++) {
        const char *near =
            suggest_name(words[i], (const char *const *) ids->pdata);
        g_autofree char *all = g_strjoinv(", ", (GStrv) ids->pdata);

        if (strcmp(words[i], "all") != 0 &&
            report_metric(input->report, words[i]) < 0)
            csv_problems_add(input->problems, 0, NULL,
                             "no metric '%s' for %s; %s%s%s", words[i], option,
                             near ? "did you mean '" : "there are: ",
                             near ? near : all, near ? "'?" : "");
    }
}

static void
check_better(const CsvInput *input)
{
    const LongColumn *column = input->role[ROLE_BETTER];

    for (guint i = 0; column && i < column->levels->len; i++) {
        const char *word = column->levels->pdata[i];

        if (g_ascii_strcasecmp(word, "higher") != 0 &&
            g_ascii_strcasecmp(word, "lower") != 0)
            csv_problems_add(
                input->problems, longform_line_of(input->form, column, i),
                column->name, "'%s' is neither higher nor lower", word);
    }
}

bool
csv_metrics_make(CsvInput *input)
{
    const CsvOptions *options = input->options;
    guint before = input->problems->lines->len;

    if (input->role[ROLE_METRIC])
        add_tidy(input);
    else
        add_wide(input);
    check_better(input);
    check_option(input, "--metric", options->metrics);
    check_option(input, "--lower-is-better", options->lower);
    check_option(input, "--higher-is-better", options->higher);
    check_option(input, "--primary", options->primary);
    return input->problems->lines->len == before;
}
