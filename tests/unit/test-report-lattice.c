/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells as points (report/lattice.h). */
#include "report-util.h"

#include "report/lattice.h"

/* 2 x 3 cells, the last excluded, the twin and the host. */
static void
make_cells(Sweep *sweep)
{
    static const char *const cache[] = {"none", "writeback", "unsafe"};
    static const char *const format[] = {"raw", "qcow2"};

    sweep_factor(sweep, "disk.format", "raw", "qcow2", NULL);
    sweep_factor(sweep, "disk.cache", "none", "writeback", "unsafe", NULL);
    for (guint f = 0; f < 2; f++)
        for (guint c = 0; c < 3; c++)
            sweep_cell(sweep, "x", "cell", format[f], cache[c]);
    sweep_cell(sweep, "aa", "aa", "raw", "none");
    sweep_cell(sweep, "host", "host");
    StoreCell *last = sweep->cells->pdata[5];
    g_free(last->state);
    last->state = g_strdup("excluded");
}

static void
moves_to_neighbours(void **state)
{
    Sweep *sweep = *state;

    make_cells(sweep);
    Lattice *lattice = lattice_new(sweep->cells);
    Coordinate qcow2 = {0}, raw = {0}, unsafe = {0}, none = {0};
    assert_true(lattice_coordinate(lattice, "disk.format", "qcow2", &qcow2));
    assert_true(lattice_coordinate(lattice, "disk.format", "raw", &raw));
    assert_true(lattice_coordinate(lattice, "disk.cache", "unsafe", &unsafe));
    assert_true(lattice_coordinate(lattice, "disk.cache", "none", &none));
    const Coordinate both[] = {raw, none};

    assert_int_equal(lattice_move(lattice, 1, &qcow2, 1), 4);
    assert_int_equal(lattice_move(lattice, 4, both, 2), 0);
    assert_int_equal(lattice_move(lattice, 4, NULL, 0), 4);
    assert_int_equal(lattice_move(lattice, 2, &qcow2, 1), LATTICE_NO_CELL);
    /* The twin is no point, but can be moved from one. */
    assert_int_equal(lattice_move(lattice, 6, NULL, 0), 0);
    assert_true(lattice_has(lattice, 2, unsafe));
    assert_false(lattice_has(lattice, 1, unsafe));
    assert_false(lattice_has(lattice, 5, unsafe)); /* excluded */
    assert_false(lattice_has(lattice, 6, raw));    /* the twin */
    lattice_free(lattice);
}

static void
unknown_coordinates(void **state)
{
    Sweep *sweep = *state;

    make_cells(sweep);
    Lattice *lattice = lattice_new(sweep->cells);
    Coordinate any = {7, 7};

    assert_false(lattice_coordinate(lattice, "disk.bus", "sata", &any));
    assert_false(lattice_coordinate(lattice, "disk.cache", "raw", &any));
    assert_int_equal(any.setting, 7);
    lattice_free(lattice);
}

/* A cell with a setting more than another is not like it, unless that setting
 * is taken away. */
static void
further_settings(void **state)
{
    Sweep *sweep = *state;

    make_cells(sweep);
    StoreCell *extra = sweep_cell(sweep, "thin", "cell", "qcow2", "none");
    g_ptr_array_add(extra->settings, g_strdup("disk.prealloc"));
    g_ptr_array_add(extra->levels, g_strdup("metadata"));
    Lattice *lattice = lattice_new(sweep->cells);
    Coordinate raw = {0}, without = {0};

    assert_true(lattice_coordinate(lattice, "disk.format", "raw", &raw));
    assert_true(lattice_coordinate(lattice, "disk.prealloc", NULL, &without));
    assert_int_equal(lattice_move(lattice, 8, &raw, 1), LATTICE_NO_CELL);
    assert_int_equal(lattice_move(lattice, 8, &without, 1), 3);
    lattice_free(lattice);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(moves_to_neighbours),
        TEST(unknown_coordinates),
        TEST(further_settings),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-lattice", tests, NULL, NULL);
}
