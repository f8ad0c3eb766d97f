/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A resumed sweep and what results.db says its cells are. */
#include <glib/gstdio.h>
#include "plan-util.h"
#include "run/session.h"

#define MATRIX                                  \
    "design: pairwise\n"                        \
    "matrix:\n"                                 \
    "  disk.format: [raw, qcow2]\n"             \
    "  disk.cache: [none, writeback, unsafe]\n" \
    "  disk.io: [threads, io_uring]\n" WORKLOADS

static GPtrArray *
rows_of(const Design *design)
{
    GPtrArray *rows =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_cell_free);

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];
        StoreCell *row = g_new0(StoreCell, 1);

        row->index = i;
        row->name = g_strdup(cell->name);
        row->kind = g_strdup(cell_kind_name(cell->kind));
        row->state = g_strdup(cell_state_name(cell->state));
        row->baseline = cell->baseline;
        row->settings = g_ptr_array_new_with_free_func(g_free);
        row->levels = g_ptr_array_new_with_free_func(g_free);
        for (const Setting *s = setting_table; s->name; s++) {
            if (!cell_is_guest(cell))
                break;
            g_ptr_array_add(row->settings, g_strdup(s->name));
            g_ptr_array_add(row->levels,
                            g_strdup(design_level(design, cell, s)));
        }
        g_ptr_array_add(rows, row);
    }
    return rows;
}

/* A database with these cells. */
static Store *
make_store(const char *dir, const GPtrArray *rows)
{
    g_autofree char *path = g_build_filename(dir, "results.db", NULL);
    g_autoptr(GError) err = NULL;
    Store *store = store_create(path, &err);

    assert_non_null(store);
    assert_true(store_put_design(store, rows, &err));
    return store;
}

static void
remove_store(const char *dir, Store *store)
{
    static const char *const files[] = {"results.db", "results.db-wal",
                                        "results.db-shm"};

    store_close(store);
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(dir, files[i], NULL);

        g_unlink(path);
    }
    assert_int_equal(g_rmdir(dir), 0);
}

/* The planner of another version: rows in another order, and another level in
 * one of them.  Results are kept by index, so that what the database says must
 * win. */
static void
stored_cells_win(void **state)
{
    g_autofree char *dir = g_dir_make_tmp("vs-session-XXXXXX", NULL);
    g_autoptr(Matrix) matrix = plan_matrix(MATRIX, false);
    g_autoptr(Design) design = plan_design(matrix);
    g_autoptr(GPtrArray) rows = rows_of(design);
    StoreCell *one = rows->pdata[1], *two = rows->pdata[2];
    g_autofree char *first = g_strdup(one->name);
    g_autofree char *second = g_strdup(two->name);
    g_autoptr(GError) err = NULL;
    Store *store = NULL;

    (void) state;
    assert_true(one->index == 1 && two->index == 2);
    rows->pdata[1] = two;
    rows->pdata[2] = one;
    two->index = 1;
    one->index = 2;
    store = make_store(dir, rows);
    assert_true(session_restore(store, design, &err));
    assert_string_equal(((Cell *) design->cells->pdata[1])->name, second);
    assert_string_equal(((Cell *) design->cells->pdata[2])->name, first);
    remove_store(dir, store);
}

/* A cell that this version cannot measure: refused, with the way out. */
static void
unknown_cells_are_refused(void **state)
{
    g_autofree char *dir = g_dir_make_tmp("vs-session-XXXXXX", NULL);
    g_autoptr(Matrix) matrix = plan_matrix(MATRIX, false);
    g_autoptr(Design) design = plan_design(matrix);
    g_autoptr(GPtrArray) rows = rows_of(design);
    StoreCell *row = rows->pdata[1];
    g_autoptr(GError) err = NULL;
    Store *store = NULL;

    (void) state;
    g_free(row->settings->pdata[0]);
    row->settings->pdata[0] = g_strdup("disk.colour");
    store = make_store(dir, rows);
    assert_false(session_restore(store, design, &err));
    assert_non_null(strstr(err->message, "cannot be resumed"));
    assert_non_null(strstr(err->message, "--new"));
    assert_non_null(strstr(err->message, "disk."));
    remove_store(dir, store);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_cells_win),
        cmocka_unit_test(unknown_cells_are_refused),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
