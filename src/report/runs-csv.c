/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runs.csv (METHOD 7.11): one line per run and metric with the level of every
 * setting, enough to repeat the analysis elsewhere or with `vsweep analyze`.
 */
#include "report/csv-fields.h"

#include <string.h>
#include "report/parts.h"

/* workload to n_samples: what a run without a value has not. */
#define VALUE_FIELDS 6

typedef struct Writer {
    const Report *report;
    GString *out;
    GPtrArray *settings;   /* const char *: that some cell was given */
    GHashTable *spans;     /* attempt -> ReportSpan * */
    GHashTable *has_value; /* attempt */
} Writer;

static void
writer_clear(Writer *writer)
{
    g_ptr_array_unref(writer->settings);
    g_hash_table_unref(writer->spans);
    g_hash_table_unref(writer->has_value);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Writer, writer_clear)

static void
add_settings(const StoreCell *cell, GPtrArray *settings)
{
    for (guint k = 0; k < cell->settings->len; k++)
        if (!g_ptr_array_find_with_equal_func(
                settings, cell->settings->pdata[k], g_str_equal, NULL))
            g_ptr_array_add(settings, cell->settings->pdata[k]);
}

static void
note_attempts(const GPtrArray *values, GHashTable *has_value)
{
    for (guint i = 0; i < values->len; i++)
        g_hash_table_add(has_value,
                         &((StoreValue *) values->pdata[i])->attempt);
}

static Writer
writer_new(const Report *report, GString *out)
{
    Writer writer = {.report = report,
                     .out = out,
                     .settings = g_ptr_array_new(),
                     .spans = g_hash_table_new(g_int64_hash, g_int64_equal),
                     .has_value =
                         g_hash_table_new(g_int64_hash, g_int64_equal)};

    for (guint i = 0; i < report->cells->len; i++)
        add_settings(report->cells->pdata[i], writer.settings);
    for (guint i = 0; i < report->runs->len; i++)
        g_hash_table_insert(writer.spans,
                            &((StoreRun *) report->runs->pdata[i])->id,
                            &g_array_index(report->spans, ReportSpan, i));
    note_attempts(report->values, writer.has_value);
    note_attempts(report->discarded, writer.has_value);
    return writer;
}

/* From the campaign to the tile: what identifies an attempt. */
static void
add_run(const Writer *writer, guint block, guint pos, guint try,
        const StoreCell *cell)
{
    GString *out = writer->out;

    csv_text(out, report_fact(writer->report, "matrix.name"));
    csv_count(out, 1); /* session: one until hosts are rebooted on purpose */
    csv_count(out, block);
    csv_count(out, pos);
    csv_count(out, try);
    csv_text(out, cell ? cell->name : "");
    csv_text(out, cell ? cell->kind : "");
    csv_count(out, 0); /* tile: one guest at a time */
}

static void
add_time(GString *out, gint64 time)
{
    if (time > 0)
        csv_count(out, time);
    else
        csv_text(out, "");
}

/* A level that is the empty text is written as in a matrix. */
static void
add_level(GString *out, const StoreCell *cell, const char *setting)
{
    const char *level = cell ? report_cell_level(cell, setting) : NULL;

    csv_text(out, level && !*level ? "''" : level);
}

/* From the class to the end. */
static void
add_run_end(const Writer *writer, const StoreCell *cell, gint64 attempt)
{
    const ReportSpan *span = g_hash_table_lookup(writer->spans, &attempt);
    GString *out = writer->out;

    csv_text(out, cell ? report_cell_class(cell) : "");
    add_time(out, span ? span->begin : 0);
    add_time(out, span ? span->end : 0);
    csv_text(out, csv_accel(writer->report));
    for (guint i = 0; i < writer->settings->len; i++)
        add_level(out, cell, writer->settings->pdata[i]);
    csv_end_line(out);
}

/* The catalogue's direction where the report uses it. */
static bool
better_of(const Report *report, const StoreValue *value)
{
    int metric = report_metric(report, value->metric);

    if (metric < 0)
        return value->higher_better;
    return ((ReportMetric *) report->metrics->pdata[metric])->higher_better;
}

static void
add_value(const Writer *writer, const StoreValue *value)
{
    const StoreCell *cell = report_cell(writer->report, value->cell);
    const char *why = value->reason  ? value->reason
                      : value->valid ? NULL
                                     : outcome_name(value->outcome);
    GString *out = writer->out;

    add_run(writer, value->block, value->pos, value->try, cell);
    csv_text(out, value->workload);
    csv_text(out, value->metric);
    csv_text(out, value->unit);
    csv_text(out, better_of(writer->report, value) ? "higher" : "lower");
    csv_number(out, value->value);
    csv_count(out, value->n);
    csv_count(out, value->valid);
    csv_text(out, why);
    add_run_end(writer, cell, value->attempt);
}

/* An attempt that left no value is a line of its own: failure is data. */
static void
add_empty_run(const Writer *writer, const StoreRun *run)
{
    const StoreCell *cell = report_cell(writer->report, run->cell);
    g_autofree char *why =
        g_strdup_printf("%s%s%s%s", run->discarded ? "session; " : "",
                        outcome_name(run->outcome), run->reason ? ": " : "",
                        run->reason ? run->reason : "");

    add_run(writer, run->block, run->pos, run->try, cell);
    for (guint i = 0; i < VALUE_FIELDS; i++)
        csv_text(writer->out, "");
    csv_count(writer->out, 0);
    csv_text(writer->out, why);
    add_run_end(writer, cell, run->id);
}

void
report_runs_csv(const Report *report, GString *out)
{
    g_auto(Writer) writer = writer_new(report, out);

    g_string_append(
        out, "campaign,session,block,pos,attempt,cell_id,kind,tile,workload,"
             "metric,unit,better,value,n_samples,valid,reason,class,"
             "t_start_ns,t_end_ns,accel,");
    for (guint i = 0; i < writer.settings->len; i++)
        csv_text(out, writer.settings->pdata[i]);
    csv_end_line(out);
    for (guint i = 0; i < report->values->len; i++)
        add_value(&writer, report->values->pdata[i]);
    for (guint i = 0; i < report->discarded->len; i++)
        add_value(&writer, report->discarded->pdata[i]);
    for (guint i = 0; i < report->runs->len; i++) {
        const StoreRun *run = report->runs->pdata[i];

        if (!g_hash_table_contains(writer.has_value, &run->id))
            add_empty_run(&writer, run);
    }
}
