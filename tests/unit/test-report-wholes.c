/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all cells together say: the cross-fitted best of E13, the shares of
 * E2, and sentences that never say more than the data (METHOD 14.7).
 */
#include "report-sweeps.h"

#include <jansson.h>
#include "report/parts.h"
#include "report/text.h"

#define TOLERANCE 1e-9

static json_t *
load_json(const char *name)
{
    g_autofree char *path = g_strconcat("tests/data/oracles/", name, NULL);
    g_autofree char *text = read_source(path);
    json_t *root = json_loads(text, 0, NULL);

    assert_non_null(root);
    return root;
}

static void
near(double x, const json_t *object, const char *name)
{
    const json_t *wanted = json_object_get(object, name);

    assert_non_null(wanted);
    if (fabs(x - json_number_value(wanted)) > TOLERANCE)
        fail_msg("%s: %.12g instead of %.12g", name, x,
                 json_number_value(wanted));
}

static void
make_e13(Sweep *sweep)
{
    g_autoptr(GPtrArray) rows = oracle_rows("e13_best.csv");

    common_facts(sweep);
    sweep_facts(sweep, "design", "ofat", "primary", "exec.e13.rate", NULL);
    sweep_factor(sweep, "vcpus", "A", "B", "C", "D", NULL);
    for (const char *name = "A\0B\0C\0D\0"; *name; name += 2)
        sweep_cell(sweep, name, "cell", name);
    sweep_design(sweep);
    for (guint i = 0; i < rows->len; i++) {
        GStrv row = rows->pdata[i];
        Attempt *attempt = sweep_attempt(sweep, (guint) atoi(row[0]), row[1]);

        sweep_value(attempt, "exec.e13", "exec.e13.rate", "op/s", true,
                    g_ascii_strtod(row[2], NULL));
        sweep_put(sweep, attempt);
    }
}

static void
e13(void **state)
{
    Sweep *sweep = *state;
    json_t *root = load_json("e13_expected.json");

    make_e13(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportBest *best = report_best(report, 0);
    g_autofree char *text = report_best_text(report, best);
    g_autofree char *page = text_of(report, report_text);
    g_autofree char *summary = text_of(report, report_markdown);

    assert_string_equal(((StoreCell *) report->cells->pdata[best->place])->name,
                        "C");
    near(best->naive_gain, root, "naive_gain_vs_A");
    near(best->gain, root, "crossfit_gain_vs_A");
    assert_int_equal(best->candidates, 4);
    assert_int_equal(best->estimate.n, 6);
    assert_int_equal(best->picks->len, 2); /* C C C B C C */
    assert_int_equal(g_array_index(best->picks, ReportPick, 0).count, 1);
    assert_int_equal(g_array_index(best->picks, ReportPick, 1).count, 5);
    assert_non_null(strstr(text, "none is shown to beat the baseline"));
    assert_non_null(strstr(page, "none is shown to beat the baseline"));
    assert_null(strstr(page, "biased"));
    assert_non_null(strstr(summary, "naive gain (biased)"));
    json_decref(root);
}

static guint
count_best(const Report *report, const char *metric, const char *cell)
{
    const ReportBest *best =
        report_best(report, (guint) report_metric(report, metric));
    guint count = 0;

    for (guint i = 0; i < best->picks->len; i++) {
        const ReportPick *pick = &g_array_index(best->picks, ReportPick, i);
        const StoreCell *picked = report->cells->pdata[pick->place];

        count += strcmp(picked->name, cell) == 0 ? pick->count : 0;
    }
    return count;
}

/* METHOD 14.7: raw/unsafe has the best figures of both metrics. */
static void
unsafe_is_never_the_best(void **state)
{
    (void) state;
    for (guint allow = 0; allow < 2; allow++) {
        void *own = NULL;

        assert_int_equal(sweep_make(&own), 0);
        begin_storage(own);
        sweep_fact(own, "allow_unsafe", allow ? "yes" : "no");
        sweep_design(own);
        put_storage(own, 6);
        {
            g_autoptr(Report) report = sweep_load(own);

            assert_int_equal(count_best(report, "fs.seqwrite.bw", "raw/unsafe"),
                             allow ? 6 : 0);
            assert_int_equal(count_best(report, "fs.fsync.p50", "raw/unsafe"),
                             allow ? 6 : 0);
        }
        sweep_remove(&own);
    }
}

/* METHOD 2, rule 9: flushing every write is not given up for speed. */
static void
weaker_class_is_not_better(void **state)
{
    Sweep *sweep = *state;

    common_facts(sweep);
    sweep_facts(sweep, "design", "ofat", "primary", "fs.fsync.p50", NULL);
    sweep_factor(sweep, "disk.cache", "directsync", "none", "writethrough",
                 NULL);
    sweep_cell(sweep, "directsync", "cell", "directsync");
    sweep_cell(sweep, "none", "cell", "none");
    sweep_cell(sweep, "writethrough", "cell", "writethrough");
    sweep_design(sweep);
    for (guint block = 1; block <= 6; block++) {
        const Invented cells[] = {
            {"directsync", 500, 1}, {"none", 300, 1}, {"writethrough", 450, 1}};

        for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
            put_invented(sweep, block, &cells[i], i);
    }
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(count_best(report, "fs.fsync.p50", "none"), 0);
    assert_int_equal(count_best(report, "fs.fsync.p50", "writethrough"), 6);
}

/* METHOD 0.1: figures for programs, no recommendation for people. */
static void
emulation_recommends_nothing(void **state)
{
    Sweep *sweep = *state;

    make_emulated(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *all = text_of(report, report_text_all);
    g_autofree char *summary = text_of(report, report_markdown);
    g_autofree char *json = text_of(report, report_json);

    assert_int_equal(report->bests->len, 2);
    assert_null(strstr(all, "best of"));
    assert_null(strstr(summary, "Best cell"));
    assert_non_null(strstr(json, "\"cross_fitted\": ["));
}

static void
e2_shares(void **state)
{
    Sweep *sweep = *state;
    json_t *root = load_json("e2_expected.json");
    const json_t *wanted = json_object_get(root, "share_of_log_variance");

    make_e2(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportShares *shares = report_shares(report, 0);
    g_autofree char *text = report_shares_text(report, shares);

    near(shares->shares[1], wanted, "cache");
    near(shares->shares[2], wanted, "iothread");
    near(shares->shares[3], wanted, "interaction");
    assert_string_equal(text,
                        "differences between cells: disk.cache 63 %, "
                        "disk.iothread 24 %, their interaction 13 % of the "
                        "log-variance");
    json_decref(root);
}

/* One factor at a time and screening have no balanced cells. */
static void
no_shares_without_balance(void **state)
{
    (void) state;
    void (*const makes[])(Sweep *) = {make_storage, make_screening};

    for (gsize i = 0; i < G_N_ELEMENTS(makes); i++) {
        void *own = NULL;

        assert_int_equal(sweep_make(&own), 0);
        makes[i](own);
        {
            g_autoptr(Report) report = sweep_load(own);

            assert_int_equal(report->shares->len, 0);
        }
        sweep_remove(&own);
    }
}

/* -------------------------------------------------------------- sentences */

static void
make_e1_whole(Sweep *sweep)
{
    make_e1(sweep, 8);
}

static void
check_words(const char *sentence)
{
    static const char *const never[] = {
        "no effect", "identical", "the same", "no difference", "nan", "inf "};

    for (gsize i = 0; i < G_N_ELEMENTS(never); i++)
        if (strstr(sentence, never[i]))
            fail_msg("'%s' in: %s", never[i], sentence);
}

/* A sentence is about its row, and says which direction is better wherever it
 * has a figure to judge. */
static void
check_sentence(const Report *report, const ReportContrast *c)
{
    const ReportMetric *metric = report->metrics->pdata[c->metric];
    g_autofree char *sentence = report_sentence(report, c);

    check_words(sentence);
    if (!strstr(sentence, metric->id))
        fail_msg("no metric in: %s", sentence);
    if (strcmp(c->setting, "aa") != 0 && strcmp(c->setting, "host") != 0 &&
        !strstr(sentence, c->level))
        fail_msg("no level in: %s", sentence);
    if (strcmp(c->setting, "aa") != 0 && c->estimate.n > 0 &&
        !c->not_comparable && !strstr(sentence, "is better"))
        fail_msg("no direction in: %s", sentence);
    if (c->screening && c->estimate.n > 0 && !strstr(sentence, "Screening"))
        fail_msg("no screening in: %s", sentence);
}

static void
check_all_words(const Report *report)
{
    for (guint i = 0; i < report->contrasts->len; i++)
        check_sentence(report, report->contrasts->pdata[i]);
    for (guint i = 0; i < report->headlines->len; i++)
        check_words(report->headlines->pdata[i]);
    for (guint i = 0; i < report->findings->len; i++)
        check_words(report->findings->pdata[i]);
    for (guint i = 0; i < report->bests->len; i++) {
        g_autofree char *text =
            report_best_text(report, report->bests->pdata[i]);

        if (text)
            check_words(text);
    }
}

static void
sentences_of_every_sweep(void **state)
{
    void (*const makes[])(Sweep *) = {
        make_e1_whole,  make_e2,    make_storage,   make_trouble, make_emulated,
        make_one_block, make_empty, make_screening, make_e13};
    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(makes); i++) {
        void *own = NULL;

        assert_int_equal(sweep_make(&own), 0);
        makes[i](own);
        {
            g_autoptr(Report) report = sweep_load(own);

            check_all_words(report);
        }
        sweep_remove(&own);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(e13),
        cmocka_unit_test(unsafe_is_never_the_best),
        TEST(weaker_class_is_not_better),
        TEST(emulation_recommends_nothing),
        TEST(e2_shares),
        cmocka_unit_test(no_shares_without_balance),
        cmocka_unit_test(sentences_of_every_sweep),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-wholes", tests, NULL, NULL);
}
