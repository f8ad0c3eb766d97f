/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drift: E10 of METHOD 12 through the database and the model, what the faces
 * say of it, and the grades that depend on it.
 */
#include "report-sweeps.h"

#include <jansson.h>
#include "report/parts.h"
#include "report/text.h"

#define TOLERANCE 1e-9

static void
near(double x, const json_t *object, const char *name)
{
    double wanted = json_number_value(json_object_get(object, name));

    if (fabs(x - wanted) > TOLERANCE)
        fail_msg("%s: %.12g instead of %.12g", name, x, wanted);
}

/* The sentinel of E10 as the only cell. */
static void
make_e10(Sweep *sweep, guint runs)
{
    g_autoptr(GPtrArray) rows = oracle_rows("e10_sentinel.csv");

    common_facts(sweep);
    sweep_facts(sweep, "design", "ofat", "primary", "exec.e10.time", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writeback", NULL);
    sweep_cell(sweep, "none", "cell", "none");
    sweep_design(sweep);
    for (guint i = 0; i < MIN(rows->len, runs); i++) {
        Attempt *attempt = sweep_attempt(sweep, i + 1, "none");

        attempt->started = g_strdup_printf("2026-11-30T12:%02u:00Z", i);
        sweep_value(attempt, "exec.e10", "exec.e10.time", "s", false,
                    g_ascii_strtod(((GStrv) rows->pdata[i])[1], NULL));
        sweep_put(sweep, attempt);
    }
}

static void
e10(void **state)
{
    Sweep *sweep = *state;
    g_autofree char *text = read_source("tests/data/oracles/e10_expected.json");
    json_t *root = json_loads(text, 0, NULL);
    const json_t *pettitt = json_object_get(root, "pettitt");

    make_e10(sweep, 16);
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportDrift *drift = report_drift(report, 0);

    assert_int_equal(drift->n, 16);
    near((double) drift->pettitt.u, pettitt, "U");
    near(drift->pettitt.at, pettitt, "t");
    near(drift->pettitt.p, pettitt, "p");
    near(drift->slope, root, "theil_sen_per_step");
    near((double) drift->kendall.s, root, "kendall_S");
    near(drift->kendall.z, root, "kendall_z");
    near(drift->kendall.p, root, "kendall_p");
    near(drift->shift, root, "shift_log");
    assert_true(drift->tested && drift->drifted);
    assert_int_equal(drift->block, 9);
    assert_string_equal(drift->when, "2026-11-30T12:08:00Z");
    json_decref(root);
}

/* The banner has time and size; absolute values carry the tag. */
static void
said_on_every_face(void **state)
{
    Sweep *sweep = *state;

    make_e10(sweep, 16);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_text);
    g_autofree char *summary = text_of(report, report_markdown);
    g_autofree char *json = text_of(report, report_json);
    g_autofree char *grade = report_grade_text(report);

    assert_non_null(strstr(text,
                           "\ndrift      exec.e10.time +3.7 % from block 9 "
                           "(2026-11-30T12:08:00Z) on: absolute values"));
    assert_non_null(strstr(text, "exec.e10.time (drifted)"));
    assert_non_null(strstr(summary, "| exec.e10.time (drifted) |"));
    assert_non_null(strstr(summary, "+3.7 % from block 9"));
    assert_non_null(strstr(json, "\"drifted\": true"));
    assert_non_null(strstr(grade, "drift"));
    assert_null(strstr(grade, "not tested"));
}

/* Fifteen runs cannot reach p < 0.01 with whatever step: no passed test. */
static void
too_few_runs(void **state)
{
    Sweep *sweep = *state;

    make_e10(sweep, 5);
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportDrift *drift = report_drift(report, 0);
    const double step[15] = {[8] = 1, 1, 1, 1, 1, 1, 1};
    const double more[16] = {[8] = 1, 1, 1, 1, 1, 1, 1, 1};

    assert_false(drift->tested || drift->drifted);
    assert_false(report_drift_tested(report));
    assert_true(drift_pettitt(step, 15).p > DRIFT_ALPHA);
    assert_true(drift_pettitt(more, 16).p < DRIFT_ALPHA);
    g_autofree char *summary = text_of(report, report_markdown);
    assert_non_null(strstr(summary, "Not tested: with fewer than 16 runs"));
}

/* A rig that becomes slower in the middle of a whole sweep. */
static void
put_slowing(Sweep *sweep, double factor)
{
    for (guint block = 1; block <= 8; block++)
        for (guint i = 0; i < G_N_ELEMENTS(storage_cells); i++) {
            Invented cell = storage_cells[i];

            cell.p50 *= block > 4 ? factor : 1;
            put_invented(sweep, block, &cell, i);
        }
}

/* METHOD 0.2: one soft miss costs one letter, whichever it is. */
static void
one_letter_for_one_miss(void **state)
{
    static const struct {
        const char *key, *value;
        double factor;
        char grade;
        const char *reason;
    } cases[] = {
        {"seed", "42", 1, 'A', NULL},
        {"seed", "42", 1.2, 'B', "drift"},
        {"hygiene", "normal", 1, 'B', "preflight not strict"},
        {"host.cpu.hypervisor", "yes", 1, 'B', "nested"},
    };
    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        void *own = NULL;

        assert_int_equal(sweep_make(&own), 0);
        Sweep *sweep = own;
        begin_storage(sweep);
        sweep_fact(sweep, cases[i].key, cases[i].value);
        sweep_design(sweep);
        put_slowing(sweep, cases[i].factor);
        {
            g_autoptr(Report) report = sweep_load(sweep);

            assert_int_equal(report->grade, cases[i].grade);
            assert_int_equal(report->grade_reasons->len,
                             cases[i].reason != NULL);
            if (cases[i].reason)
                assert_string_equal(report->grade_reasons->pdata[0],
                                    cases[i].reason);
        }
        sweep_remove(&own);
    }
}

/* Deltas within blocks are those of the sweep without drift. */
static void
deltas_stay_valid(void **state)
{
    double ratio[2];
    (void) state;

    for (guint slow = 0; slow < 2; slow++) {
        void *own = NULL;

        assert_int_equal(sweep_make(&own), 0);
        begin_storage(own);
        sweep_design(own);
        put_slowing(own, slow ? 1.2 : 1);
        {
            g_autoptr(Report) report = sweep_load(own);
            guint metric = (guint) report_metric(report, "fs.fsync.p50");

            assert_int_equal(report_drifted(report, metric), slow);
            assert_int_equal(report_drift(report, metric)->n, 24);
            ratio[slow] =
                report_contrast(report, metric, "disk.format", "qcow2")->ratio;
        }
        sweep_remove(&own);
    }
    assert_float_equal(ratio[0], ratio[1], 1e-12);
}

/* What comes late in a block is slower: 0.5 % a place, whatever the cell. */
static void
position_effect(void **state)
{
    Sweep *sweep = *state;

    begin_storage(sweep);
    sweep_design(sweep);
    for (guint block = 1; block <= 8; block++)
        for (guint k = 0; k < G_N_ELEMENTS(storage_cells); k++) {
            guint i =
                (k * 3 + block * (1 + block % 2)) % G_N_ELEMENTS(storage_cells);
            Attempt *attempt =
                sweep_attempt(sweep, block, storage_cells[i].cell);

            attempt->pos = k;
            sweep_value(attempt, "fs.fsync", "fs.fsync.p50", "us", false,
                        storage_cells[i].p50 * pow(1.005, k));
            sweep_put(sweep, attempt);
        }
    g_autoptr(Report) report = sweep_load(sweep);
    guint metric = (guint) report_metric(report, "fs.fsync.p50");

    assert_float_equal(report_drift(report, metric)->position, -log(1.005),
                       0.0015);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(e10),
        TEST(said_on_every_face),
        TEST(too_few_runs),
        cmocka_unit_test(one_letter_for_one_miss),
        cmocka_unit_test(deltas_stay_valid),
        TEST(position_effect),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-drift", tests, NULL, NULL);
}
