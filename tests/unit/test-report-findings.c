/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a first look is told: what is open, disturbed, missing, and that a host
 * gets no verdict.
 */
#include "report-sweeps.h"

#include "report/parts.h"
#include "report/text.h"

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

/* A percentile of too few operations is unusable in a good attempt: it makes
 * no attempt invalid, and the metric says in one line what it lacks. */
static void
too_few_operations(void **state)
{
    Sweep *sweep = *state;

    begin_storage(sweep);
    sweep_design(sweep);
    for (guint block = 1; block <= 8; block++)
        for (guint i = 0; i < G_N_ELEMENTS(storage_cells); i++) {
            Attempt *attempt =
                sweep_attempt(sweep, block, storage_cells[i].cell);

            sweep_value(attempt, "fs.fsync", "fs.fsync.p50", "us", false,
                        storage_cells[i].p50 * wobble(block, i));
            AttemptValue *tail = sweep_value(
                attempt, "fs.fsync", "fs.fsync.p99.9", "us", false, 5000);
            tail->valid = false;
            tail->n = 1000 + block;
            tail->reason = g_strdup("too few operations");
            sweep_put(sweep, attempt);
        }
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(report->grade, 'A');
    g_autofree char *all = text_of(report, report_text_all);
    g_autofree char *summary = text_of(report, report_markdown);
    assert_non_null(strstr(all, "\nfs.fsync.p99.9: no data: needs 10000 "
                                "operations an attempt, had 1008 at most\n"));
    assert_null(strstr(all, "fs.fsync.p99.9 in us"));
    assert_non_null(strstr(summary, "\n- fs.fsync.p99.9: no data: needs"));
    assert_null(strstr(summary, "| fs.fsync.p99.9 |"));
}

/* Forty attempts with a window each, `disturbed` of them noted. */
static void
put_windows(Sweep *sweep, guint disturbed)
{
    make_two_cells(sweep);
    sweep_facts(sweep, "hygiene", "quick", NULL);
    for (guint i = 0; i < 40; i++) {
        Attempt *attempt =
            sweep_attempt(sweep, 1 + i / 2, i % 2 ? "writeback" : "none");
        AttemptWindow *window = attempt_window_new("fs.fsync", "run", 1);

        if (i < disturbed)
            window->breach = g_strdup(i % 3 ? "steal: 9 %"
                                            : "foreign_cpu: 3 "
                                              "%");
        g_ptr_array_add(attempt->windows, window);
        sweep_value(attempt, "fs.fsync", "fs.fsync.p50", "us", false,
                    500 * wobble(i / 2, i % 2));
        sweep_put(sweep, attempt);
    }
}

/* Breaches that hygiene quick only noted: said, and graded as invalid ones. */
static void
disturbed_windows(void **state)
{
    static const struct {
        guint disturbed;
        char grade;
        const char *reason, *line;
    } cases[] = {
        {0, 'B', NULL, NULL},
        {2, 'B', NULL,
         "disturbed  2 of 40 windows (foreign_cpu 1, steal 1): noted, not "
         "excluded under hygiene quick\n"},
        {4, 'B', "more than 5 % of the windows disturbed", NULL},
        {5, 'C', "more than 10 % of the windows disturbed",
         "disturbed  5 of 40 windows (steal 3, foreign_cpu 2): noted, not "
         "excluded under hygiene quick\n"},
    };
    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        void *own = NULL;

        assert_int_equal(sweep_make(&own), 0);
        put_windows(own, cases[i].disturbed);
        {
            g_autoptr(Report) report = sweep_load(own);
            g_autofree char *text = text_of(report, report_text);
            g_autofree char *grade = report_grade_text(report);

            assert_int_equal(report->grade, cases[i].grade);
            assert_int_equal(!strstr(grade, "windows disturbed"),
                             !cases[i].reason);
            assert_true(!cases[i].reason || strstr(grade, cases[i].reason));
            assert_true(!cases[i].line || strstr(text, cases[i].line));
            assert_int_equal(!strstr(text, "\ndisturbed "),
                             cases[i].disturbed == 0);
        }
        sweep_remove(&own);
    }
}

/* What is open becomes one sentence that says what to do about it. */
static void
open_rows_summed_up(void **state)
{
    Sweep *sweep = *state;

    make_one_block(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(report->headlines->len, 9);
    assert_int_equal(report->findings->len, 2); /* and on interactions */
    assert_string_equal(report->findings->pdata[0],
                        "6 of 8 comparisons are without a verdict (fewer than "
                        "3 blocks), 2 not comparable (flushes ignored); run "
                        "without --quick.");
    g_autofree char *summary = text_of(report, report_markdown);
    assert_non_null(strstr(summary, "36.1 % higher in 1 paired boot"));
}

/* A host is no setting: figures, no verdict, no sentence among the findings. */
static void
host_without_verdict(void **state)
{
    Sweep *sweep = *state;

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportContrast *c = report_contrast(report, 0, "host", "host");
    assert_int_equal(c->verdict, VERDICT_NONE);
    assert_string_equal(c->word, "figures only");
    assert_true(c->ratio < 0.4);
    for (guint i = 0; i < report->findings->len; i++)
        assert_null(strstr(report->findings->pdata[i], "host"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(too_few_operations),
        cmocka_unit_test(disturbed_windows),
        TEST(open_rows_summed_up),
        TEST(host_without_verdict),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-findings", tests, NULL, NULL);
}
