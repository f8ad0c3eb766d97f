/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runner's own book-keeping: tally, latency, directories of sweeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/file.h"
#include "data/store.h"
#include "run/latency.h"
#include "run/sweepdir.h"
#include "run/tally.h"
#include "stats/histogram.h"

#define CELLS 3
#define BLOCKS 4

/* Three planned cells, the first of them the baseline. */
static Design *
small_design(void)
{
    Design *design = g_new0(Design, 1);

    design->cells = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < CELLS; i++) {
        Cell *cell = g_new0(Cell, 1);

        cell->index = i;
        cell->baseline = i == 0;
        g_ptr_array_add(design->cells, cell);
    }
    return design;
}

static void
small_design_free(Design *design)
{
    g_ptr_array_unref(design->cells);
    g_free(design);
}

static void
tries_are_counted(void **state)
{
    Design *design = small_design();
    g_autoptr(Tally) tally = tally_new(design, BLOCKS, /* retries= */ 2);

    (void) state;
    assert_int_equal(tally_left(tally, BLOCKS), CELLS * BLOCKS);
    assert_int_equal(tally_next_try(tally, 1, 0), 1);
    tally_add(tally, 1, 0, OUTCOME_OK, NULL);
    assert_int_equal(tally_next_try(tally, 1, 0), 0);
    assert_true(tally_partial(tally, 1));

    /* A failed attempt is tried three times in all. */
    tally_add(tally, 1, 1, OUTCOME_HANG, "x");
    assert_int_equal(tally_next_try(tally, 1, 1), 2);
    tally_add(tally, 1, 1, OUTCOME_INVALID, "x");
    assert_int_equal(tally_next_try(tally, 1, 1), 3);
    tally_add(tally, 1, 1, OUTCOME_INVALID, "x");
    assert_int_equal(tally_next_try(tally, 1, 1), 0);
    assert_int_equal(tally_failed_cells(tally), 1);

    /* An interrupted one does not count. */
    tally_add(tally, 1, 2, OUTCOME_INTERRUPTED, "x");
    assert_int_equal(tally_next_try(tally, 1, 2), 1);
    tally_add(tally, 1, 2, OUTCOME_OK, NULL);
    assert_false(tally_partial(tally, 1));
    assert_int_equal(tally_tries(tally), 5);

    /* A second lost block: the cell is left out. */
    for (guint i = 0; i < 3; i++)
        tally_add(tally, 2, 1, OUTCOME_HANG, "x");
    assert_int_equal(tally_next_try(tally, 3, 1), 0);
    assert_int_equal(tally_next_try(tally, 3, 2), 1);

    tally_discard(tally, 1);
    assert_int_equal(tally_next_try(tally, 1, 0), 1);
    small_design_free(design);
}

static void
tally_refusals(void **state)
{
    Design *design = small_design();
    g_autoptr(Tally) tally = tally_new(design, BLOCKS, 2);

    (void) state;
    tally_add(tally, 1, 1, OUTCOME_REFUSED, "no such thing");
    assert_int_equal(tally_next_try(tally, 1, 1), 0);
    assert_null(tally_unsupported(tally, 1));
    tally_add(tally, 2, 1, OUTCOME_REFUSED, "no such thing");
    assert_string_equal(tally_unsupported(tally, 1), "no such thing");
    tally_add(tally, 1, 2, OUTCOME_REFUSED, "one");
    tally_add(tally, 2, 2, OUTCOME_REFUSED, "another");
    assert_null(tally_unsupported(tally, 2));
    /* What is unsupported has not failed. */
    assert_int_equal(tally_failed_cells(tally), 1);
    small_design_free(design);
}

/* Splitting a histogram into lines changes nothing. */
static void
latency_lines(void **state)
{
    AttemptHist whole = {.bins = g_array_new(FALSE, FALSE, sizeof(HistBin))};
    AttemptHist parts = {.bins = g_array_new(FALSE, FALSE, sizeof(HistBin))};
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(HistBin));

    (void) state;
    for (guint i = 0; i < 100; i++) {
        HistBin bin = {.index = histogram_bin(1000 * (i + 1)), .count = 3};
        g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(HistBin));

        if (all->len &&
            g_array_index(all, HistBin, all->len - 1).index == bin.index)
            g_array_index(all, HistBin, all->len - 1).count += bin.count;
        else
            g_array_append_val(all, bin);
        g_array_append_val(one, bin);
        latency_merge(&parts, one);
    }
    latency_merge(&whole, all);
    assert_int_equal(whole.n, 300);
    assert_int_equal(parts.n, 300);
    assert_int_equal(whole.bins->len, parts.bins->len);
    for (double p = 1; p < 100; p += 7)
        assert_true(latency_percentile_us(&whole, p) ==
                    latency_percentile_us(&parts, p));
    assert_true(latency_percentile_us(&whole, 50) >= 50 &&
                latency_percentile_us(&whole, 50) <= 50.4);
    g_array_unref(whole.bins);
    g_array_unref(parts.bins);
}

static void
make_sweep(const char *name, const char *key, const char *status)
{
    g_autofree char *dir = g_build_filename(SWEEPDIR_ROOT, name, NULL);
    g_autofree char *db = g_build_filename(dir, SWEEPDIR_DB, NULL);
    g_autoptr(Store) store = NULL;

    assert_true(file_mkdir(dir, NULL));
    store = store_create(db, NULL);
    assert_non_null(store);
    assert_true(store_set(store, "sweep.key", key, NULL));
    assert_true(store_set(store, "status", status, NULL));
}

static void
sweep_directories(void **state)
{
    g_autofree char *top = g_dir_make_tmp("vsweep-run-XXXXXX", NULL);
    g_autofree char *before = g_get_current_dir();
    g_autofree char *unfinished = NULL, *none = NULL, *found = NULL;
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_int_equal(chdir(top), 0);
    assert_null(sweepdir_resolve(NULL, &err));
    assert_int_equal(vs_error_status(err), 2);
    make_sweep("cache-20260101-000000", "A", "finished");
    make_sweep("cache-20260102-000000", "A", "interrupted");
    make_sweep("cache-modes-20260103-000000", "B", "running");
    unfinished = sweepdir_unfinished(SWEEPDIR_ROOT, "A");
    assert_string_equal(unfinished, SWEEPDIR_ROOT "/cache-20260102-000000");
    none = sweepdir_unfinished(SWEEPDIR_ROOT, "C");
    assert_null(none);
    /* A name is not the beginning of another name. */
    found = sweepdir_resolve("cache", NULL);
    assert_non_null(strstr(found, "/cache-2026010"));
    assert_int_equal(chdir(before), 0);
    assert_true(file_remove(top, NULL));
}

static void
sweep_names_are_new(void **state)
{
    g_autofree char *top = g_dir_make_tmp("vsweep-run-XXXXXX", NULL);
    g_autofree char *one = sweepdir_create(top, "n", NULL);
    g_autofree char *two = sweepdir_create(top, "n", NULL);

    (void) state;
    assert_string_not_equal(one, two);
    assert_true(file_remove(top, NULL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tries_are_counted),
        cmocka_unit_test(tally_refusals),
        cmocka_unit_test(latency_lines),
        cmocka_unit_test(sweep_directories),
        cmocka_unit_test(sweep_names_are_new),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
