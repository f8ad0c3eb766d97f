/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of cells within a block and of workloads within a cell. */
#include "plan-util.h"

static void
assert_order(const Design *design, guint64 seed, guint block,
             const char *expected)
{
    g_autoptr(GString) got = g_string_new(NULL);
    g_autofree guint *order = NULL;
    guint length = 0;

    design_block_order(design, seed, block, &order, &length);
    for (guint i = 0; i < length; i++)
        g_string_append_printf(got, "%s%u", i ? " " : "", order[i]);
    assert_string_equal(got->str, expected);
}

static void
block_order(void **state)
{
    g_autoptr(Matrix) four = plan_matrix("matrix: {disk.cache: [none, unsafe, "
                                         "writeback, directsync]}\n" WORKLOADS,
                                         false);
    g_autoptr(Matrix) eight = plan_matrix(
        "matrix: {vcpus: [1, 2, 3, 4, 5, 6, 7, 8]}\n" WORKLOADS, false);
    g_autoptr(Design) six = plan_design(four);
    g_autoptr(Design) ten = plan_design(eight);

    (void) state;
    assert_order(six, 42, 1, "1 0 3 5 2 4");
    assert_order(six, 42, 2, "1 3 0 5 4 2");
    assert_order(six, 42, 3, "0 2 3 1 5 4");
    assert_order(six, 42, 4, "0 1 2 5 3 4");
    assert_order(ten, 0, 1, "6 8 3 7 9 1 0 4 5 2");
    assert_order(ten, G_MAXUINT64, 1, "5 7 3 6 4 8 1 2 0 9");
}

/* Cells that are not planned take no part; the others keep their index. */
static void
block_order_skips(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix: {disk.cache: [none, writethrough, unsafe, writeback, "
        "directsync]}\n"
        "exclude: [{disk.cache: writethrough, why: slow}]\n" WORKLOADS,
        false);
    g_autoptr(Design) design = plan_design(matrix);

    (void) state;
    assert_order(design, 42, 1, "2 0 4 6 3 5");
}

static void
workload_order(void **state)
{
    static const guint expected[][5] = {
        {2, 1, 4, 0, 3}, {1, 2, 4, 0, 3}, {2, 3, 1, 4, 0}};
    g_autoptr(Matrix) matrix = plan_matrix(
        "matrix: {disk.cache: [none, unsafe]}\n"
        "workloads: [fs.fsync, fs.dsync, fs.seqwrite, db.txn, cpu.int]\n",
        false);
    g_autoptr(Design) design = plan_design(matrix);
    guint order[5] = {0};

    (void) state;
    for (guint block = 1; block <= 3; block++) {
        design_workload_order(design, 42, block, order);
        assert_memory_equal(order, expected[block - 1], sizeof(order));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_order),
        cmocka_unit_test(block_order_skips),
        cmocka_unit_test(workload_order),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
