/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report from a CSV file: see from-csv.h. */
#include "report/from-csv.h"

#include <string.h>
#include "report/csv-input.h"
#include "report/text.h"

/* Runs of one cell without blocks: their pairs with another's are held, and
 * 2^24 of them are 128 MiB. */
#define UNBLOCKED_RUNS_MAX 4096u

static CsvInput
input_new(const char *path, const CsvOptions *options)
{
    return (CsvInput){.options = options,
                      .problems = csv_problems_new(
                          strcmp(path, "-") == 0 ? "standard input" : path),
                      .report = report_new(path),
                      .settings = g_ptr_array_new(),
                      .metrics = g_ptr_array_new(),
                      .unused = g_ptr_array_new(),
                      .measured = g_array_new(FALSE, FALSE, sizeof(CsvMetric))};
}

static void
input_clear(CsvInput *input)
{
    csv_problems_free(input->problems);
    longform_free(input->form);
    report_free(input->report);
    g_ptr_array_unref(input->settings);
    g_ptr_array_unref(input->metrics);
    g_ptr_array_unref(input->unused);
    g_array_unref(input->measured);
    g_free(input->cell);
    g_free(input->block);
    g_free(input->run);
    g_free(input->item);
    g_free(input->cell_row);
    g_free(input->run_row);
    g_free(input->try);
    g_free(input->run_valid);
    g_free(input->item_value);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CsvInput, input_clear)

/* What results.db would have brought. */
static void
prepare_tables(Report *report)
{
    report->facts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    report->cells =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_cell_free);
    report->factors =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_factor_free);
    report->runs =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_run_free);
    report->values =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_value_free);
    report->gates =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_gate_free);
}

static void
set_fact(Report *report, const char *key, const char *value)
{
    g_hash_table_insert(report->facts, g_strdup(key), g_strdup(value));
}

static guint
settings_off_baseline(const Report *report, const StoreCell *cell,
                      const StoreCell *baseline)
{
    guint off = 0;

    for (guint i = 0; i < report->factors->len; i++) {
        const StoreFactor *factor = report->factors->pdata[i];

        off += g_strcmp0(report_cell_level(cell, factor->setting),
                         report_cell_level(baseline, factor->setting)) != 0;
    }
    return off;
}

/* The design that has these cells: all combinations; one setting off the
 * baseline at a time; that and more; anything else. */
static const char *
design_of(const Report *report)
{
    const StoreCell *baseline =
        report->cells->pdata[report_cell_of(report, "baseline")];
    guint cells = 0, alone = 0, levels = 0;
    guint64 product = 1;

    for (guint i = 0; i < report->factors->len; i++) {
        guint n = ((StoreFactor *) report->factors->pdata[i])->levels->len;

        product = MIN(product * n, CSV_CELLS_MAX + 1);
        levels += n - 1;
    }
    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        if (strcmp(cell->kind, "cell") != 0)
            continue;
        cells++;
        alone += settings_off_baseline(report, cell, baseline) == 1;
    }
    if (report->factors->len == 0)
        return "list";
    if (cells == product)
        return "full";
    if (alone == levels)
        return cells == 1 + alone ? "ofat" : "star+pairs";
    return "pairwise";
}

/* "cache=none io=native", or the name of a cell without settings. */
static char *
baseline_text(const Report *report)
{
    const StoreCell *baseline =
        report->cells->pdata[report_cell_of(report, "baseline")];
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < report->factors->len; i++) {
        const char *setting =
            ((StoreFactor *) report->factors->pdata[i])->setting;

        g_string_append_printf(out, "%s%s=%s", out->len ? " " : "", setting,
                               report_cell_level(baseline, setting));
    }
    return g_strdup(out->len ? out->str : baseline->name);
}

/* Directions that nobody gave. */
static void
set_assumed(const CsvInput *input)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint m = 0; m < input->measured->len; m++) {
        const CsvMetric *metric = &g_array_index(input->measured, CsvMetric, m);

        if (metric->assumed)
            g_string_append_printf(out, "%s%s: %s is better",
                                   out->len ? ", " : "", metric->metric->id,
                                   metric->metric->higher_better ? "higher"
                                                                 : "lower");
    }
    if (out->len > 0)
        g_string_append(out, " (--lower-is-better, --higher-is-better say "
                             "otherwise)");
    set_fact(input->report, "assumed", out->str);
}

static void
set_facts(const CsvInput *input, const char *path)
{
    Report *report = input->report;
    const LongColumn *accel = input->role[ROLE_ACCEL];
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *columns = csv_columns_text(input);
    g_autofree char *baseline = baseline_text(report);

    set_fact(report, "matrix.name", name);
    set_fact(report, "source", "csv");
    set_fact(report, "columns", columns);
    set_fact(report, "design", design_of(report));
    set_fact(report, "baseline", baseline);
    set_assumed(input);
    if (report->unblocked)
        set_fact(report, "comparison", REPORT_UNBLOCKED);
    set_fact(report, "baseline.why",
             report_cell_of(report, "aa") < 0 || input->settings->len == 0
                 ? "first cell of the file"
                 : "the twin has its levels");
    set_fact(report, "baseline.given", input->options->baseline ? "yes" : "no");
    if (accel && accel->levels->len == 1)
        set_fact(report, "accel", accel->levels->pdata[0]);
    report_note_accel(report);
}

/* Blocks are there when a column names them; one alone, or one cell alone,
 * needs none. */
static bool
check_blocks(CsvInput *input)
{
    guint cells = 0;

    for (guint i = 0; i < input->report->cells->len; i++)
        cells += !((StoreCell *) input->report->cells->pdata[i])->baseline;
    input->report->unblocked =
        cells > 0 && (input->options->unblocked ||
                      (!input->role[ROLE_BLOCK] && input->n_blocks > 1));
    if (input->report->unblocked && input->n_blocks > UNBLOCKED_RUNS_MAX)
        csv_problems_add(input->problems, 0, NULL,
                         "%u runs of a cell without blocks, at most %u: what "
                         "was run together belongs in a column `block`",
                         input->n_blocks, UNBLOCKED_RUNS_MAX);
    return input->problems->lines->len == 0;
}

/* Each step needs those before it; the problems of one come out together. */
static bool
make_parts(CsvInput *input, const char *path)
{
    csv_columns_settle(input);
    if (input->problems->lines->len > 0 || !csv_rows_number(input) ||
        !csv_cells_make(input) || !csv_metrics_make(input) ||
        !csv_runs_begin(input) || !csv_values_make(input))
        return false;
    csv_levels_make(input);
    csv_runs_make(input);
    if (!check_blocks(input))
        return false;
    set_facts(input, path);
    report_count_progress(input->report);
    return true;
}

Report *
report_from_csv(const char *path, const CsvOptions *options, GError **err)
{
    g_auto(CsvInput) input = input_new(path, options);
    LongForm *form = NULL;

    prepare_tables(input.report);
    form = longform_read(path, options->delimiter, csv_columns_types, &input,
                         input.problems, err);
    input.form = form;
    if (!form || !csv_problems_check(input.problems, err))
        return NULL;
    if (!make_parts(&input, path)) {
        csv_problems_check(input.problems, err);
        return NULL;
    }
    report_conclude(input.report);
    return g_steal_pointer(&input.report);
}
