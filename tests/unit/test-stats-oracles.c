/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worked examples E1 and E2 of the method, through the whole chain: logs,
 * contrasts, interval and test, Holm, verdict.
 */
#include "stats-e1.h"
#include "stats-estimate.h"

#include "stats/contrast.h"
#include "stats/holm.h"
#include "stats/signedrank.h"
#include "stats/verdict.h"

#define ALPHA 0.05
#define DELTA 0.02
#define BLOCKS E1_BLOCKS

static void
check_ratio(const Estimate *got, const json_t *want, const char *name)
{
    const json_t *ratio = json_member(want, "ratio");
    const double logs[] = {got->est, got->lo, got->hi};
    assert_int_equal(json_array_size(ratio), 3);
    for (size_t i = 0; i < 3; i++)
        check_near(exp(logs[i]), json_number_value(json_array_get(ratio, i)),
                   ORACLE_TOLERANCE, name);
}

/* ------------------------------------------------------------------- E1 */

static void
check_e1_row(const Estimate *got, double adjusted, const double *d,
             const json_t *want, const char *name)
{
    assert_int_equal(got->n, json_integer_value(json_member(want, "n")));
    const json_t *want_d = json_member(want, "d");
    for (guint i = 0; i < got->n; i++)
        check_near(d[i], json_number_value(json_array_get(want_d, i)),
                   ORACLE_TOLERANCE, name);
    check_estimate(got, want, name);
    check_ratio(got, want, name);
    check_near((got->hi - got->lo) / 2, json_double(want, "halfwidth"),
               ORACLE_TOLERANCE, name);
    check_near(adjusted, json_double(want, "p_holm"), ORACLE_TOLERANCE, name);
    Verdict verdict = verdict_decide(got->lo, got->hi, adjusted, DELTA, ALPHA);
    assert_string_equal(verdict_name(verdict),
                        json_text(want, "verdict_delta2pct"));
    Interval t = student_interval(d, got->n, ALPHA);
    const json_t *want_t = json_member(want, "t_log");
    check_near(t.est, json_double(want_t, "est"), ORACLE_TOLERANCE, name);
    check_near(t.lo, json_double(want_t, "lo"), ORACLE_TOLERANCE, name);
    check_near(t.hi, json_double(want_t, "hi"), ORACLE_TOLERANCE, name);
    check_near(t.p, json_double(want_t, "p"), ORACLE_TOLERANCE, name);
}

static void
test_e1(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = e1_load();
    json_t *root = oracle_json("e1_expected.json");
    const json_t *contrasts = json_member(root, "contrasts");
    double d[E1_CELLS][BLOCKS];
    Estimate got[E1_CELLS];
    double p[E1_CELLS], adjusted[E1_CELLS];
    for (guint cell = 1; cell < E1_CELLS; cell++) {
        guint n = e1_differences(blocks, cell, d[cell]);
        guint family = cell <= E1_LEVELS ? E1_LEVELS : 1;
        got[cell] = contrast_infer(d[cell], n, family, ALPHA);
        p[cell] = got[cell].p;
    }
    holm_adjust(p + 1, E1_LEVELS, adjusted + 1);
    holm_adjust(p + 1 + E1_LEVELS, 1, adjusted + 1 + E1_LEVELS);
    for (guint cell = 1; cell < E1_CELLS; cell++)
        check_e1_row(&got[cell], adjusted[cell], d[cell],
                     json_member(contrasts, e1_cells[cell]), e1_cells[cell]);
    json_decref(root);
}

/* After six blocks the interval is exact, but 2^-5 is above .05/4: the
 * family's p is Student's, that of the twin, alone in its family, is not. */
static void
test_e1_look_at_6(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = e1_load();
    json_t *root = oracle_json("e1_expected.json");
    const json_t *look = json_member(root, "look_at_6_blocks");
    for (guint cell = 1; cell < E1_CELLS; cell++) {
        double d[BLOCKS];
        e1_differences(blocks, cell, d);
        guint family = cell <= E1_LEVELS ? E1_LEVELS : 1;
        Estimate got = contrast_infer(d, 6, family, ALPHA);
        check_estimate(&got, json_member(look, e1_cells[cell]), e1_cells[cell]);
        assert_int_equal(got.ci_method, METHOD_EXACT);
        assert_int_equal(got.p_method,
                         cell <= E1_LEVELS ? METHOD_T : METHOD_EXACT);
    }
    json_decref(root);
}

static void
test_e1_cell_medians(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = e1_load();
    json_t *root = oracle_json("e1_expected.json");
    const json_t *medians = json_member(root, "cell_median");
    for (guint cell = 0; cell < E1_CELLS; cell++) {
        double x[BLOCKS];
        for (guint block = 0; block < BLOCKS; block++)
            x[block] = exp(blocks_get(blocks, cell, block));
        const json_t *want = json_member(medians, e1_cells[cell]);
        Interval got = median_interval(x, BLOCKS, ALPHA);
        check_near(got.est, json_double(want, "median"), ORACLE_TOLERANCE,
                   e1_cells[cell]);
        check_near(got.lo, json_double(want, "lo"), ORACLE_TOLERANCE,
                   e1_cells[cell]);
        check_near(got.hi, json_double(want, "hi"), ORACLE_TOLERANCE,
                   e1_cells[cell]);
        check_near(got.confidence, json_double(want, "conf"), ORACLE_TOLERANCE,
                   e1_cells[cell]);
        assert_int_equal(got.k, json_integer_value(json_member(want, "k")));
    }
    json_decref(root);
}

/* ------------------------------------------------------------------- E2 */

enum { NONE_OFF, NONE_ON, WRITEBACK_OFF, WRITEBACK_ON, E2_CELLS };

static const struct {
    const char *name;
    double weights[E2_CELLS];
} e2_contrasts[] = {
    {"cache:writeback|main", {-.5, -.5, .5, .5}},
    {"iothread:on|main", {-.5, .5, -.5, .5}},
    {"cache:writeback x iothread:on", {1, -1, -1, 1}},
    {"cache:writeback|iothread=off", {-1, 0, 1, 0}},
    {"cache:writeback|iothread=on", {0, -1, 0, 1}},
    {"iothread:on|cache=none", {-1, 1, 0, 0}},
    {"iothread:on|cache=writeback", {0, 0, -1, 1}},
};
#define E2_FAMILY 3 /* the first three are adjusted together */

static Blocks *
e2_load(void)
{
    Blocks *blocks = blocks_new(E2_CELLS, BLOCKS);
    g_autoptr(GPtrArray) rows = oracle_csv("e2_factorial.csv");
    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        guint cell = (strcmp(row[1], "writeback") == 0 ? 2 : 0) +
                     (strcmp(row[2], "on") == 0 ? 1 : 0);
        blocks_set(blocks, cell, (guint) g_ascii_strtoull(row[0], NULL, 10) - 1,
                   contrast_log(g_ascii_strtod(row[3], NULL), FALSE));
    }
    return blocks;
}

static void
test_e2(void **state)
{
    (void) state;
    g_autoptr(Blocks) blocks = e2_load();
    json_t *root = oracle_json("e2_expected.json");
    const json_t *contrasts = json_member(root, "contrasts");
    double p[G_N_ELEMENTS(e2_contrasts)], adjusted[E2_FAMILY];
    assert_int_equal(json_object_size(contrasts), G_N_ELEMENTS(e2_contrasts));
    for (guint i = 0; i < G_N_ELEMENTS(e2_contrasts); i++) {
        const char *name = e2_contrasts[i].name;
        double d[BLOCKS];
        guint n = contrast_differences(blocks, e2_contrasts[i].weights, d);
        assert_int_equal(n, BLOCKS);
        Estimate got = contrast_infer(d, n, 1, ALPHA);
        const json_t *want = json_member(contrasts, name);
        check_estimate(&got, want, name);
        check_ratio(&got, want, name);
        p[i] = got.p;
    }
    holm_adjust(p, E2_FAMILY, adjusted);
    const json_t *holm = json_member(root, "holm_over_main1_main2_interaction");
    for (guint i = 0; i < E2_FAMILY; i++)
        check_near(adjusted[i], json_number_value(json_array_get(holm, i)),
                   ORACLE_TOLERANCE, "Holm over mains and interaction");
    json_decref(root);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e1),
        cmocka_unit_test(test_e1_look_at_6),
        cmocka_unit_test(test_e1_cell_medians),
        cmocka_unit_test(test_e2),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
