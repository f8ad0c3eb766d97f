/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sharing the configuration step out: E6 of METHOD 12 through the report, one
 * factor at a time, and best cells that may not be.
 */
#include "report-ladder.h"

/* ------------------------------------------------------------------- E6 */

#define E6_BLOCKS 3

/* METHOD 12, E6, by which of the settings a, b, c are at their best. */
static const struct {
    const char *cell, *a, *b, *c;
    double value;
} e6_cells[] = {
    {"000", "0", "0", "0", 1000}, {"100", "1", "0", "0", 1100},
    {"010", "0", "1", "0", 1300}, {"001", "0", "0", "1", 1020},
    {"110", "1", "1", "0", 1500}, {"101", "1", "0", "1", 1130},
    {"011", "0", "1", "1", 1320}, {"111", "1", "1", "1", 1600},
};

/* Three blocks, the k-th of them k times as fast; the host twice as fast as
 * the best guest.  `alone`: one factor at a time, and the best. */
static Report *
e6_sweep(Sweep *sweep, bool alone)
{
    common_facts(sweep);
    sweep_facts(sweep, "design", "full", "blocks.planned", "3", "primary",
                "exec.e6.rate", "best", "111", "accel", "kvm", NULL);
    set_times(sweep);
    sweep_factor(sweep, "a", "0", "1", NULL);
    sweep_factor(sweep, "b", "0", "1", NULL);
    sweep_factor(sweep, "c", "0", "1", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(e6_cells); i++)
        sweep_cell(sweep, e6_cells[i].cell, "cell", e6_cells[i].a,
                   e6_cells[i].b, e6_cells[i].c);
    sweep_cell(sweep, "host", "host");
    sweep_design(sweep);
    for (guint block = 1; block <= E6_BLOCKS; block++) {
        Attempt *host = sweep_attempt(sweep, block, "host");

        for (gsize i = 0; i < G_N_ELEMENTS(e6_cells); i++) {
            Attempt *attempt = NULL;

            if (alone && i >= 4 && i <= 6)
                continue;
            attempt = sweep_attempt(sweep, block, e6_cells[i].cell);
            sweep_value(attempt, "exec.e6", "exec.e6.rate", "op/s", true,
                        block * e6_cells[i].value);
            sweep_put(sweep, attempt);
        }
        sweep_value(host, "exec.e6", "exec.e6.rate", "op/s", true,
                    block * 3200.0);
        sweep_put(sweep, host);
    }
    return sweep_load(sweep);
}

static void
e6(void **state)
{
    g_autoptr(Report) report = e6_sweep(*state, false);
    const ReportLadder *ladder = ladder_of(report);
    json_t *root = load_json("e6_expected.json");
    double sum = 0;

    assert_int_equal(ladder->parts->len, 3);
    for (guint i = 0; i < 3; i++) {
        const ReportPart *part = ladder->parts->pdata[i];

        near(part->shapley.estimate.est,
             json_array_get(json_object_get(root, "phi"), i));
        near(part->first_in.estimate.est,
             json_array_get(json_object_get(root, "first_in"), i));
        near(part->last_in.estimate.est,
             json_array_get(json_object_get(root, "last_in"), i));
        sum += part->shapley.mean;
    }
    near(sum, json_object_get(root, "total"));
    near(-step_of(ladder, 1)->mean, json_object_get(root, "total"));
    near(ladder->remainder.mean, json_object_get(root, "remainder"));
    json_decref(root);
}

static void
e6_one_at_a_time(void **state)
{
    g_autoptr(Report) report = e6_sweep(*state, true);
    const ReportLadder *ladder = ladder_of(report);
    g_autofree char *text = text_of(report, report_text);
    json_t *root = load_json("e6_expected.json");
    double sum = ladder->remainder.mean;

    for (guint i = 0; i < 3; i++) {
        const ReportPart *part = ladder->parts->pdata[i];

        near(part->first_in.mean,
             json_array_get(json_object_get(root, "first_in"), i));
        assert_int_equal(part->shapley.estimate.n, 0);
        sum += part->first_in.mean;
    }
    near(ladder->remainder.estimate.est, json_object_get(root, "remainder"));
    assert_true(fabs(sum + step_of(ladder, 1)->mean) < ROUNDING);
    assert_non_null(strstr(text, "interaction / unexplained"));
    assert_non_null(strstr(text, "not run"));
    json_decref(root);
}

/* ------------------------------------------------------------- flushes */

/* A baseline that ignores flushes is no rung for writes; nor is such a cell
 * the best. */
static void
ignored_flushes(void **state)
{
    Sweep *sweep = *state;

    make_storage(sweep);
    sweep_facts(sweep, "accel", "kvm", "best", "raw/unsafe", NULL);
    g_autoptr(Report) report = sweep_load(sweep);
    bool seen = false;

    assert_int_equal(report->ladders->len, 0);
    sweep_fact(sweep, "allow_unsafe", "yes");
    g_autoptr(Report) allowed = sweep_load(sweep);
    for (guint i = 0; i < allowed->ladders->len; i++) {
        const ReportLadder *ladder = allowed->ladders->pdata[i];

        seen = true;
        check_notes(ladder, "raw/unsafe, declared");
    }
    assert_true(seen);
}

/* The best differs between blocks: a rung, but nothing to split. */
static void
crossfitted_storage(void **state)
{
    Sweep *sweep = *state;

    make_storage(sweep);
    sweep_fact(sweep, "accel", "kvm");
    g_autoptr(Report) report = sweep_load(sweep);

    for (guint i = 0; i < report->ladders->len; i++) {
        const ReportLadder *ladder = report->ladders->pdata[i];

        assert_int_equal(ladder->steps->len, 2);
        for (guint k = 0; k < ladder->notes->len; k++)
            assert_null(strstr(ladder->notes->pdata[k], "unsafe"));
    }
    assert_int_equal(report->ladders->len, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(e6),
        TEST(e6_one_at_a_time),
        TEST(ignored_flushes),
        TEST(crossfitted_storage),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-ladder-split", tests, NULL,
                                       NULL);
}
