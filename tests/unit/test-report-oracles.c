/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * E1 and E2 of METHOD 12, through the database and the model: every number
 * that the oracles give.
 */
#include "report-sweeps.h"

#include <jansson.h>
#include "report/parts.h"

/* METHOD 12: 1e-9 on logs; the files hold ten significant digits. */
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

/* Follows keys down to NULL. */
static json_t *
down(json_t *from, ...)
{
    va_list args;

    va_start(args, from);
    for (;;) {
        const char *key = va_arg(args, const char *);

        if (!key)
            break;
        from = json_object_get(from, key);
        if (!from)
            fail_msg("the oracle has no %s", key);
    }
    va_end(args);
    return from;
}

static void
near(double x, const json_t *expected)
{
    double wanted = json_number_value(expected);

    if (fabs(x - wanted) > TOLERANCE * fmax(1, fabs(wanted)))
        fail_msg("%.12g instead of %.12g", x, wanted);
}

static const ReportContrast *
contrast_of(const Report *report, const char *setting, const char *level)
{
    const ReportContrast *contrast = report_contrast(report, 0, setting, level);

    assert_non_null(contrast);
    return contrast;
}

static const struct {
    const char *oracle, *setting, *level, *cell;
} e1_rows[] = {
    {"cache=writeback", "disk.cache", "writeback", "writeback/native"},
    {"cache=directsync", "disk.cache", "directsync", "directsync/native"},
    {"io=io_uring", "disk.io", "io_uring", "none/io_uring"},
    {"io=threads", "disk.io", "threads", "none/threads"},
    {"aa", "aa", "aa", "aa"},
};

static void
check_e1_row(const Report *report, json_t *root, gsize i)
{
    json_t *wanted = down(root, "contrasts", e1_rows[i].oracle, NULL);
    const ReportContrast *c =
        contrast_of(report, e1_rows[i].setting, e1_rows[i].level);
    bool twin = strcmp(e1_rows[i].setting, "aa") == 0;

    assert_int_equal(c->estimate.n, 8);
    near(c->estimate.est, down(wanted, "est", NULL));
    near(c->estimate.lo, down(wanted, "lo", NULL));
    near(c->estimate.hi, down(wanted, "hi", NULL));
    near(c->estimate.confidence, down(wanted, "conf", NULL));
    near(c->estimate.p, down(wanted, "p", NULL));
    near(c->p_adjusted, down(wanted, "p_holm", NULL));
    near(c->ratio, json_array_get(down(wanted, "ratio", NULL), 0));
    near(c->ratio_lo, json_array_get(down(wanted, "ratio", NULL), 1));
    near(c->ratio_hi, json_array_get(down(wanted, "ratio", NULL), 2));
    near(c->sd, down(wanted, "sd", NULL));
    near(c->blocks_needed, down(wanted, "blocks_needed", NULL));
    assert_int_equal(c->estimate.ci_method, METHOD_EXACT);
    assert_int_equal(c->estimate.p_method, METHOD_EXACT);
    assert_string_equal(
        verdict_name(c->verdict),
        json_string_value(down(wanted, "verdict_delta2pct", NULL)));
    assert_string_equal(c->word, twin ? "A/A pass" : verdict_name(c->verdict));
    near(c->median_level,
         down(root, "cell_median", e1_rows[i].oracle, "median", NULL));
    near(c->median_base, down(root, "cell_median", "base", "median", NULL));
}

static void
e1_contrasts(void **state)
{
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    g_autoptr(Report) report = sweep_load(sweep);
    json_t *root = load_json("e1_expected.json");
    assert_int_equal(report->contrasts->len, G_N_ELEMENTS(e1_rows));
    for (gsize i = 0; i < G_N_ELEMENTS(e1_rows); i++)
        check_e1_row(report, root, i);
    assert_int_equal(report->blocks, 8);
    assert_int_equal(report->cells_measured, 6);
    assert_int_equal(report->interactions->len, 0);
    json_decref(root);
}

static void
e1_cells(void **state)
{
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    g_autoptr(Report) report = sweep_load(sweep);
    json_t *root = load_json("e1_expected.json");
    for (gsize i = 0; i < G_N_ELEMENTS(e1_rows); i++) {
        json_t *wanted = down(root, "cell_median", e1_rows[i].oracle, NULL);
        const ReportCellMetric *value =
            report_cell_value(report, sweep_index(sweep, e1_rows[i].cell), 0);

        near(value->median, down(wanted, "median", NULL));
        near(value->lo, down(wanted, "lo", NULL));
        near(value->hi, down(wanted, "hi", NULL));
        near(value->confidence, down(wanted, "conf", NULL));
        assert_int_equal(value->n, 8);
    }
    json_decref(root);
}

/* Six blocks: exact interval, but p by t, since 2^-5 > 0.05 / 4. */
static void
e1_at_six_blocks(void **state)
{
    Sweep *sweep = *state;

    make_e1(sweep, 6);
    g_autoptr(Report) report = sweep_load(sweep);
    json_t *root = load_json("e1_expected.json");
    for (gsize i = 0; i < G_N_ELEMENTS(e1_rows); i++) {
        json_t *wanted =
            down(root, "look_at_6_blocks", e1_rows[i].oracle, NULL);
        const ReportContrast *c =
            contrast_of(report, e1_rows[i].setting, e1_rows[i].level);
        bool by_t = strcmp(json_string_value(down(wanted, "p_method", NULL)),
                           "t-log") == 0;

        near(c->estimate.est, down(wanted, "est", NULL));
        near(c->estimate.lo, down(wanted, "lo", NULL));
        near(c->estimate.hi, down(wanted, "hi", NULL));
        near(c->estimate.p, down(wanted, "p", NULL));
        assert_int_equal(c->estimate.p_method, by_t ? METHOD_T : METHOD_EXACT);
        assert_int_equal(by_t, c->note && strstr(c->note, "p=t-log") != NULL);
    }
    json_decref(root);
}

/* Oracle ratios are of speeds; the model's are of the seconds measured. */
static void
check_speed(const Estimate *estimate, double ratio, double lo, double hi,
            json_t *wanted)
{
    near(estimate->est, down(wanted, "est", NULL));
    near(estimate->lo, down(wanted, "lo", NULL));
    near(estimate->hi, down(wanted, "hi", NULL));
    near(estimate->p, down(wanted, "p", NULL));
    near(1 / ratio, json_array_get(down(wanted, "ratio", NULL), 0));
    near(1 / hi, json_array_get(down(wanted, "ratio", NULL), 1));
    near(1 / lo, json_array_get(down(wanted, "ratio", NULL), 2));
}

static void
e2_main_effects(void **state)
{
    Sweep *sweep = *state;

    make_e2(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    json_t *root = load_json("e2_expected.json");
    json_t *contrasts = down(root, "contrasts", NULL);
    const ReportContrast *cache =
        contrast_of(report, "disk.cache", "writeback");
    const ReportContrast *iothread = contrast_of(report, "disk.iothread", "on");

    check_speed(&cache->estimate, cache->ratio, cache->ratio_lo,
                cache->ratio_hi, down(contrasts, "cache:writeback|main", NULL));
    check_speed(&iothread->estimate, iothread->ratio, iothread->ratio_lo,
                iothread->ratio_hi, down(contrasts, "iothread:on|main", NULL));
    assert_int_equal(cache->contexts, 2);
    assert_int_equal(cache->contexts_total, 2);
    assert_int_equal(cache->verdict, VERDICT_BETTER);
    near(-log(cache->simple_hi),
         down(contrasts, "cache:writeback|iothread=off", "est", NULL));
    near(-log(cache->simple_lo),
         down(contrasts, "cache:writeback|iothread=on", "est", NULL));
    json_decref(root);
}

static void
e2_interaction(void **state)
{
    Sweep *sweep = *state;

    make_e2(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    json_t *root = load_json("e2_expected.json");
    json_t *contrasts = down(root, "contrasts", NULL);
    assert_int_equal(report->interactions->len, 1);
    const ReportInteraction *x = report->interactions->pdata[0];

    check_speed(&x->estimate, x->ratio, x->ratio_lo, x->ratio_hi,
                down(contrasts, "cache:writeback x iothread:on", NULL));
    near(-log(x->a_at_base),
         down(contrasts, "cache:writeback|iothread=off", "est", NULL));
    near(-log(x->a_at_level),
         down(contrasts, "cache:writeback|iothread=on", "est", NULL));
    near(-log(x->b_at_base),
         down(contrasts, "iothread:on|cache=none", "est", NULL));
    near(-log(x->b_at_level),
         down(contrasts, "iothread:on|cache=writeback", "est", NULL));
    assert_true(x->flagged);
    json_decref(root);
}

/* METHOD 14.4: multiplying a block changes nothing, 1/x recoded changes no
 * y, and swapping level and base mirrors the interval. */
static void
invariances(void **state)
{
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    g_autoptr(Report) report = sweep_load(sweep);
    const ReportContrast *there = contrast_of(report, "disk.io", "threads");
    g_autoptr(ReportContrast) back =
        report_contrast_levels(report, 0, "disk.io", "native", "threads");

    assert_non_null(back);
    assert_float_equal(back->estimate.est, -there->estimate.est, 1e-12);
    assert_float_equal(back->estimate.lo, -there->estimate.hi, 1e-12);
    assert_float_equal(back->estimate.p, there->estimate.p, 1e-12);
    Blocks *grid = report->grids->pdata[0];
    for (guint c = 0; c < grid->n_cells; c++)
        for (guint b = 0; b < grid->n_blocks; b++)
            blocks_set(grid, c, b, (b + 1) * 7 / blocks_get(grid, c, b));
    ((ReportMetric *) report->metrics->pdata[0])->higher_better = false;
    report_take_logs(report);
    g_autoptr(ReportContrast) recoded =
        report_contrast_levels(report, 0, "disk.io", "threads", "native");
    assert_float_equal(recoded->estimate.est, there->estimate.est, 1e-12);
    assert_float_equal(recoded->estimate.hi, there->estimate.hi, 1e-12);
    assert_float_equal(recoded->ratio, 1 / there->ratio, 1e-12);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(e1_contrasts),    TEST(e1_cells),       TEST(e1_at_six_blocks),
        TEST(e2_main_effects), TEST(e2_interaction), TEST(invariances),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-oracles", tests, NULL, NULL);
}
