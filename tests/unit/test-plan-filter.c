/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --only: which cells stay, and what is refused. */
#include "plan-util.h"

static void
filters(void **state)
{
    static const struct {
        const char *filter, *planned;
        guint comparisons;
    } cases[] = {
        {"qcow2/unsafe", "raw/none qcow2/unsafe aa host", 0},
        {"raw/unsafe", "raw/none raw/unsafe aa host", 1},
        {"raw/unsafe, qcow2/none", "raw/none raw/unsafe qcow2/none aa host", 2},
        {"disk.format=raw", "raw/none raw/writeback raw/unsafe aa host", 2},
        {"disk.cache=unsafe,disk.cache=writeback,disk.format=qcow2",
         "raw/none qcow2/writeback qcow2/unsafe aa host", 0},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Matrix) matrix = plan_matrix(
            "matrix: {disk.format: [raw, qcow2], disk.cache: [none, "
            "writeback, unsafe]}\n" WORKLOADS,
            false);
        g_autoptr(Design) design = plan_design(matrix);

        assert_true(design_filter(design, cases[i].filter, NULL));
        assert_names(design, CELL_PLANNED, cases[i].planned);
        assert_int_equal(design->comparisons, cases[i].comparisons);
        assert_int_equal(design->cells->len, 8);
    }
}

static void
bad_filters(void **state)
{
    static const struct {
        const char *filter, *message;
    } cases[] = {
        {"unsfe", "no cell 'unsfe'; did you mean 'unsafe'?"},
        {"", "'' leaves no planned cell besides the baseline"},
        {"lightning", "no cell 'lightning'; there is none, unsafe, aa, host"},
        {"disk.cahce=none",
         "unknown setting 'disk.cahce'; did you mean 'disk.cache'?"},
        {"disk.cache=writeback",
         "no cell has disk.cache=writeback; there is none, unsafe"},
        {"disk.cache=none",
         "'disk.cache=none' leaves no planned cell besides the baseline"},
    };
    g_autoptr(Matrix) matrix =
        plan_matrix("matrix: {disk.cache: [none, unsafe]}\n" WORKLOADS, false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) err = NULL;

        assert_false(design_filter(design, cases[i].filter, &err));
        assert_string_equal(err->message, cases[i].message);
        assert_int_equal(vs_error_status(err), 2);
        assert_names(design, CELL_PLANNED, "none unsafe aa host");
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters),
        cmocka_unit_test(bad_filters),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
