/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.db: what goes in comes out.  Opening and refusing are in
 * test-data-open.c, crashes and full disks in test-data-crash.c.
 */
#include "data-util.h"

#include <math.h>

static void
facts(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_create(place->db, &err);
    must(store);

    assert_null(store_get(store, "seed"));
    must(store_set(store, "seed", "42", &err));
    must(store_set(store, "question", "what's \"best\"?\n", &err));
    must(store_set(store, "seed", "43", &err));
    g_autofree char *seed = store_get(store, "seed");
    g_autoptr(GHashTable) all = store_facts(store);
    assert_string_equal(seed, "43");
    assert_int_equal(g_hash_table_size(all), 2);
    assert_string_equal(g_hash_table_lookup(all, "question"),
                        "what's \"best\"?\n");
}

static void
cells_come_in_order(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);

    must(store_set_cell_state(store, 2, "unsupported", "no such bus", &err));
    g_autoptr(GPtrArray) cells = store_cells(store, &err);
    must(cells);
    assert_int_equal(cells->len, 3);
    for (guint i = 0; i < cells->len; i++) {
        const StoreCell *cell = cells->pdata[i];
        assert_int_equal(cell->index, i);
        assert_int_equal(cell->baseline, i == 0);
        assert_int_equal(cell->settings->len, 2);
        assert_string_equal(cell->settings->pdata[1], "disk.io");
        assert_string_equal(cell->levels->pdata[0], cell->name);
    }
    const StoreCell *last = cells->pdata[2];
    assert_string_equal(last->state, "unsupported");
    assert_string_equal(last->why, "no such bus");
    assert_false(store_set_cell_state(store, 9, "planned", NULL, &err));
    assert_non_null(strstr(err->message, "no cell 9"));
}

/* A design that does not fit as a whole leaves nothing. */
static void
design_is_whole_or_absent(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_create(place->db, &err);
    g_autoptr(GPtrArray) cells = three_cells();
    must(store);

    add_cell(cells, 1, "again", false);
    assert_false(store_put_design(store, cells, &err));
    assert_non_null(strstr(err->message, place->db));
    g_clear_error(&err);
    g_autoptr(GPtrArray) none = store_cells(store, &err);
    must(none);
    assert_int_equal(none->len, 0);
    g_ptr_array_remove_index(cells, 3);
    must(store_put_design(store, cells, &err));
}

static void
factors(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_create(place->db, &err);
    StoreFactor b = {(char *) "disk.io", texts("threads", "native", NULL), 1};
    StoreFactor a = {(char *) "disk.cache", texts("none", NULL), 0};
    g_autoptr(GPtrArray) given = g_ptr_array_new();
    must(store);

    g_ptr_array_add(given, &b);
    g_ptr_array_add(given, &a);
    must(store_put_factors(store, given, &err));
    g_autoptr(GPtrArray) got = store_factors(store, &err);
    must(got);
    assert_int_equal(got->len, 2); /* in the order given */
    const StoreFactor *first = got->pdata[0], *second = got->pdata[1];
    assert_string_equal(first->setting, "disk.io");
    assert_int_equal(first->baseline, 1);
    assert_int_equal(first->levels->len, 2);
    assert_string_equal(first->levels->pdata[1], "native");
    assert_string_equal(second->setting, "disk.cache");
    g_ptr_array_unref(a.levels);
    g_ptr_array_unref(b.levels);
}

static void
attempt_round_trip(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) full = full_attempt(1, 0, 5);
    g_autoptr(Attempt) bare = attempt_new(1, 1, 2, 2);
    gint64 id = 0, second = 0;
    must(store);

    attempt_fail(bare, OUTCOME_NO_BOOT, "no READY in 60 s");
    must(store_put_attempt(store, full, &id, &err));
    must(store_put_attempt(store, bare, &second, &err));
    assert_true(second > id);
    g_clear_pointer(&store, store_close);

    store = store_open(place->db, false, &err);
    must(store);
    g_autoptr(Attempt) full_again = store_attempt(store, id, &err);
    must(full_again);
    same_attempt(full, full_again);
    g_autoptr(Attempt) bare_again = store_attempt(store, second, &err);
    must(bare_again);
    same_attempt(bare, bare_again);
    assert_null(store_attempt(store, 99, &err));
    assert_non_null(strstr(err->message, "no attempt 99"));
}

/* NULL in the file for what was never reached, so that SQL cannot subtract
 * from a zero. */
static void
never_reached_is_null(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) bare = attempt_new(1, 0, 1, 0);
    gint64 id = 0;
    must(store);

    must(store_put_attempt(store, bare, &id, &err));
    g_clear_pointer(&store, store_close);
    sql_says(place->db,
             "SELECT t_ready IS NULL AND cpu_s IS NULL AND console IS NULL"
             " FROM attempt",
             "1");
}

static void
cell_must_exist(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) stray = full_attempt(1, 7, 0);
    gint64 id = -5;
    must(store);

    assert_false(store_put_attempt(store, stray, &id, &err));
    assert_non_null(strstr(err->message, "FOREIGN KEY"));
    assert_non_null(strstr(err->message, place->db));
    assert_int_equal(id, -5);
    g_clear_pointer(&store, store_close);
    /* Nothing of it is left, not even its texts. */
    sql_says(place->db, "SELECT count(*) FROM text", "0");
}

static void
equal_texts_are_kept_once(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);

    for (guint block = 1; block <= 10; block++) {
        for (guint cell = 0; cell < 3; cell++) {
            g_autoptr(Attempt) attempt = full_attempt(block, cell, 0);
            gint64 id = 0;
            must(store_put_attempt(store, attempt, &id, &err));
        }
    }
    g_clear_pointer(&store, store_close);
    /* One asked XML a cell; live XML, argv and console once. */
    sql_says(place->db, "SELECT count(*) FROM text", "6");
    sql_says(place->db,
             "SELECT count(DISTINCT live_xml) FROM v_texts"
             " WHERE live_xml IS NOT NULL",
             "1");
}

static void
big_and_odd_texts(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) attempt = full_attempt(1, 0, 0);
    gint64 id = 0;
    must(store);

    g_free(attempt->console);
    attempt->console = g_strdup("panic \xff\xfe \xc3\x28 end");
    g_free(attempt->live_xml);
    attempt->live_xml = g_strnfill(4 << 20, 'x'); /* 4 MiB */
    g_ptr_array_add(attempt->lines, g_strdup("\x80"));
    must(store_put_attempt(store, attempt, &id, &err));
    g_autoptr(Attempt) again = store_attempt(store, id, &err);
    must(again);
    assert_true(g_utf8_validate(again->console, -1, NULL));
    assert_true(g_str_has_prefix(again->console, "panic "));
    assert_true(g_str_has_suffix(again->console, " end"));
    assert_true(g_utf8_validate(again->lines->pdata[FULL_LINES], -1, NULL));
    assert_int_equal(strlen(again->live_xml), 4 << 20);
}

static void
numbers_at_their_limits(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) attempt = attempt_new(G_MAXUINT, G_MAXUINT, 1, 0);
    gint64 id = 0;
    must(store);

    add_value(attempt, "max", G_MAXDOUBLE, true);
    add_value(attempt, "nan", NAN, true);
    add_value(attempt, "inf", INFINITY, true);
    attempt->maxrss_kb = G_MAXINT64;
    must(store_put_attempt(store, attempt, &id, &err));
    g_autoptr(Attempt) again = store_attempt(store, id, &err);
    must(again);
    const AttemptValue *max = again->values->pdata[0];
    const AttemptValue *nan = again->values->pdata[1];
    assert_int_equal(again->block, G_MAXUINT);
    assert_true(again->maxrss_kb == G_MAXINT64);
    assert_true(max->value == G_MAXDOUBLE);
    assert_true(isnan(nan->value));
    /* What is no number is never valid, whatever the attempt says. */
    g_autoptr(GPtrArray) values = store_values(store, &err);
    must(values);
    assert_true(((StoreValue *) values->pdata[0])->valid);
    assert_false(((StoreValue *) values->pdata[1])->valid);
    assert_false(((StoreValue *) values->pdata[2])->valid);
}

/* Lines of one histogram add up. */
static void
bins_add_up(void **state)
{
    const Place *place = *state;
    static const HistBin bins[] = {{7, 2}, {3, 1}, {7, 5}};
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) attempt = attempt_new(1, 0, 1, 0);
    AttemptHist *hist = attempt_hist_new("w", "w.lat");
    gint64 id = 0;
    must(store);

    g_array_append_vals(hist->bins, bins, G_N_ELEMENTS(bins));
    hist->n = 8;
    g_ptr_array_add(attempt->hists, hist);
    must(store_put_attempt(store, attempt, &id, &err));
    g_autoptr(Attempt) again = store_attempt(store, id, &err);
    must(again);
    const AttemptHist *stored = again->hists->pdata[0];
    assert_int_equal(stored->bins->len, 2);
    assert_int_equal(g_array_index(stored->bins, HistBin, 0).index, 3);
    assert_int_equal(g_array_index(stored->bins, HistBin, 1).count, 7);
}

static void
runs_and_values(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) good = full_attempt(1, 0, 1);
    g_autoptr(Attempt) failed = full_attempt(1, 1, 2);
    g_autoptr(Attempt) gone = full_attempt(2, 2, 3);
    gint64 id = 0;
    must(store);

    attempt_fail(failed, OUTCOME_INVALID, "steal: 9 %%");
    must(store_put_attempt(store, good, &id, &err));
    must(store_put_attempt(store, failed, &id, &err));
    must(store_put_attempt(store, gone, &id, &err));
    must(store_discard_block(store, 2, &err));

    g_autoptr(GPtrArray) runs = store_runs(store, &err);
    must(runs);
    assert_int_equal(runs->len, 3);
    const StoreRun *run = runs->pdata[1], *discarded = runs->pdata[2];
    assert_int_equal(run->outcome, OUTCOME_INVALID);
    assert_string_equal(run->reason, "steal: 9 %");
    assert_false(run->discarded);
    assert_true(run->boot_ns == failed->t_ready - failed->t_resume);
    assert_true(run->span_ns == failed->t_end - failed->t_begin);
    assert_memory_equal(run->part_ns, failed->part_ns, sizeof(run->part_ns));
    assert_true(discarded->discarded);

    g_autoptr(GPtrArray) values = store_values(store, &err);
    must(values);
    assert_int_equal(values->len, 2 * FULL_VALUES);
    for (guint i = 0; i < values->len; i++) {
        const StoreValue *value = values->pdata[i];
        const AttemptValue *given = good->values->pdata[i % FULL_VALUES];
        assert_int_equal(value->valid, value->cell == 0 && given->valid);
        assert_int_equal(value->reason == NULL, value->valid);
        assert_int_equal(value->block, 1);
    }
    sql_says(place->db, "SELECT group_concat(valid, '') FROM v_values",
             "101000"); /* by metric, then cell */
}

/* Times of attempts and of the sweep add up, whatever happened to them. */
static void
times_sum(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    gint64 times[PART_MAX], want[PART_MAX] = {0}, span = 0, total = 0;
    must(store);

    for (guint i = 0; i < 12; i++) {
        g_autoptr(Attempt) attempt = full_attempt(1 + i / 3, i % 3, i * 7919);
        gint64 id = 0;
        must(store_put_attempt(store, attempt, &id, &err));
        for (guint part = 0; part < PART_MAX; part++)
            want[part] += attempt->part_ns[part];
        span += attempt->t_end - attempt->t_begin;
    }
    must(store_discard_block(store, 1, &err));
    must(store_times(store, times, &err));
    for (guint part = 0; part < PART_MAX; part++)
        total += times[part];
    assert_true(total == span);
    must(store_add_time(store, PART_PREPARE, 3000000000, &err));
    must(store_add_time(store, PART_PREPARE, 4, &err));
    must(store_add_time(store, PART_OTHER, 5, &err));
    want[PART_PREPARE] += 3000000004;
    want[PART_OTHER] += 5;
    must(store_times(store, times, &err));
    assert_memory_equal(times, want, sizeof(times));
}

static void
damaged_rows_are_named(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) attempt = full_attempt(1, 0, 0);
    gint64 id = 0;
    must(store);

    must(store_put_attempt(store, attempt, &id, &err));
    g_clear_pointer(&store, store_close);
    sql_do(place->db, "UPDATE attempt SET outcome = 'splendid'");
    store = store_open(place->db, false, &err);
    must(store);
    assert_null(store_runs(store, &err));
    assert_non_null(strstr(err->message, "'splendid'"));
}

/* The views are for people; they must at least agree with the rows. */
static void
views(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autoptr(Attempt) attempt = full_attempt(1, 1, 0);
    gint64 id = 0;
    must(store);

    must(store_put_attempt(store, attempt, &id, &err));
    g_clear_pointer(&store, store_close);
    sql_says(place->db, "SELECT cell || boot_ms FROM v_attempts",
             "writeback2500.0");
    sql_says(place->db,
             "SELECT cell || ' ' || value || ' ' || unit || ' ' || better"
             " FROM v_values WHERE metric = 'fs.fsync.p50'",
             "writeback 591.25 us lower");
    sql_says(place->db, "SELECT delta FROM v_counters WHERE name = 'cpu.user'",
             "190");
    /* Bin 1000 of METHOD 6.3: e = 6, low = (104 + 128) << 6, 64 wide. */
    sql_says(place->db, "SELECT low_ns || '-' || high_ns FROM v_hist LIMIT 1",
             "14848-14911");
    sql_says(place->db, "SELECT sum(count) = max(n) FROM v_hist", "1");
    sql_says(place->db, "SELECT asked_xml FROM v_texts",
             "<domain><cell>1</cell></domain>");
}

/* An attempt whose only window has this breach. */
static void
put_window(Store *store, guint block, const char *breach, Outcome outcome)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Attempt) attempt = attempt_new(block, 0, 1, 0);
    AttemptWindow *window = attempt_window_new("fs.fsync", "run", 1);
    gint64 id = 0;

    window->breach = g_strdup(breach);
    g_ptr_array_add(attempt->windows, window);
    if (outcome != OUTCOME_OK)
        attempt_fail(attempt, outcome, "%s", breach);
    must(store_put_attempt(store, attempt, &id, &err));
}

/* Only what was noted: neither voided attempts nor discarded ones. */
static void
gates_of_noted_windows(void **state)
{
    static const struct {
        const char *id;
        guint windows;
    } expected[] = {{"steal", 2}, {"foreign_cpu", 1}, {NULL, 1}};
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);

    put_window(store, 1, "foreign_cpu: 3 % (limit 2 %)", OUTCOME_OK);
    put_window(store, 2, "steal: 6.1 % of 2 vCPUs", OUTCOME_OK);
    put_window(store, 3, "steal: 9 % of 2 vCPUs", OUTCOME_OK);
    put_window(store, 4, NULL, OUTCOME_OK);
    put_window(store, 5, "swap: 1 page", OUTCOME_INVALID);
    put_window(store, 6, "throttle: 1", OUTCOME_OK);
    must(store_discard_block(store, 6, &err));
    g_autoptr(GPtrArray) gates = store_gates(store, &err);
    must(gates);
    assert_int_equal(gates->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < gates->len; i++) {
        const StoreGate *gate = gates->pdata[i];

        assert_int_equal(g_strcmp0(gate->id, expected[i].id), 0);
        assert_int_equal(gate->windows, expected[i].windows);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(facts),
        TEST(cells_come_in_order),
        TEST(design_is_whole_or_absent),
        TEST(factors),
        TEST(attempt_round_trip),
        TEST(never_reached_is_null),
        TEST(cell_must_exist),
        TEST(equal_texts_are_kept_once),
        TEST(big_and_odd_texts),
        TEST(numbers_at_their_limits),
        TEST(bins_add_up),
        TEST(runs_and_values),
        TEST(times_sum),
        TEST(gates_of_noted_windows),
        TEST(damaged_rows_are_named),
        TEST(views),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
