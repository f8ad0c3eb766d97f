/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of blocks and the looks between (METHOD 3.4, 4.4). */
#include "plan-util.h"

/* Two levels: one comparison, which needs 6 blocks. */
#define ONE "matrix: {disk.cache: [none, unsafe]}\n" WORKLOADS
/* Ten comparisons, which need 9. */
#define TEN "matrix: {vcpus: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}\n" WORKLOADS

static char *
looks_of(const Design *design)
{
    GString *looks = g_string_new(NULL);

    for (guint block = 1; block <= 1001; block++)
        if (design_is_look(design, block))
            g_string_append_printf(looks, "%s%u", looks->len ? " " : "", block);
    return g_string_free(looks, FALSE);
}

static const struct {
    const char *matrix, *blocks;
    guint min, max;
    const char *looks;
} cases[] = {
    /* Nothing left open: a fixed number. */
    {ONE, "", 8, 8, ""},
    {ONE, "blocks: {min: 10}\n", 10, 10, ""},
    {ONE, "blocks: {min: 4}\n", 4, 4, ""},
    {ONE, "blocks: {max: 3}\n", 3, 3, ""},
    {ONE, "blocks: {min: 8, max: 8, precision: 1%}\n", 8, 8, ""},
    /* A max alone lets it end for half the equivalence band. */
    {ONE, "blocks: {max: 16}\n", 8, 16, "8 10 12 16"},
    {ONE, "blocks: {min: 6, max: 20}\n", 6, 20, "6 8 10 12 16 20"},
    /* Between looks the sweep does not end. */
    {ONE, "blocks: {min: 7, max: 14}\n", 8, 14, "8 10 12"},
    {ONE, "blocks: {min: 13, max: 15}\n", 15, 15, ""},
    /* Never before the bound. */
    {ONE, "blocks: {min: 2, max: 10}\n", 6, 10, "6 8 10"},
    {TEN, "blocks: {min: 2, max: 24}\n", 10, 24, "10 12 16 20 24"},
    {TEN, "blocks: {min: 2, max: 9}\n", 9, 9, ""},
    /* A precision without a max: to the last look. */
    {ONE, "blocks: {precision: 2%}\n", 8, 32, "8 10 12 16 20 24 32"},
    {ONE, "blocks: {min: 40, precision: 2%}\n", 40, 40, ""},
    {ONE, "blocks: {min: 30, max: 1000}\n", 32, 1000, "32"},
    {ONE, "blocks: {min: 40, max: 50}\n", 50, 50, ""},
};

static void
looks(void **state)
{
    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strconcat(cases[i].matrix, cases[i].blocks, NULL);
        g_autoptr(Matrix) matrix = plan_matrix(text, false);
        g_autoptr(Design) design = plan_design(matrix);
        g_autofree char *got = looks_of(design);

        print_message("# %s", *cases[i].blocks ? cases[i].blocks : "default\n");
        assert_int_equal(design->blocks_min, cases[i].min);
        assert_int_equal(design->blocks_max, cases[i].max);
        assert_string_equal(got, cases[i].looks);
    }
}

static void
next_end(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix(ONE "blocks: {min: 8, max: 14}\n", false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_int_equal(design_next_end(design, 1), 8);
    assert_int_equal(design_next_end(design, 8), 8);
    assert_int_equal(design_next_end(design, 9), 10);
    assert_int_equal(design_next_end(design, 13), 14);
    design_fix_blocks(design, 11);
    assert_int_equal(design_next_end(design, 1), 11);
    assert_false(design_is_look(design, 8));
}

/* --quick is three blocks whatever the file says. */
static void
quick(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix(ONE "blocks: {min: 8, max: 14, precision: 1%}\n", true);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_int_equal(design->blocks_min, 3);
    assert_int_equal(design->blocks_max, 3);
}

static bool
is_said(const Design *design, const char *beginning)
{
    g_autoptr(GPtrArray) limits = design_limits(design);

    for (guint i = 0; i < limits->len; i++)
        if (g_str_has_prefix(limits->pdata[i], beginning))
            return true;
    return false;
}

/* METHOD 14.8: the plan warns below the bound, and not at it; below three
 * blocks it promises nothing. */
static void
warnings(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(TEN, false);
    g_autoptr(Design) design = plan_design(matrix);
    guint bound = design_blocks_bound(design->comparisons);

    (void) state;
    assert_int_equal(bound, 9);
    for (guint blocks = 1; blocks <= bound + 1; blocks++) {
        g_autofree char *described =
            g_strdup_printf("%u block%s: figures are described", blocks,
                            blocks == 1 ? "" : "s");
        g_autofree char *tested =
            g_strdup_printf("%u blocks: p-values by t test on logs", blocks);

        design_fix_blocks(design, blocks);
        assert_int_equal(is_said(design, described), blocks < 3);
        assert_int_equal(is_said(design, tested),
                         blocks >= 3 && blocks < bound);
    }
}

/* A precision that nothing looks at is not passed over in silence. */
static void
precision_without_look(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix(ONE "blocks: {max: 8, precision: 2%}\n", false);
    g_autoptr(Design) design = plan_design(matrix);
    g_autoptr(Matrix) other =
        plan_matrix(ONE "blocks: {max: 16, precision: 2%}\n", false);
    g_autoptr(Design) looked_at = plan_design(other);

    (void) state;
    assert_true(is_said(design, "8 blocks: there is no look"));
    assert_false(is_said(looked_at, "8 blocks: there is no look"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks),
        cmocka_unit_test(next_end),
        cmocka_unit_test(quick),
        cmocka_unit_test(warnings),
        cmocka_unit_test(precision_without_look),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
