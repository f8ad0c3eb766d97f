/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What counts, what is withheld and how a sweep is graded: the rules that no
 * oracle covers.
 */
#include "report-sweeps.h"

#include "report/format.h"
#include "report/parts.h"

/* A cell's figure for one block of a two-cell sweep. */
static void
put_one(Sweep *sweep, guint block, guint try, const char *cell, double x,
        bool valid, Outcome outcome)
{
    Attempt *attempt = sweep_attempt(sweep, block, cell);

    attempt->try = try;
    AttemptValue *value =
        sweep_value(attempt, "fs.fsync", "fs.fsync.p50", "us", false, x);
    value->valid = valid;
    if (!valid)
        value->reason = g_strdup("steal: 6.1 %");
    if (outcome != OUTCOME_OK)
        attempt_fail(attempt, outcome, "steal: 6.1 %%");
    sweep_put(sweep, attempt);
}

static void
make_two_cells(Sweep *sweep)
{
    common_facts(sweep);
    sweep_facts(sweep, "design", "ofat", "primary", "fs.fsync.p50", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writeback", NULL);
    sweep_cell(sweep, "none", "cell", "none");
    sweep_cell(sweep, "writeback", "cell", "writeback");
    sweep_design(sweep);
}

/* The last valid attempt of a cell and block counts, others never. */
static void
last_valid_attempt(void **state)
{
    Sweep *sweep = *state;

    make_two_cells(sweep);
    put_one(sweep, 1, 1, "none", 500, true, OUTCOME_OK);
    put_one(sweep, 1, 2, "none", 600, true, OUTCOME_OK);
    put_one(sweep, 1, 3, "none", 999, false, OUTCOME_INVALID);
    put_one(sweep, 1, 1, "writeback", 1, true, OUTCOME_PANIC);
    put_one(sweep, 1, 2, "writeback", 300, true, OUTCOME_OK);
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportContrast *c =
        report_contrast(report, 0, "disk.cache", "writeback");
    assert_int_equal(c->estimate.n, 1);
    assert_float_equal(c->ratio, 0.5, 1e-12);
    assert_float_equal(report_cell_value(report, 0, 0)->median, 600, 1e-12);
    assert_string_equal(c->word, "descriptive");
    assert_int_equal(c->verdict, VERDICT_NONE);
}

/* METHOD 14.5: a missing cell costs only the contrasts that use it a block. */
static void
missing_cell_costs_its_block(void **state)
{
    Sweep *sweep = *state;

    make_trouble(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    guint metric = (guint) report_metric(report, "fs.fsync.p50");
    assert_int_equal(
        report_contrast(report, metric, "disk.format", "qcow2")->estimate.n, 4);
    assert_int_equal(
        report_contrast(report, metric, "disk.cache", "writeback")->estimate.n,
        3);
    assert_int_equal(
        report_contrast(report, metric, "disk.cache", "writethrough")
            ->estimate.n,
        0);
    assert_int_equal(report->blocks, 3);
    assert_int_equal(report->cells_measured, 6);
    assert_int_equal(report->cells_planned, 7);
}

static void
discarded_blocks_never_count(void **state)
{
    Sweep *sweep = *state;
    g_autoptr(GError) err = NULL;

    make_two_cells(sweep);
    put_one(sweep, 1, 1, "none", 600, true, OUTCOME_OK);
    put_one(sweep, 1, 1, "writeback", 300, true, OUTCOME_OK);
    put_one(sweep, 2, 1, "none", 600, true, OUTCOME_OK);
    must(store_discard_block(sweep->store, 2, &err));
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(report->blocks, 1);
    assert_int_equal(report->discarded->len, 1);
    g_autofree char *csv = text_of(report, report_runs_csv);
    assert_non_null(strstr(csv, ",600,1000,0,session,"));
    g_autofree char *text = text_of(report, report_text);
    assert_non_null(strstr(text, "set aside"));
}

static void
grades(void **state)
{
    static const struct {
        guint blocks;
        const char *key, *value;
        char grade;
    } cases[] = {
        {8, "seed", "42", 'A'},
        {8, "quick", "yes", 'D'},
        {8, "hygiene", "normal", 'B'},
        {7, "seed", "42", 'B'},
        {5, "seed", "42", 'C'},
        {2, "seed", "42", 'D'},
        {8, "host.cpu.hypervisor", "yes", 'B'},
        {8, "accel", "tcg", 'B'},
    };
    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        void *own = NULL;

        assert_int_equal(sweep_make(&own), 0);
        Sweep *sweep = own;
        begin_storage(sweep);
        sweep_fact(sweep, cases[i].key, cases[i].value);
        sweep_design(sweep);
        put_storage(sweep, cases[i].blocks);
        {
            g_autoptr(Report) report = sweep_load(sweep);

            if (report->grade != cases[i].grade)
                fail_msg("case %zu: %c", i, report->grade);
            /* Emulation stands beside the letter, not among its reasons. */
            assert_int_equal(report->grade_reasons->len == 0,
                             cases[i].grade == 'A' || report->emulated);
        }
        sweep_remove(&own);
    }
}

/* Invalid attempts: more than a tenth of them makes it C. */
static void
grade_of_invalid(void **state)
{
    Sweep *sweep = *state;

    begin_storage(sweep);
    sweep_design(sweep);
    put_storage(sweep, 8);
    for (guint block = 1; block <= 7; block++)
        put_one(sweep, block, 2, "raw/none", 1, false, OUTCOME_INVALID);
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(report->grade, 'C');
    assert_string_equal(report->grade_reasons->pdata[0],
                        "more than 10 % of the attempts invalid");
}

/* METHOD 7.7: a twin that differs takes the trust from everything. */
static void
failed_twin(void **state)
{
    Sweep *sweep = *state;

    begin_storage(sweep);
    sweep_design(sweep);
    for (guint block = 1; block <= 8; block++)
        for (guint i = 0; i < G_N_ELEMENTS(storage_cells); i++) {
            Invented cell = storage_cells[i];

            if (strcmp(cell.cell, "aa") == 0)
                cell.p50 *= 1.3;
            put_invented(sweep, block, &cell, i);
        }
    g_autoptr(Report) report = sweep_load(sweep);
    guint metric = (guint) report_metric(report, "fs.fsync.p50");
    assert_string_equal(report_contrast(report, metric, "aa", "aa")->word,
                        "A/A failed");
    assert_int_equal(report->grade, 'C');
    assert_true(g_str_has_prefix(report->headlines->pdata[0],
                                 "A/A failed: rig not trustworthy."));
    g_autofree char *text = text_of(report, report_text);
    assert_non_null(strstr(text, "A/A FAILED, rig not trustworthy"));
    /* It comes first, so one of the six others has to wait. */
    assert_string_equal(report->findings->pdata[0],
                        report->headlines->pdata[0]);
    assert_int_equal(report->findings_left, 1);
    assert_non_null(strstr(text, "(1 more conclusive in summary.md)"));
}

/* METHOD 6.4, rule 9: not an improvement, unless the sweep asks for it. */
static void
unsafe_levels(void **state)
{
    (void) state;
    for (guint allow = 0; allow < 2; allow++) {
        void *own = NULL;

        assert_int_equal(sweep_make(&own), 0);
        Sweep *sweep = own;
        begin_storage(sweep);
        sweep_fact(sweep, "allow_unsafe", allow ? "yes" : "no");
        sweep_design(sweep);
        put_storage(sweep, 6);
        {
            g_autoptr(Report) report = sweep_load(sweep);
            const ReportContrast *c = report_contrast(
                report, (guint) report_metric(report, "fs.fsync.p50"),
                "disk.cache", "unsafe");

            assert_true(c->ignores_flushes);
            assert_string_equal(c->class_level, "N");
            assert_string_equal(
                c->word, allow ? "better" : "not comparable: flushes ignored");
            assert_int_equal(c->verdict, allow ? VERDICT_BETTER : VERDICT_NONE);
        }
        sweep_remove(&own);
    }
}

/* A full design in which one context ignores flushes, one is excluded and one
 * never worked. */
static void
make_full_with_gaps(Sweep *sweep)
{
    static const char *const formats[] = {"raw", "qcow2"};
    static const char *const caches[] = {"none", "writeback", "unsafe",
                                         "directsync"};

    common_facts(sweep);
    sweep_facts(sweep, "design", "full", "primary", "fs.fsync.p50", NULL);
    sweep_factor(sweep, "disk.format", "raw", "qcow2", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writeback", "unsafe",
                 "directsync", NULL);
    for (guint f = 0; f < 2; f++)
        for (guint c = 0; c < 4; c++) {
            g_autofree char *name =
                g_strdup_printf("%s/%s", formats[f], caches[c]);
            StoreCell *cell =
                sweep_cell(sweep, name, "cell", formats[f], caches[c]);

            if (f == 1 && c == 3) {
                g_free(cell->state);
                cell->state = g_strdup("excluded");
            }
        }
    sweep_design(sweep);
    for (guint block = 1; block <= 8; block++)
        for (guint i = 0; i < sweep->cells->len; i++) {
            const StoreCell *cell = sweep->cells->pdata[i];

            if (strcmp(cell->name, "qcow2/writeback") != 0 &&
                report_cell_planned(cell))
                put_one(sweep, block, 1, cell->name,
                        (i < 4 ? 500 : 550) * wobble(block, i), true,
                        OUTCOME_OK);
        }
}

static void
contexts_used_of_total(void **state)
{
    Sweep *sweep = *state;

    make_full_with_gaps(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportContrast *c =
        report_contrast(report, 0, "disk.format", "qcow2");
    assert_int_equal(c->contexts, 2);       /* none, unsafe */
    assert_int_equal(c->contexts_total, 4); /* every cache mode */
    assert_string_equal(c->class_level, "mixed");
    assert_true(c->ignores_flushes);
    assert_false(c->not_comparable); /* each context compares like with like */
    assert_non_null(strstr(c->note, "cells that ignore flushes are in it"));
    assert_int_equal(c->verdict, VERDICT_WORSE);
    assert_true(
        report_contrast(report, 0, "disk.cache", "unsafe")->not_comparable);
}

/* An included cell differs from no other in one setting alone: it is compared
 * whole, and counts in Holm's family. */
static void
included_cell(void **state)
{
    Sweep *sweep = *state;

    begin_storage(sweep);
    StoreCell *thin = sweep_cell(sweep, "thin", "cell", "qcow2", "writeback");
    g_ptr_array_add(thin->settings, g_strdup("disk.prealloc"));
    g_ptr_array_add(thin->levels, g_strdup("metadata"));
    sweep_design(sweep);
    put_storage(sweep, 6);
    for (guint block = 1; block <= 6; block++) {
        const Invented invented = {"thin", 700, 300};

        put_invented(sweep, block, &invented, 9);
    }
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportContrast *c = report_contrast(report, 0, "cell", "thin");
    assert_non_null(c);
    assert_string_equal(c->base, "raw/none");
    assert_int_equal(((ReportMetric *) report->metrics->pdata[0])->comparisons,
                     5);
    g_autofree char *text = text_of(report, report_text);
    assert_non_null(strstr(text, "whole cells, against raw/none"));
}

/* METHOD 0.1 */
static void
emulation_withholds(void **state)
{
    Sweep *sweep = *state;

    make_emulated(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];
        const ReportMetric *metric = report->metrics->pdata[c->metric];

        if (strcmp(metric->id, "cpu.hash.rate") == 0 &&
            strcmp(c->setting, "aa") != 0) {
            assert_int_equal(c->verdict, VERDICT_NONE);
            assert_string_equal(c->word, "figures only");
        }
    }
    for (guint i = 0; i < report->headlines->len; i++)
        assert_null(strstr(report->headlines->pdata[i], "cpu.hash.rate"));
    g_autofree char *text = text_of(report, report_text);
    g_autofree char *summary = text_of(report, report_markdown);
    assert_non_null(strstr(text, "under emulation (TCG): not a measurement "
                                 "of virtualization"));
    assert_non_null(strstr(summary, "under emulation (TCG): not a measurement "
                                    "of virtualization"));
}

/* Long names are cut or wrapped, never let out of the page. */
static void
long_names_fit(void **state)
{
    static const char *const level =
        "host-passthrough,+avx512f,-avx2,+everything-else-that-fits-in-a-name";
    Sweep *sweep = *state;
    g_autoptr(GError) err = NULL;

    common_facts(sweep);
    sweep_facts(sweep, "design", "ofat", "primary",
                "exec.a-metric-with-a-very-long-name.rate fs.fsync.p50",
                "question", level, "baseline", level, NULL);
    sweep_factor(sweep, "cpu.features", "none", level, NULL);
    sweep_cell(sweep, "none", "cell", "none");
    sweep_cell(sweep, level, "cell", level);
    sweep_cell(sweep, "aa", "aa", "none");
    sweep_design(sweep);
    for (guint block = 1; block <= 6; block++)
        for (guint i = 0; i < 3; i++) {
            const StoreCell *cell = sweep->cells->pdata[i];
            Attempt *attempt = sweep_attempt(sweep, block, cell->name);

            sweep_value(attempt, "exec.a",
                        "exec.a-metric-with-a-very-long-name.rate",
                        "furlongs/fortnight", true,
                        123456789.5 * (1 + 9.0 * i) * wobble(block, i));
            sweep_value(attempt, "fs.fsync", "fs.fsync.p50", "us", false,
                        123456 * wobble(block, i));
            sweep_put(sweep, attempt);
        }
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_text);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++)
        if (g_utf8_strlen(lines[i], -1) > FORMAT_WIDTH)
            fail_msg("too wide: %s", lines[i]);
    g_autoptr(GString) answer = g_string_new(NULL);
    must(report_compare(report, "cpu.features", NULL, "fs.fsync.p50", answer,
                        &err));
    assert_true(format_widest(answer->str) <= FORMAT_WIDTH);
}

static void
files_beside_the_database(void **state)
{
    static const char *const names[] = {"summary.md", "runs.csv",
                                        "contrasts.csv", "interactions.csv",
                                        "report.json"};
    Sweep *sweep = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    must(report_write_files(report, paths, &err));
    assert_int_equal(paths->len, G_N_ELEMENTS(names));
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(sweep->dir, names[i], NULL);

        assert_string_equal(paths->pdata[i], path);
        assert_true(g_file_test(path, G_FILE_TEST_IS_REGULAR));
    }
}

static void
no_database(void **state)
{
    Sweep *sweep = *state;
    g_autoptr(GError) err = NULL;
    g_autofree char *path = g_build_filename(sweep->dir, "none.db", NULL);

    assert_null(report_load(path, &err));
    assert_non_null(err);
    assert_non_null(strstr(err->message, path));
}

static void
times_line(void **state)
{
    Sweep *sweep = *state;

    make_empty(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *line = text_of(report, report_times);
    assert_string_equal(line, "time: prepare 12s  boot 2m10s  measure 3m40s  "
                              "stop 40s  images 65s  wait 12s  other 2m11s  "
                              "(measured 36 %)\n");
    g_autofree char *text = text_of(report, report_text);
    const char *last = g_strrstr(text, "\ntime: ");
    assert_non_null(last);
    assert_non_null(strstr(last, "other 2m11s (measured 36 %)\n"));
    assert_int_equal(g_strrstr(text, "\n") - strchr(last + 1, '\n'), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(last_valid_attempt),
        TEST(missing_cell_costs_its_block),
        TEST(discarded_blocks_never_count),
        cmocka_unit_test(grades),
        TEST(grade_of_invalid),
        TEST(failed_twin),
        cmocka_unit_test(unsafe_levels),
        TEST(contexts_used_of_total),
        TEST(included_cell),
        TEST(emulation_withholds),
        TEST(long_names_fit),
        TEST(files_beside_the_database),
        TEST(no_database),
        TEST(times_line),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-rules", tests, NULL, NULL);
}
