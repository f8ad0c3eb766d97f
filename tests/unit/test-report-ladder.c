/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overhead attribution: E5 of METHOD 12 through the report, from a CSV file
 * and from a database, and with rungs or corners missing.
 */
#include "report-ladder.h"

#include "report/from-csv.h"

/* ------------------------------------------------------------------- E5 */

#define E5_SENTENCE                                                            \
    "mb_s: of the 31.1 % total loss, the configuration step costs 26.6 % (84 " \
    "% of the log total, recoverable by tested settings), the "                \
    "virtualisation floor 3.9 % (CI 3.1 ... 4.7 %), resource matching 2.0 % "  \
    "(CI 1.1 ... 3.6 %). Steps multiply; they do not add."

static Report *
e5_from_csv(const char *best)
{
    g_autofree char *path = g_build_filename(
        VS_SOURCE_DIR, "tests/data/oracles/e5_ladder.csv", NULL);
    const CsvOptions options = {
        .baseline = "cpu=def/disk=def", .best = best, .higher = "all"};
    g_autoptr(GError) err = NULL;
    Report *report = report_from_csv(path, &options, &err);

    must(report);
    return report;
}

static void
check_e5(const Report *report)
{
    const ReportLadder *ladder = ladder_of(report);
    const ReportPart *cpu = NULL, *disk = NULL;
    json_t *root = load_json("e5_expected.json");
    const json_t *steps = json_object_get(root, "steps");

    assert_int_equal(ladder->steps->len, 3);
    check_step(step_of(ladder, 0), steps, "resources (host->host-matched)");
    check_step(step_of(ladder, 1), steps,
               "virtualisation floor (host-matched->guest-best)");
    check_step(step_of(ladder, 2), steps,
               "configuration (guest-best->guest-default)");
    check_step(&ladder->total, steps, "total (host->guest-default)");
    assert_int_equal(ladder->blocks, 6);
    assert_int_equal(ladder->parts->len, 2);
    cpu = ladder->parts->pdata[0];
    disk = ladder->parts->pdata[1];
    assert_string_equal(cpu->setting, "cpu");
    assert_string_equal(cpu->level, "host");
    assert_string_equal(cpu->base, "def");
    check_step(&cpu->first_in, steps, "cpu first-in");
    check_step(&cpu->last_in, steps, "cpu last-in");
    check_step(&cpu->shapley, steps, "cpu shapley");
    check_step(&disk->first_in, steps, "disk first-in");
    check_step(&disk->last_in, steps, "disk last-in");
    check_step(&disk->shapley, steps, "disk shapley");
    check_step(&ladder->remainder, steps, "cpu x disk");
    assert_true(fabs(cpu->shapley.mean + disk->shapley.mean +
                     step_of(ladder, 2)->mean) < ROUNDING);
    assert_true(fabs(step_of(ladder, 0)->mean + step_of(ladder, 1)->mean +
                     step_of(ladder, 2)->mean - ladder->total.mean) < ROUNDING);
    json_decref(root);
}

static void
e5_declared(void **state)
{
    g_autoptr(Report) report = e5_from_csv("disk=tuned,cpu=host");
    g_autofree char *sentence = NULL;

    (void) state;
    check_e5(report);
    check_notes(ladder_of(report), "cpu=host/disk=tuned, declared");
    sentence = report_ladder_sentence(report, ladder_of(report));
    assert_string_equal(sentence, E5_SENTENCE);
}

/* The same cell is the best in every block without being declared. */
static void
e5_crossfitted(void **state)
{
    g_autoptr(Report) report = e5_from_csv(NULL);

    (void) state;
    check_e5(report);
    check_notes(ladder_of(report),
                "chosen by the other blocks: cpu=host/disk=tuned in 6");
}

static void
bad_best(void **state)
{
    static const char *const bests[][2] = {
        {"cpu=def/disk=def", "cannot be the baseline"},
        {"host", "cannot be what is no guest, 'host'"},
        {"cpu=hosst/disk=tuned",
         "no cell is the best 'cpu=hosst/disk=tuned'; did you mean "
         "'cpu=host/disk=tuned'?"}};
    g_autofree char *path = g_build_filename(
        VS_SOURCE_DIR, "tests/data/oracles/e5_ladder.csv", NULL);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(bests); i++) {
        const CsvOptions options = {.baseline = "cpu=def/disk=def",
                                    .best = bests[i][0]};
        g_autoptr(GError) err = NULL;

        assert_null(report_from_csv(path, &options, &err));
        if (!strstr(err->message, bests[i][1]))
            fail_msg("%s", err->message);
    }
}

/* ------------------------------------------------- E5 from a database */

/* Names of the oracle in the form of a design. */
static const struct {
    const char *oracle, *cell;
} e5_names[] = {
    {"host", "host"},
    {"host-matched", "host-matched"},
    {"cpu=host/disk=tuned", "host/tuned"},
    {"cpu=host/disk=def", "host/def"},
    {"cpu=def/disk=tuned", "def/tuned"},
    {"cpu=def/disk=def", "def/def"},
};

/* What a sweep of E5 leaves out or does otherwise. */
typedef struct Without {
    const char *first, *second; /* cells, by their own names */
    const char *accel;          /* NULL: kvm */
    bool lower_better;          /* 1/x measured */
} Without;

static bool
is_left_out(const Without *without, const char *cell)
{
    return g_strcmp0(without->first, cell) == 0 ||
           g_strcmp0(without->second, cell) == 0;
}

static void
put_e5(Sweep *sweep, const Without *without)
{
    g_autoptr(GPtrArray) rows = oracle_rows("e5_ladder.csv");

    for (guint i = 0; i < rows->len; i++) {
        GStrv row = rows->pdata[i];
        double x = g_ascii_strtod(row[2], NULL);

        for (gsize k = 0; k < G_N_ELEMENTS(e5_names); k++) {
            Attempt *attempt = NULL;

            if (strcmp(e5_names[k].oracle, row[1]) != 0 ||
                is_left_out(without, e5_names[k].cell))
                continue;
            attempt =
                sweep_attempt(sweep, (guint) atoi(row[0]), e5_names[k].cell);
            sweep_value(attempt, "exec.e5", "exec.e5.rate",
                        without->lower_better ? "s" : "MB/s",
                        !without->lower_better,
                        without->lower_better ? 1 / x : x);
            sweep_put(sweep, attempt);
        }
    }
}

static Report *
e5_sweep(Sweep *sweep, const Without *without)
{
    common_facts(sweep);
    sweep_facts(sweep, "question", "Where is the time lost?", "design", "full",
                "blocks.planned", "6", "baseline", "cpu=def disk=def",
                "primary", "exec.e5.rate", "best", "host/tuned", "host-matched",
                "2 CPUs by sched_setaffinity, 1 GiB by cgroup v2", "accel",
                without->accel ? without->accel : "kvm", NULL);
    set_times(sweep);
    sweep_factor(sweep, "cpu", "def", "host", NULL);
    sweep_factor(sweep, "disk", "def", "tuned", NULL);
    sweep_cell(sweep, "def/def", "cell", "def", "def");
    sweep_cell(sweep, "def/tuned", "cell", "def", "tuned");
    sweep_cell(sweep, "host/def", "cell", "host", "def");
    sweep_cell(sweep, "host/tuned", "cell", "host", "tuned");
    sweep_cell(sweep, "host", "host");
    sweep_cell(sweep, "host-matched", "host-matched");
    sweep_design(sweep);
    put_e5(sweep, without);
    return sweep_load(sweep);
}

static void
e5_database(void **state)
{
    g_autoptr(Report) report = e5_sweep(*state, &(Without){NULL});
    g_autofree char *text = text_of(report, report_text);
    g_autofree char *markdown = text_of(report, report_markdown);
    g_autofree char *csv = text_of(report, report_contrasts_csv);
    g_autofree char *json = text_of(report, report_json);

    check_e5(report);
    check_golden("ladder.txt", text);
    check_golden("ladder.md", markdown);
    check_golden("ladder.contrasts.csv", csv);
    check_golden("ladder.json", json);
}

/* Lower is better: y is the same, the words are not. */
static void
lower_is_better(void **state)
{
    g_autoptr(Report) report =
        e5_sweep(*state, &(Without){.lower_better = true});
    g_autofree char *sentence =
        report_ladder_sentence(report, ladder_of(report));

    assert_int_equal(ladder_of(report)->steps->len, 3);
    assert_true(ladder_of(report)->total.estimate.est < 0);
    assert_true(ladder_of(report)->total.ratio > 1);
    assert_string_equal(
        sentence,
        "exec.e5.rate: of the 45.1 % total increase, the configuration step "
        "adds 36.3 % (84 % of the log total, recoverable by tested settings), "
        "the virtualisation floor 4.0 % (CI 3.2 ... 5.0 %), resource matching "
        "2.0 % (CI 1.1 ... 3.7 %). Steps multiply; they do not add.");
}

/* METHOD 0.1: figures for a check of the harness, nothing for people. */
static void
emulated(void **state)
{
    g_autoptr(Report) report = e5_sweep(*state, &(Without){.accel = "tcg"});
    g_autofree char *text = text_of(report, report_text_all);
    g_autofree char *markdown = text_of(report, report_markdown);
    g_autofree char *csv = text_of(report, report_contrasts_csv);
    g_autofree char *json = text_of(report, report_json);
    json_t *root = json_loads(json, 0, NULL);
    const json_t *check = json_object_get(root, "harness_check");

    assert_null(report_ladder_sentence(report, ladder_of(report)));
    assert_null(strstr(text, "Ladder"));
    assert_null(strstr(text, "recoverable"));
    assert_null(strstr(markdown, "Ladder"));
    assert_null(strstr(csv, "ladder"));
    assert_null(strstr(json, "recoverable"));
    assert_int_equal(json_array_size(json_object_get(root, "ladders")), 0);
    assert_int_equal(json_array_size(json_object_get(check, "ladders")), 1);
    json_decref(root);
}

/* --------------------------------------------------- what was not run */

static void
host_alone(void **state)
{
    g_autoptr(Report) report =
        e5_sweep(*state, &(Without){.first = "host-matched"});
    const ReportLadder *ladder = ladder_of(report);

    assert_int_equal(ladder->steps->len, 2);
    assert_string_equal(step_of(ladder, 0)->name, "host to best guest");
    assert_string_equal(step_of(ladder, 1)->name, "configuration");
    check_notes(ladder, "resources and virtualisation are not told apart");
    assert_true(fabs(step_of(ladder, 0)->mean + step_of(ladder, 1)->mean -
                     ladder->total.mean) < ROUNDING);
    for (guint i = 0; i < ladder->notes->len; i++)
        assert_null(strstr(ladder->notes->pdata[i], "sched_setaffinity"));
}

static void
matched_alone(void **state)
{
    g_autoptr(Report) report = e5_sweep(*state, &(Without){.first = "host"});
    const ReportLadder *ladder = ladder_of(report);

    assert_int_equal(ladder->steps->len, 2);
    assert_string_equal(step_of(ladder, 0)->name, "virtualisation floor");
    assert_int_equal(ladder->total.from, RUNG_MATCHED);
}

static void
best_without_values(void **state)
{
    g_autoptr(Report) report =
        e5_sweep(*state, &(Without){.first = "host/tuned"});
    const ReportLadder *ladder = ladder_of(report);

    assert_int_equal(ladder->steps->len, 2);
    assert_string_equal(step_of(ladder, 1)->name, "matched host to guest");
    assert_int_equal(ladder->parts->len, 0);
    check_notes(ladder, "host/tuned is declared, and has no values");
    check_notes(ladder, "virtualisation and configuration are not told apart");
}

/* One step is what the deltas say already. */
static void
no_ladder(void **state)
{
    g_autoptr(Report) report = e5_sweep(
        *state, &(Without){.first = "host-matched", .second = "host/tuned"});

    assert_int_equal(report->ladders->len, 0);
}

static void
no_host(void **state)
{
    g_autoptr(Report) report =
        e5_sweep(*state, &(Without){.first = "host-matched", .second = "host"});

    assert_int_equal(report->ladders->len, 0);
}

/* A corner is missing: what each does alone, and what that leaves over. */
static void
corner_missing(void **state)
{
    g_autoptr(Report) report =
        e5_sweep(*state, &(Without){.first = "host/def"});
    const ReportLadder *ladder = ladder_of(report);
    const ReportPart *cpu = ladder->parts->pdata[0];
    const ReportPart *disk = ladder->parts->pdata[1];
    json_t *root = load_json("e5_expected.json");
    const json_t *steps = json_object_get(root, "steps");

    check_step(&disk->first_in, steps, "disk first-in");
    check_step(&cpu->last_in, steps, "cpu last-in");
    assert_int_equal(cpu->first_in.estimate.n, 0);
    assert_int_equal(disk->last_in.estimate.n, 0);
    assert_int_equal(cpu->shapley.estimate.n, 0);
    assert_int_equal(ladder->remainder.estimate.n, 0);
    json_decref(root);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(e5_declared), TEST(e5_crossfitted),  TEST(bad_best),
        TEST(e5_database), TEST(lower_is_better), TEST(emulated),
        TEST(host_alone),  TEST(matched_alone),   TEST(best_without_values),
        TEST(no_ladder),   TEST(no_host),         TEST(corner_missing),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-ladder", tests, NULL, NULL);
}
