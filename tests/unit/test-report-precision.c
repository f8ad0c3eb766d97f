/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a sweep knows enough to end (METHOD 4.4, 14.9): what is waited for,
 * what is resolved, and that nothing but widths is asked.
 */
#include "report-sweeps.h"

#include "report/precision.h"
#include "report/text.h"

/* METHOD 14.9: E1 after its 8 blocks: threads, directsync and io_uring are
 * not resolved, and threads needs 35. */
static void
e1_at_8(void **state)
{
    static const struct {
        const char *setting, *level;
        bool resolved;
    } rows[] = {{"disk.cache", "writeback", true},
                {"disk.cache", "directsync", false},
                {"disk.io", "io_uring", false},
                {"disk.io", "threads", false}};
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    g_autoptr(Report) report = sweep_load(sweep);
    ReportPrecision precision = report_precision(report);
    g_autofree char *text = report_precision_text(report);
    g_autofree char *label = report_contrast_label(report, precision.farthest);

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        assert_int_equal(
            report_resolved(report, report_contrast(report, 0, rows[i].setting,
                                                    rows[i].level)),
            rows[i].resolved);
    assert_int_equal(precision.waited, 4);
    assert_int_equal(precision.resolved, 1);
    assert_int_equal(precision.farthest->blocks_needed, 35);
    assert_string_equal(label, "disk.io=threads, exec.e1.rate");
    assert_string_equal(text, "1 of 4 contrasts resolved to half of their "
                              "bands");
}

/* The matrix' own precision takes the place of the band: ln(1 + 2 %). */
static void
e1_with_precision(void **state)
{
    static const struct {
        const char *precision;
        guint resolved;
    } cases[] = {{"0.02", 3}, {"0.026", 4}, {"0.01", 1}, {"0.0001", 1}};
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        sweep_fact(sweep, "precision", cases[i].precision);
        g_autoptr(Report) report = sweep_load(sweep);
        const ReportMetric *metric = report->metrics->pdata[0];

        assert_int_equal(report_precision(report).resolved, cases[i].resolved);
        assert_float_equal(report_half_width(report, metric),
                           log1p(g_ascii_strtod(cases[i].precision, NULL)),
                           1e-15);
    }
}

/* What the report says a contrast needs is for the same width. */
static void
sentences_agree(void **state)
{
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    sweep_fact(sweep, "precision", "0.005");
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportContrast *c = report_contrast(report, 0, "disk.io", "threads");
    g_autofree char *sentence = report_sentence(report, c);
    g_autofree char *wanted = g_strdup_printf(
        "About %u blocks would resolve ±0.5 %%.", c->blocks_needed);

    assert_non_null(strstr(sentence, wanted));
    assert_true(c->blocks_needed > 35);
}

/* The baseline and two levels, one primary metric; x by cell and block. */
typedef double (*Values)(guint cell, guint block);

static void
make_three(Sweep *sweep, Values values, guint blocks)
{
    static const char *const names[] = {"none", "writeback", "directsync"};

    common_facts(sweep);
    sweep_facts(sweep, "design", "ofat", "primary", "exec.x.rate", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writeback", "directsync", NULL);
    for (gsize c = 0; c < G_N_ELEMENTS(names); c++)
        sweep_cell(sweep, names[c], "cell", names[c]);
    sweep_design(sweep);
    for (guint b = 1; b <= blocks; b++)
        for (guint c = 0; c < G_N_ELEMENTS(names); c++) {
            Attempt *attempt = sweep_attempt(sweep, b, names[c]);
            double x = values(c, b);

            if (isnan(x))
                attempt_fail(attempt, OUTCOME_HANG, "nothing for 60 s");
            else
                sweep_value(attempt, "exec.x", "exec.x.rate", "op/s", true, x);
            sweep_put(sweep, attempt);
        }
}

/* By how much the levels are shifted; set by the test. */
static double shift;

static double
shifted(guint cell, guint block)
{
    return 1000 * exp(cell * shift) * wobble(block, cell);
}

/* A sweep of its own for one shift: how many contrasts are resolved, and the
 * p of the first. */
static guint
resolved_at(double by, guint blocks, double *ret_p)
{
    void *state = NULL;
    guint resolved = 0;

    shift = by;
    assert_int_equal(sweep_make(&state), 0);
    make_three(state, shifted, blocks);
    {
        g_autoptr(Report) report = sweep_load(state);

        assert_int_equal(report_precision(report).waited, 2);
        resolved = report_precision(report).resolved;
        *ret_p =
            report_contrast(report, 0, "disk.cache", "writeback")->estimate.p;
    }
    sweep_remove(&state);
    return resolved;
}

/* Shifting a level leaves the widths and changes the p-values, from nothing
 * to as small as they get: the decision stays.  (Up to an effect of ten times
 * the width; beyond, a tenth of the effect is the finer measure.) */
static void
significance_is_not_asked(void **state)
{
    (void) state;
    for (guint blocks = 6; blocks <= 16; blocks += 2) {
        double p = 0, least = 1, most = 0;
        guint before = resolved_at(-0.04, blocks, &p);

        for (int step = -7; step <= 8; step++) {
            guint resolved = resolved_at(step * 0.005, blocks, &p);

            assert_int_equal(resolved, before);
            least = fmin(least, p);
            most = fmax(most, p);
        }
        assert_true(least < 0.05);
        assert_true(most > 0.05);
    }
}

/* A tenth of a large effect is near enough. */
static void
large_effects(void **state)
{
    double p = 0;

    (void) state;
    assert_int_equal(resolved_at(0, 6, &p), 1);
    assert_int_equal(resolved_at(1, 6, &p), 2);
}

/* writeback hangs from the third block on: given up after two. */
static double
failing(guint cell, guint block)
{
    return cell == 1 && block > 2 ? NAN : 1000 * wobble(block, cell);
}

static double
never(guint cell, guint block)
{
    return cell == 1 ? NAN : 1000 * wobble(block, cell);
}

/* Loses a single block: it is tried again and waited for. */
static double
losing(guint cell, guint block)
{
    return cell == 1 && block == 3 ? NAN : 1000 * wobble(block, cell);
}

static void
failed_cells(void **state)
{
    static const struct {
        Values values;
        guint waited;
    } cases[] = {{failing, 1}, {never, 1}, {losing, 2}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        void *sweep = NULL;

        assert_int_equal(sweep_make(&sweep), 0);
        make_three(sweep, cases[i].values, 6);
        {
            g_autoptr(Report) report = sweep_load(sweep);

            assert_int_equal(report_precision(report).waited, cases[i].waited);
        }
        sweep_remove(&sweep);
    }
}

/* A cell that was given up takes no turn any more: the blocks without it are
 * complete. */
static void
blocks_without_it(void **state)
{
    Sweep *sweep = *state;

    make_three(sweep, failing, 4);
    for (guint block = 5; block <= 7; block++) {
        Attempt *none = sweep_attempt(sweep, block, "none");

        sweep_put(sweep, none);
        if (block < 7) /* interrupted in the last */
            sweep_put(sweep, sweep_attempt(sweep, block, "directsync"));
    }
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(report->blocks, 6);
    assert_int_equal(report->last_block, 7);
}

/* Class N against others is not comparable, the host and the twin are no
 * choice, and fs.fsync.p99 is no primary metric: two metrics of three levels
 * remain, without unsafe. */
static void
what_is_waited_for(void **state)
{
    Sweep *sweep = *state;

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(report_precision(report).waited, 2 * 3);
    assert_int_equal(report->contrasts->len, 3 * (4 + 2));
}

/* Emulation leaves cpu.hash.rate figures only. */
static void
emulated(void **state)
{
    Sweep *sweep = *state;

    make_emulated(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    ReportPrecision precision = report_precision(report);
    guint fsync = (guint) report_metric(report, "fs.fsync.p50");

    assert_int_equal(precision.waited, 3);
    assert_true(!precision.farthest || precision.farthest->metric == fsync);
}

static void
nothing_to_wait_for(void **state)
{
    Sweep *sweep = *state;

    make_empty(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(report_precision(report).waited, 0);
    assert_null(report_precision_text(report));
    assert_null(report_stop_text(report));
}

/* METHOD 14.8: p=t-log on exactly the rows with fewer blocks than the bound
 * for the comparisons, and no verdict below three. */
static void
t_log_below_the_bound(void **state)
{
    (void) state;
    for (guint blocks = 1; blocks <= 8; blocks++) {
        void *sweep = NULL;

        assert_int_equal(sweep_make(&sweep), 0);
        make_e1(sweep, blocks);
        {
            g_autoptr(Report) report = sweep_load(sweep);

            for (guint i = 0; i < report->contrasts->len; i++) {
                const ReportContrast *c = report->contrasts->pdata[i];
                bool twin = strcmp(c->setting, "aa") == 0;
                guint bound = twin ? 6 : 8; /* m = 1, m = 4 */
                bool noted = c->note && strstr(c->note, "p=t-log");

                assert_int_equal(noted, blocks >= 3 && blocks < bound);
                if (blocks < 3)
                    assert_int_equal(c->verdict, VERDICT_NONE);
            }
        }
        sweep_remove(&sweep);
    }
}

/* How a sweep ended is on page 1 of every face. */
static void
page_one(void **state)
{
    static const struct {
        const char *reason, *min, *added, *text;
    } cases[] = {
        {"precision", "6", NULL,
         "stopped: precision reached after 8 of at most 16 blocks"},
        {"max_blocks", "6", NULL,
         "stopped: max_blocks after 8 of at most 16 blocks"},
        {"time_budget", "6", NULL,
         "stopped: time budget after 8 of at most 16 blocks"},
        {"user", "6", NULL, "stopped: user after 8 of at most 16 blocks"},
        {"time_budget", "16", NULL, "stopped: time budget"},
        {"max_blocks", "6", "4", "4 blocks added after a look"},
    };
    static void (*const faces[])(const Report *, GString *) = {
        report_text, report_markdown, report_json};
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    sweep_facts(sweep, "blocks.max", "16", "blocks.planned", "16", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        sweep_facts(sweep, "stop_reason", cases[i].reason, "blocks.min",
                    cases[i].min, NULL);
        if (cases[i].added)
            sweep_fact(sweep, "blocks.added", cases[i].added);
        g_autoptr(Report) report = sweep_load(sweep);

        for (gsize f = 0; f < G_N_ELEMENTS(faces); f++) {
            g_autofree char *text = text_of(report, faces[f]);
            g_autoptr(GString) flat = g_string_new(text);

            while (g_string_replace(flat, "\n  ", " ", 0) ||
                   g_string_replace(flat, "  ", " ", 0))
                ;
            g_string_replace(flat, "\\_", "_", 0);
            g_string_replace(flat, "\"text\": \"", "stopped: ", 0);
            if (faces[f] == report_json && cases[i].added)
                assert_non_null(strstr(flat->str, "\"blocks.added\": \"4\""));
            else if (!strstr(flat->str, cases[i].text))
                fail_msg("no '%s' in %s", cases[i].text, flat->str);
            assert_non_null(strstr(flat->str, faces[f] == report_json
                                                  ? "\"seed\": \"42\""
                                                  : "seed 42"));
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(e1_at_8),
        TEST(e1_with_precision),
        TEST(sentences_agree),
        cmocka_unit_test(significance_is_not_asked),
        cmocka_unit_test(large_effects),
        cmocka_unit_test(failed_cells),
        TEST(blocks_without_it),
        TEST(what_is_waited_for),
        TEST(emulated),
        TEST(nothing_to_wait_for),
        cmocka_unit_test(t_log_below_the_bound),
        TEST(page_one),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
