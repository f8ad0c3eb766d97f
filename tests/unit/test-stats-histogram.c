/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The histogram: worked example E8, and that bins tile the 64-bit numbers.
 */
#include "stats-util.h"

#include "base/random.h"
#include "stats/histogram.h"

#define LAST_BIN 7423u /* of 2^64 - 1 */

static gint64
nth(const json_t *array, size_t i)
{
    return json_integer_value(json_array_get(array, i));
}

static void
test_e8_bins(void **state)
{
    (void) state;
    json_t *root = oracle_json("e8_expected.json");
    const json_t *values = json_member(root, "values");
    for (size_t i = 0; i < json_array_size(values); i++) {
        guint32 bin = histogram_bin((guint64) nth(values, i));
        assert_int_equal(bin, nth(json_member(root, "bins"), i));
        assert_int_equal(histogram_low(bin), nth(json_member(root, "low"), i));
        assert_int_equal(histogram_high(bin),
                         nth(json_member(root, "high"), i));
    }
    assert_false(histogram_supports(9999, 99.9));
    assert_true(histogram_supports(
        json_integer_value(json_member(root, "p999_min_samples")), 99.9));
    json_decref(root);
}

static gint64
percentile_ms(const guint32 *bins, const gint64 *counts, guint count, gint64 n,
              double p)
{
    /* The high end of a bin is up to 0.78 % above what went in. */
    guint64 ns = histogram_percentile(bins, counts, count, n, p);
    return (gint64) (ns / 1000000);
}

static void
check_percentiles(const json_t *want, const guint32 *bins, const gint64 *counts,
                  guint count, gint64 n)
{
    const char *const names[] = {"50", "90", "99"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        assert_int_equal(percentile_ms(bins, counts, count, n,
                                       g_ascii_strtod(names[i], NULL)),
                         json_integer_value(json_member(want, names[i])));
}

/* Nine operations of 1 ms and one of 100 ms on a 10 ms schedule; back-filled
 * with the 90, 80 ... 10 ms that the stall kept from being seen. */
static void
test_e8_percentiles(void **state)
{
    (void) state;
    json_t *root = oracle_json("e8_expected.json");
    guint32 bins[11] = {histogram_bin(1000000), histogram_bin(100000000)};
    gint64 counts[11] = {9, 1};
    check_percentiles(json_member(root, "uncorrected"), bins, counts, 2, 10);
    for (guint i = 1; i <= 10; i++) {
        bins[i] = histogram_bin(i * 10000000ull);
        counts[i] = 1;
    }
    assert_int_equal(json_integer_value(json_member(root, "corrected_n")), 19);
    check_percentiles(json_member(root, "corrected"), bins, counts, 11, 19);
    json_decref(root);
}

static void
test_bins_tile(void **state)
{
    (void) state;
    assert_int_equal(histogram_bin(G_MAXUINT64), LAST_BIN);
    assert_int_equal(histogram_low(0), 0);
    for (guint32 bin = 0; bin <= LAST_BIN; bin++) {
        guint64 low = histogram_low(bin), high = histogram_high(bin);
        assert_true(low <= high);
        assert_int_equal(histogram_bin(low), bin);
        assert_int_equal(histogram_bin(high), bin);
        if (bin < LAST_BIN)
            assert_true(histogram_low(bin + 1) == high + 1);
        assert_true(high - low <= low / 128);
    }
    assert_true(histogram_high(LAST_BIN) == G_MAXUINT64);
}

static void
test_bins_that_do_not_exist(void **state)
{
    (void) state;
    const guint32 beyond[] = {LAST_BIN + 1, 8192, G_MAXINT32, G_MAXUINT32};
    for (guint i = 0; i < G_N_ELEMENTS(beyond); i++) {
        assert_true(histogram_low(beyond[i]) == G_MAXUINT64);
        assert_true(histogram_high(beyond[i]) == G_MAXUINT64);
    }
}

static int
compare_values(const void *a, const void *b)
{
    guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;
    return (x > y) - (x < y);
}

/* Against the nearest rank of the values themselves. */
static void
test_percentile_of_random_values(void **state)
{
    (void) state;
    const double ranks[] = {1, 50, 90, 99, 99.9, 100};
    enum { COUNT = 10000 };
    g_autofree guint64 *values = g_new(guint64, COUNT);
    g_autofree guint32 *bins = g_new(guint32, COUNT);
    g_autofree gint64 *counts = g_new(gint64, COUNT);
    Random random;
    random_init(&random, 20261130);
    for (guint i = 0; i < COUNT; i++)
        values[i] = random_next(&random) >> (20 + random_bounded(&random, 40));
    qsort(values, COUNT, sizeof *values, compare_values);
    guint used = 0;
    for (guint i = 0; i < COUNT; i++) {
        guint32 bin = histogram_bin(values[i]);
        if (used > 0 && bins[used - 1] == bin) {
            counts[used - 1]++;
            continue;
        }
        bins[used] = bin;
        counts[used++] = 1;
    }
    for (guint i = 0; i < G_N_ELEMENTS(ranks); i++) {
        guint rank = (guint) lrint(ranks[i] * COUNT / 100);
        guint64 want = histogram_high(histogram_bin(values[rank - 1]));
        assert_true(histogram_percentile(bins, counts, used, COUNT, ranks[i]) ==
                    want);
    }
}

static void
test_percentile_edges(void **state)
{
    (void) state;
    const guint32 bins[] = {3, 9};
    const gint64 counts[] = {1, 1};
    assert_int_equal(histogram_percentile(bins, counts, 0, 0, 50), 0);
    assert_int_equal(histogram_percentile(bins, counts, 2, 2, 0), 3);
    assert_int_equal(histogram_percentile(bins, counts, 2, 2, 50), 3);
    assert_int_equal(histogram_percentile(bins, counts, 2, 2, 50.1), 9);
    assert_int_equal(histogram_percentile(bins, counts, 2, 2, 100), 9);
    /* Counts that do not add up to n. */
    assert_int_equal(histogram_percentile(bins, counts, 2, 1000, 99), 9);
}

/* Of 100 values the p-th percentile is the p-th, for every whole p: floating
 * point makes 55/100*100 a little more than 55. */
static void
test_percentile_of_hundred(void **state)
{
    (void) state;
    guint32 bins[100];
    gint64 counts[100];

    for (guint i = 0; i < 100; i++) {
        bins[i] = i + 1;
        counts[i] = 1;
    }
    for (guint p = 1; p <= 100; p++)
        assert_int_equal(histogram_percentile(bins, counts, 100, 100, p), p);
}

static void
test_supports(void **state)
{
    (void) state;
    const struct {
        gint64 n;
        double p;
    } least[] = {{20, 50},      {100, 90},       {1000, 99},
                 {10000, 99.9}, {100000, 99.99}, {200, 95}};
    for (guint i = 0; i < G_N_ELEMENTS(least); i++) {
        assert_true(histogram_supports(least[i].n, least[i].p));
        assert_false(histogram_supports(least[i].n - 1, least[i].p));
    }
    assert_false(histogram_supports(G_MAXINT64, 100));
    assert_false(histogram_supports(0, 50));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e8_bins),
        cmocka_unit_test(test_e8_percentiles),
        cmocka_unit_test(test_bins_tile),
        cmocka_unit_test(test_bins_that_do_not_exist),
        cmocka_unit_test(test_percentile_of_random_values),
        cmocka_unit_test(test_percentile_edges),
        cmocka_unit_test(test_percentile_of_hundred),
        cmocka_unit_test(test_supports),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
