/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two sweeps against each other: E7 of METHOD 12, ratios to the baseline of
 * each, and what is refused.
 */
#include "report-sweeps.h"

#include <jansson.h>
#include "report/format.h"
#include "report/parts.h"
#include "report/sweeps.h"

#define TOLERANCE 1e-9

/* Two sweeps and, once loaded, their reports. */
typedef struct Two {
    Sweep *old, *new;
    Report *old_report, *new_report;
} Two;

static int
two_make(void **state)
{
    Two *two = g_new0(Two, 1);
    void *sweep = NULL;

    *state = two;
    if (sweep_make(&sweep))
        return -1;
    two->old = sweep;
    if (sweep_make(&sweep))
        return -1;
    two->new = sweep;
    return 0;
}

static int
two_remove(void **state)
{
    Two *two = *state;
    void *old = two->old, *new = two->new;

    report_free(two->old_report);
    report_free(two->new_report);
    sweep_remove(&old);
    sweep_remove(&new);
    g_free(two);
    return 0;
}

#define TWO(function) \
    cmocka_unit_test_setup_teardown(function, two_make, two_remove)

static void
two_load(Two *two)
{
    two->old_report = sweep_load(two->old);
    two->new_report = sweep_load(two->new);
}

/* ---------------------------------------------------------------------- E7 */

static void
make_e7(Sweep *sweep, const char *which)
{
    g_autoptr(GPtrArray) rows = oracle_rows("e7_unpaired.csv");
    guint block = 0;

    common_facts(sweep);
    sweep_facts(sweep, "design", "ofat", "primary", "exec.e7.time", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writeback", NULL);
    sweep_cell(sweep, "none", "cell", "none");
    sweep_design(sweep);
    for (guint i = 0; i < rows->len; i++) {
        GStrv row = rows->pdata[i];

        if (strcmp(row[0], which) != 0)
            continue;
        Attempt *attempt = sweep_attempt(sweep, ++block, "none");
        sweep_value(attempt, "exec.e7", "exec.e7.time", "s", false,
                    g_ascii_strtod(row[g_strv_length(row) - 1], NULL));
        sweep_put(sweep, attempt);
    }
}

static void
near(double x, const json_t *root, const char *name)
{
    double wanted = json_number_value(json_object_get(root, name));

    if (fabs(x - wanted) > TOLERANCE)
        fail_msg("%s: %.12g instead of %.12g", name, x, wanted);
}

static void
e7(void **state)
{
    Two *two = *state;
    g_autoptr(GError) err = NULL;
    g_auto(SweepComparison) comparison = {0};
    g_autofree char *text = read_source("tests/data/oracles/e7_expected.json");
    json_t *root = json_loads(text, 0, NULL);

    make_e7(two->old, "old");
    make_e7(two->new, "new");
    two_load(two);
    must(sweeps_compare(two->old_report, two->new_report, NULL, false,
                        &comparison, &err));
    assert_int_equal(comparison.rows->len, 1);
    const SweepRow *row = &g_array_index(comparison.rows, SweepRow, 0);
    assert_true(row->absolute);
    near(row->estimate.est, root, "est");
    near(row->estimate.lo, root, "lo");
    near(row->estimate.hi, root, "hi");
    near(row->estimate.p, root, "p");
    near(row->estimate.confidence, root, "conf");
    assert_string_equal(row->word, "better");
    json_decref(root);
}

/* ------------------------------------------------------------------ ratios */

/* A storage sweep on a host `factor` as slow, whose qcow2 is `qcow2` as slow
 * besides. */
static void
make_host(Sweep *sweep, double factor, double qcow2, guint blocks)
{
    begin_storage(sweep);
    sweep_design(sweep);
    for (guint block = 1; block <= blocks; block++)
        for (guint i = 0; i < G_N_ELEMENTS(storage_cells); i++) {
            Invented cell = storage_cells[i];
            double slower =
                factor * (strcmp(cell.cell, "qcow2/none") == 0 ? qcow2 : 1);

            cell.p50 *= slower;
            cell.seqwrite /= slower;
            put_invented(sweep, block, &cell, i);
        }
}

static const SweepRow *
row_of(const SweepComparison *comparison, const char *cell)
{
    for (guint i = 0; i < comparison->rows->len; i++) {
        const SweepRow *row = &g_array_index(comparison->rows, SweepRow, i);
        const StoreCell *own = comparison->old->cells->pdata[row->place];

        if (strcmp(own->name, cell) == 0)
            return row;
    }
    fail_msg("no row %s", cell);
    return NULL;
}

/* A host that became slower as a whole changes no ratio, but the values. */
static void
ratios_leave_the_host_out(void **state)
{
    Two *two = *state;
    g_autoptr(GError) err = NULL;
    g_auto(SweepComparison) comparison = {0};
    g_autoptr(GString) page = g_string_new(NULL);

    make_host(two->old, 1, 1, 8);
    make_host(two->new, 1.5, 1.2, 8);
    two_load(two);
    must(sweeps_compare(two->old_report, two->new_report, "fs.fsync.p50", false,
                        &comparison, &err));
    assert_int_equal(comparison.rows->len, 6); /* all but the twin */
    const SweepRow *same = row_of(&comparison, "raw/writethrough");
    assert_float_equal(same->ratio, 1, 1e-9);
    assert_string_equal(same->word, "equivalent");
    const SweepRow *slower = row_of(&comparison, "qcow2/none");
    assert_float_equal(slower->ratio, 1.2, 1e-9);
    assert_string_equal(slower->word, "worse");
    const SweepRow *baseline = row_of(&comparison, "raw/none");
    assert_true(baseline->absolute);
    assert_float_equal(baseline->ratio, 1.5, 0.02);
    assert_string_equal(row_of(&comparison, "host")->word, "figures only");
    assert_string_equal(row_of(&comparison, "raw/unsafe")->word,
                        "not comparable: flushes ignored");
    must(report_compare_sweeps(two->old_report, two->new_report, NULL, false,
                               page, &err));
    assert_true(format_widest(page->str) <= FORMAT_WIDTH + 40); /* paths */
    assert_non_null(
        strstr(page->str, "unblocked: drift between sweeps not controlled"));
    assert_non_null(strstr(page->str, "\nfs.seqwrite.bw in MB/s"));
    g_string_truncate(page, 0);
    must(report_compare_sweeps_json(two->old_report, two->new_report, NULL,
                                    false, page, &err));
    assert_non_null(strstr(page->str, "\"ratio_to_baseline\""));
}

/* Three blocks against three: figures, no verdict. */
static void
too_few_blocks(void **state)
{
    Two *two = *state;
    g_autoptr(GError) err = NULL;
    g_auto(SweepComparison) comparison = {0};

    make_host(two->old, 1, 1, 3);
    make_host(two->new, 1, 1.2, 3);
    two_load(two);
    must(sweeps_compare(two->old_report, two->new_report, NULL, false,
                        &comparison, &err));
    assert_string_equal(row_of(&comparison, "qcow2/none")->word, "descriptive");
}

/* ---------------------------------------------------------------- refusals */

static void
refused(const Two *two, const char *metric, bool anyway, const char *part)
{
    g_autoptr(GError) err = NULL;
    g_auto(SweepComparison) comparison = {0};

    assert_false(sweeps_compare(two->old_report, two->new_report, metric,
                                anyway, &comparison, &err));
    if (!strstr(err->message, part))
        fail_msg("'%s' not in: %s", part, err->message);
}

static void
other_programs(void **state)
{
    Two *two = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(GString) page = g_string_new(NULL);

    make_host(two->old, 1, 1, 8);
    make_host(two->new, 1, 1, 8);
    sweep_facts(two->new, "version.qemu", "QEMU 10.0.0", "host.boot_id", "x",
                NULL);
    two_load(two);
    refused(two, NULL, false,
            "version.qemu: QEMU 7.2.22 against QEMU 10.0.0); with --anyway");
    must(report_compare_sweeps(two->old_report, two->new_report, NULL, true,
                               page, &err));
    assert_non_null(strstr(
        page->str, "\ndiffers: version.qemu: QEMU 7.2.22 against QEMU 10.0.0"));
    assert_null(strstr(page->str, "boot_id"));
    refused(two, "cpu.hash.rate", true, "'cpu.hash.rate'");
}

/* METHOD 0.1: not even with --anyway. */
static void
emulation_and_kvm(void **state)
{
    Two *two = *state;

    make_host(two->old, 1, 1, 8);
    make_host(two->new, 1, 1, 8);
    sweep_fact(two->new, "accel", "tcg");
    two_load(two);
    refused(two, NULL, true, "the other under emulation");
}

static void
other_baselines(void **state)
{
    Two *two = *state;

    make_host(two->old, 1, 1, 8);
    make_e7(two->new, "new");
    two_load(two);
    refused(two, NULL, true, "the baselines differ (raw/none against none)");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TWO(e7),
        TWO(ratios_leave_the_host_out),
        TWO(too_few_blocks),
        TWO(other_programs),
        TWO(emulation_and_kvm),
        TWO(other_baselines),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-across", tests, NULL, NULL);
}
