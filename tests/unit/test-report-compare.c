/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One setting, one metric: the answer, and errors that help. */
#include "report-sweeps.h"

#include <jansson.h>
#include "report/format.h"

static char *
answer(const Report *report, const char *setting, const char *const *levels,
       const char *metric)
{
    g_autoptr(GError) err = NULL;
    GString *out = g_string_new(NULL);

    must(report_compare(report, setting, levels, metric, out, &err));
    return g_string_free(out, FALSE);
}

static void
refused(const Report *report, const char *setting, const char *const *levels,
        const char *metric, const char *message)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(GString) out = g_string_new(NULL);

    assert_false(report_compare(report, setting, levels, metric, out, &err));
    assert_int_equal(vs_error_status(err), VS_ERROR_USAGE);
    assert_string_equal(err->message, message);
    assert_int_equal(out->len, 0);
}

static void
check_page(const char *name, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    /* One screen: 24 lines. */
    assert_true(g_strv_length(lines) <= 24);
    for (guint i = 0; lines[i]; i++)
        assert_true(g_utf8_strlen(lines[i], -1) <= FORMAT_WIDTH);
    check_golden(name, text);
}

static void
against_the_baseline(void **state)
{
    static const char *const levels[] = {"none", "writeback", NULL};
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text =
        answer(report, "disk.cache", levels, "exec.e1.rate");
    check_page("compare-baseline.txt", text);
}

/* Neither level is the baseline's: the difference is taken within blocks. */
static void
between_other_levels(void **state)
{
    static const char *const levels[] = {"directsync", "writeback", NULL};
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text =
        answer(report, "disk.cache", levels, "exec.e1.rate");
    check_page("compare-others.txt", text);
    g_autoptr(ReportContrast) c = report_contrast_levels(
        report, 0, "disk.cache", "writeback", "directsync");
    /* ln(3786.8/2987.7) ... of E1, Hodges-Lehmann over eight blocks */
    assert_int_equal(c->estimate.n, 8);
    assert_true(c->ratio > 1.25 && c->ratio < 1.29);
    assert_true(c->exploratory);
}

static void
all_levels_and_unsafe(void **state)
{
    Sweep *sweep = *state;

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = answer(report, "disk.cache", NULL, "fs.fsync.p50");
    check_page("compare-unsafe.txt", text);
    assert_non_null(strstr(text, "not comparable: flushes ignored"));
    g_autofree char *host = answer(report, "host", NULL, "fs.fsync.p50");
    check_page("compare-host.txt", host);
    assert_null(strstr(host, "  better\n"));
}

static void
full_design(void **state)
{
    Sweep *sweep = *state;

    make_e2(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = answer(report, "disk.cache", NULL, "exec.e2.time");
    check_page("compare-full.txt", text);
    assert_non_null(strstr(text, "2 of 2 contexts"));
}

/* full:SETTING,...: contexts are those of the settings that were crossed, and
 * the others are named wherever it matters. */
static void
full_over_some(void **state)
{
    Sweep *sweep = *state;

    make_e2(sweep);
    sweep_fact(sweep, "design.uncrossed", "disk.io=threads, vcpus=2");
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = answer(report, "disk.cache", NULL, "exec.e2.time");
    assert_non_null(strstr(text, "2 of 2 contexts"));
    assert_non_null(strstr(text, "whether it holds at other levels of the "
                                 "settings that were held: disk.io=threads, "
                                 "vcpus=2"));
    g_autofree char *whole = text_of(report, report_markdown);
    assert_non_null(strstr(whole, "Settings that the design does not cross "
                                  "stayed at their baseline: "
                                  "disk.io=threads, vcpus=2."));
}

/* METHOD 3.3, 7.6: effects come from a fit to all cells; what four cells cannot
 * tell apart says so, and all of it is called screening. */
static void
screening(void **state)
{
    static const Invented cells[] = {
        {"raw/none", 500, 400},
        {"qcow2/none", 600, 400},
        {"qcow2/writeback", 900, 400},
        {"raw/directsync", 700, 400},
    };
    Sweep *sweep = *state;

    common_facts(sweep);
    sweep_facts(sweep, "design", "pairwise", "primary", "fs.seqwrite.bw", NULL);
    sweep_factor(sweep, "disk.format", "raw", "qcow2", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writeback", "directsync", NULL);
    sweep_factor(sweep, "vcpus", "1", "2", NULL);
    sweep_cell(sweep, "raw/none", "cell", "raw", "none", "1");
    sweep_cell(sweep, "qcow2/none", "cell", "qcow2", "none", "1");
    sweep_cell(sweep, "qcow2/writeback", "cell", "qcow2", "writeback", "2");
    sweep_cell(sweep, "raw/directsync", "cell", "raw", "directsync", "2");
    sweep_design(sweep);
    for (guint block = 1; block <= 8; block++)
        for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
            put_invented(sweep, block, &cells[i], i);
    g_autoptr(Report) report = sweep_load(sweep);
    int metric = report_metric(report, "fs.fsync.p50");
    const ReportContrast *c =
        report_contrast(report, (guint) metric, "disk.format", "qcow2");
    assert_true(c->screening);
    assert_float_equal(c->ratio, 1.2, 0.03);
    assert_null(c->alias_of); /* its two cells share everything else */
    assert_int_equal(((ReportMetric *) report->metrics->pdata[0])->comparisons,
                     4);
    /* Two vcpus are in no cell without one of these. */
    c = report_contrast(report, (guint) metric, "disk.cache", "writeback");
    assert_true(c->not_estimable);
    assert_string_equal(c->word, "not estimable");
    g_autofree char *said = report_sentence(report, c);
    assert_non_null(strstr(said, "cannot tell it from other settings"));
    assert_true(
        report_contrast(report, (guint) metric, "vcpus", "2")->not_estimable);
    assert_null(
        report_contrast(report, (guint) metric, "cell", "qcow2/writeback"));
    assert_null(report_confirmation(report)); /* all are alike */
    g_autofree char *text = answer(report, "disk.format", NULL, "fs.fsync.p50");
    assert_non_null(strstr(text, "this is screening"));
    g_autofree char *whole = text_of(report, report_text);
    assert_non_null(strstr(whole, "This is screening (pairwise)"));
    assert_null(strstr(whole, "No interaction"));
}

static void
emulated_and_few(void **state)
{
    Sweep *sweep = *state;

    make_emulated(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text =
        answer(report, "disk.format", NULL, "cpu.hash.rate");
    check_page("compare-emulated.txt", text);
    assert_null(strstr(text, "better ("));
    assert_null(strstr(text, "worse"));
}

static void
errors_name_what_there_is(void **state)
{
    static const char *const wrong[] = {"raw", "qcow", NULL};
    Sweep *sweep = *state;

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    refused(report, "disk.fromat", NULL, "fs.fsync.p50",
            "no setting 'disk.fromat' in this sweep (did you mean "
            "'disk.format'?); it has disk.format, disk.cache, aa, host");
    refused(report, "disk.format", NULL, "fs.fsync.p5",
            "no metric 'fs.fsync.p5' in this sweep (did you mean "
            "'fs.fsync.p50'?); it has fs.fsync.p50, fs.fsync.p99, "
            "fs.seqwrite.bw");
    refused(report, "disk.format", wrong, "fs.fsync.p50",
            "no level of disk.format 'qcow' in this sweep (did you mean "
            "'qcow2'?); it has raw, qcow2");
}

static void
one_level_of_none(void **state)
{
    static const char *const levels[] = {"raw", NULL};
    Sweep *sweep = *state;

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    refused(report, "disk.format", levels, "fs.fsync.p50",
            "no two measured cells differ in these levels of disk.format "
            "alone; name two levels that the sweep has cells for");
}

static void
empty_sweep(void **state)
{
    Sweep *sweep = *state;

    make_empty(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    refused(report, "disk.format", NULL, "fs.fsync.p50",
            "no metric 'fs.fsync.p50' in this sweep; it has none yet");
}

static void
as_json(void **state)
{
    Sweep *sweep = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(GString) out = g_string_new(NULL);

    make_e1(sweep, 8);
    g_autoptr(Report) report = sweep_load(sweep);
    must(report_compare_json(report, "disk.cache", NULL, "exec.e1.rate", out,
                             &err));
    json_t *root = json_loads(out->str, 0, NULL);
    assert_non_null(root);
    json_t *row = json_array_get(json_object_get(root, "rows"), 0);
    assert_string_equal(json_string_value(json_object_get(row, "level")),
                        "writeback");
    assert_string_equal(json_string_value(json_object_get(row, "verdict")),
                        "better");
    assert_float_equal(json_number_value(json_object_get(row, "ratio")),
                       1.182178853, 1e-8);
    json_decref(root);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(against_the_baseline),
        TEST(between_other_levels),
        TEST(all_levels_and_unsafe),
        TEST(full_design),
        TEST(full_over_some),
        TEST(screening),
        TEST(emulated_and_few),
        TEST(errors_name_what_there_is),
        TEST(one_level_of_none),
        TEST(empty_sweep),
        TEST(as_json),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-compare", tests, NULL, NULL);
}
