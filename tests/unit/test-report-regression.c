/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Screening: the least-squares effects of E4a and E4b of METHOD 12 through the
 * database and the model, and what is said of them.
 */
#include "report-sweeps.h"

#include <jansson.h>
#include "report/regression.h"

/* METHOD 12: 1e-9 on logs; the files hold ten significant digits. */
#define TOLERANCE 1e-9

static void
near(double x, double wanted)
{
    if (fabs(x - wanted) > TOLERANCE)
        fail_msg("%.12g instead of %.12g", x, wanted);
}

static json_t *
load_json(const char *name)
{
    g_autofree char *path = g_strconcat("tests/data/oracles/", name, NULL);
    g_autofree char *text = read_source(path);
    json_t *root = json_loads(text, 0, NULL);

    assert_non_null(root);
    return root;
}

static double
element(const json_t *root, const char *name, gsize at)
{
    return json_number_value(json_array_get(json_object_get(root, name), at));
}

static const struct {
    const char *setting, *level;
} e4a_rows[] = {{"disk.cache", "writeback"},
                {"disk.io", "threads"},
                {"disk.format", "raw"}};

static void
make_e4a(Sweep *sweep, const json_t *root)
{
    const json_t *x = json_object_get(root, "X");

    common_facts(sweep);
    sweep_facts(sweep, "design", "half", "primary", "exec.e4a.score", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writeback", NULL);
    sweep_factor(sweep, "disk.io", "native", "threads", NULL);
    sweep_factor(sweep, "disk.format", "qcow2", "raw", NULL);
    for (guint i = 0; i < 4; i++) {
        const json_t *row = json_array_get(x, i);
        g_autofree char *name = g_strdup_printf("cell%u", i);

        sweep_cell(sweep, name, "cell",
                   json_number_value(json_array_get(row, 1)) != 0 ? "writeback"
                                                                  : "none",
                   json_number_value(json_array_get(row, 2)) != 0 ? "threads"
                                                                  : "native",
                   json_number_value(json_array_get(row, 3)) != 0 ? "raw"
                                                                  : "qcow2");
    }
    sweep_design(sweep);
    for (guint i = 0; i < 4; i++) {
        g_autofree char *name = g_strdup_printf("cell%u", i);
        Attempt *attempt = sweep_attempt(sweep, 1, name);

        sweep_value(attempt, "exec.e4a", "exec.e4a.score", "op/s", true,
                    element(root, "y_raw", i));
        sweep_put(sweep, attempt);
    }
}

/* A design of no known name is screening too. */
static void
e4a(void **state)
{
    Sweep *sweep = *state;
    json_t *root = load_json("e4a_expected.json");

    make_e4a(sweep, root);
    g_autoptr(Report) report = sweep_load(sweep);
    for (guint i = 0; i < G_N_ELEMENTS(e4a_rows); i++) {
        const ReportContrast *c =
            report_contrast(report, 0, e4a_rows[i].setting, e4a_rows[i].level);

        near(c->estimate.est, element(root, "beta", i + 1));
        near(c->ratio, exp(element(root, "beta", i + 1)));
        assert_true(c->screening);
        /* Three interactions by half each, the first is named. */
        near(fabs(c->alias), 0.5);
    }
    const ReportContrast *a =
        report_contrast(report, 0, "disk.cache", "writeback");
    assert_string_equal(a->alias_of, "disk.cache=writeback x disk.io=threads");
    near(a->alias, 0.5);
    near(log(a->median_base), log(100));
    near(log(a->median_level), log(100) + element(root, "beta", 1));
    json_decref(root);
}

/* "cache=writeback" of the oracle. */
static char *
short_name(const char *setting, const char *level)
{
    return g_strdup_printf("%s=%s", strchr(setting, '.') + 1, level);
}

static void
check_e4b(const ReportContrast *c, const json_t *root)
{
    g_autofree char *name = short_name(c->setting, c->level);
    const json_t *beta = json_object_get(json_object_get(root, "beta"), name);
    const json_t *worst =
        json_object_get(json_object_get(root, "worst_alias"), name);
    const json_t *size = json_array_get(worst, 0);

    assert_non_null(beta);
    near(c->estimate.est, json_number_value(beta));
    near(c->ratio, exp(json_number_value(beta)));
    near(fabs(c->alias), json_number_value(size));
}

static void
e4b(void **state)
{
    Sweep *sweep = *state;
    json_t *root = load_json("e4b_expected.json");

    make_e4b(sweep, 1, NULL);
    g_autoptr(Report) report = sweep_load(sweep);
    assert_int_equal(report->contrasts->len, 7);
    assert_int_equal(((ReportMetric *) report->metrics->pdata[0])->comparisons,
                     7);
    for (guint i = 0; i < report->contrasts->len; i++)
        check_e4b(report->contrasts->pdata[i], root);
    assert_string_equal(
        report_contrast(report, 0, "disk.cache", "writeback")->alias_of,
        "disk.cache=writeback x disk.io=io_uring");
    assert_string_equal(
        report_contrast(report, 0, "disk.io", "native")->alias_of,
        "disk.cache=directsync x disk.io=native");
    assert_string_equal(
        report_contrast(report, 0, "disk.io", "io_uring")->alias_of,
        "disk.io=io_uring x disk.format=qcow2");
    double fitted = json_number_value(
        json_object_get(json_object_get(root, "beta"), "(intercept)"));
    near(log(report_contrast(report, 0, "disk.io", "native")->median_base),
         fitted);
    json_decref(root);
}

/* Any two levels of a setting: the same fit against another base. */
static void
other_base(void **state)
{
    Sweep *sweep = *state;

    make_screening(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autoptr(ReportContrast) c =
        report_contrast_levels(report, 0, "disk.cache", "unsafe", "writeback");
    g_autoptr(ReportContrast) back =
        report_contrast_levels(report, 0, "disk.cache", "none", "writeback");
    const ReportContrast *there =
        report_contrast(report, 0, "disk.cache", "writeback");

    assert_true(c->screening);
    assert_float_equal(c->ratio, 1725.0 / 1269, 0.02);
    assert_float_equal(back->estimate.est, -there->estimate.est, 1e-12);
    assert_float_equal(back->estimate.lo, -there->estimate.hi, 1e-12);
}

/* The settings with the largest effects, largest first. */
static void
confirmation(void **state)
{
    Sweep *sweep = *state;

    make_screening(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *line = report_confirmation(report);
    g_autofree char *text = text_of(report, report_text);

    assert_string_equal(line, "design: full:disk.cache,disk.io,disk.format");
    assert_non_null(strstr(text, line));
    assert_int_equal(report->interactions->len, 0);
}

/* Where writes count, the level that ignores flushes is not compared; the
 * others are, since the fit takes it out of them. */
static void
unsafe_in_the_fit(void **state)
{
    Sweep *sweep = *state;

    make_e4b(sweep, 10, wobble);
    for (guint block = 1; block <= 10; block++)
        for (guint i = 0; i < sweep->cells->len; i++) {
            const StoreCell *cell = sweep->cells->pdata[i];
            Attempt *attempt = sweep_attempt(sweep, block, cell->name);

            attempt->try = 2;
            sweep_value(attempt, "fs.fsync", "fs.fsync.p50", "us", false,
                        500 * wobble(block, i));
            sweep_put(sweep, attempt);
        }
    g_autoptr(Report) report = sweep_load(sweep);
    guint metric = (guint) report_metric(report, "fs.fsync.p50");
    const ReportContrast *unsafe =
        report_contrast(report, metric, "disk.cache", "unsafe");
    const ReportContrast *format =
        report_contrast(report, metric, "disk.format", "qcow2");

    assert_true(unsafe->not_comparable);
    assert_string_equal(unsafe->class_level, "N");
    assert_string_equal(unsafe->word, "not comparable: flushes ignored");
    assert_true(format->ignores_flushes);
    assert_false(format->not_comparable);
}

/* A cell that never worked is no part of the fit. */
static void
missing_cell(void **state)
{
    Sweep *sweep = *state;

    make_e4b(sweep, 6, wobble);
    g_autoptr(Report) whole = sweep_load(sweep);
    g_autoptr(Regression) before = regression_new(whole, 0, NULL, NULL);
    const Blocks *logs = report_logs(whole, 0);
    guint gone = sweep_index(sweep, "writeback/io_uring/raw");
    for (guint b = 0; b < logs->n_blocks; b++)
        blocks_set((Blocks *) logs, gone, b, NAN);
    assert_false(regression_fits(before, whole, 0));
    g_autoptr(Regression) after = regression_new(whole, 0, NULL, NULL);
    g_autoptr(ReportContrast) c = regression_contrast(
        after, whole, 0, "disk.cache", "writeback", "none", 7);
    assert_int_equal(c->estimate.n, 6);
    assert_false(c->not_estimable); /* writeback/threads/qcow2 is left */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(e4a),          TEST(e4b),          TEST(other_base),
        TEST(confirmation), TEST(missing_cell), TEST(unsafe_in_the_fit),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-regression", tests, NULL, NULL);
}
