/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Consolidation: the worked example E12 of the method, the search for the
 * peak, and runs without a result.
 */
#include "stats-util.h"

#include "stats/tiles.h"

enum { CPU, FSYNC, RR, WORKLOADS };
static const char *const names[] = {"cpu", "fsync", "rr"};
#define MAX_TILES 4

typedef struct E12 {
    TileWorkload workloads[WORKLOADS];
    TileValue results[MAX_TILES][MAX_TILES * WORKLOADS]; /* [tiles - 1] */
} E12;

static guint
number(const char *text)
{
    return (guint) g_ascii_strtoull(text, NULL, 10);
}

static void
e12_load(E12 *e12)
{
    g_autoptr(GPtrArray) rows = oracle_csv("e12_tiles.csv");
    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        guint workload = 0;
        while (strcmp(names[workload], row[2]) != 0)
            workload++;
        guint at = (number(row[1]) - 1) * WORKLOADS + workload;
        e12->results[number(row[0]) - 1][at] = (TileValue){
            g_ascii_strtod(row[3], NULL), g_ascii_strtod(row[4], NULL)};
    }
    for (guint i = 0; i < WORKLOADS; i++)
        e12->workloads[i] = (TileWorkload){e12->results[0][i], TRUE};
}

static char *
breach_text(const TileBreach *breach)
{
    const char *workload = names[breach->workload];
    guint tile = breach->tile + 1;
    if (breach->measure == TILE_P99)
        return g_strdup_printf("tile %u %s p99 %.2fx>2x", tile, workload,
                               breach->ratio);
    return g_strdup_printf("tile %u %s throughput %.3f<0.8", tile, workload,
                           breach->ratio);
}

/* The oracle keeps the first three reasons. */
static void
check_reasons(const Tiles *tiles, const json_t *reasons)
{
    assert_true(tiles->breaches->len >= json_array_size(reasons));
    for (guint i = 0; i < json_array_size(reasons); i++) {
        g_autofree char *text =
            breach_text(&g_array_index(tiles->breaches, TileBreach, i));
        assert_string_equal(text,
                            json_string_value(json_array_get(reasons, i)));
    }
}

static void
test_e12(void **state)
{
    (void) state;
    E12 e12;
    e12_load(&e12);
    json_t *root = oracle_json("e12_expected.json");
    double scores[MAX_TILES];
    gboolean pass[MAX_TILES];
    for (guint n = 1; n <= MAX_TILES; n++) {
        g_autofree char *member = g_strdup_printf("%u", n);
        const json_t *want = json_member(root, member);
        g_autoptr(Tiles) got =
            tiles_new(e12.workloads, WORKLOADS, e12.results[n - 1], n,
                      &tiles_default_limits);
        for (guint i = 0; i < n; i++)
            check_near(got->tile[i],
                       json_number_value(
                           json_array_get(json_member(want, "tile_scores"), i)),
                       ORACLE_TOLERANCE, "tile");
        check_near(got->score, json_double(want, "score"), ORACLE_TOLERANCE,
                   "score");
        check_near(got->efficiency, json_double(want, "efficiency"),
                   ORACLE_TOLERANCE, "efficiency");
        check_near(got->fairness, json_double(want, "fairness_min_over_max"),
                   ORACLE_TOLERANCE, "fairness");
        check_near(tiles_per_kilowatt(got->score, json_double(want, "watts")),
                   json_double(want, "ppkw"), ORACLE_TOLERANCE, "ppkw");
        assert_int_equal(tiles_pass(got),
                         json_is_true(json_member(want, "qos")));
        check_reasons(got, json_member(want, "reasons"));
        scores[n - 1] = got->score;
        pass[n - 1] = tiles_pass(got);
    }
    json_decref(root);
    TilesPeak peak = tiles_peak(scores, pass, MAX_TILES);
    assert_true(peak.found && peak.n == 3 && scores[3] > scores[2]);
}

/* A missing result is never a good one. */
static void
test_missing_results(void **state)
{
    (void) state;
    const TileWorkload workloads[] = {{{100, 5}, TRUE}, {{2, 0}, FALSE}};
    const TileValue results[] = {{100, 5}, {2.5, 0}, /**/ {0, 4},
                                 {2, 9},   {110, 0}, {NAN, 0}};
    g_autoptr(Tiles) tiles =
        tiles_new(workloads, 2, results, 3, &tiles_default_limits);
    check_near(tiles->tile[0], sqrt(0.8), ROUNDING, "time is inverted");
    assert_true(tiles->tile[1] == 0 && tiles->tile[2] == 0);
    assert_true(tiles->fairness == 0);
    const TileBreach want[] = {
        {1, 0, TILE_VALUE, 0}, {2, 0, TILE_P99, 0}, {2, 1, TILE_VALUE, 0}};
    assert_int_equal(tiles->breaches->len, G_N_ELEMENTS(want));
    for (guint i = 0; i < G_N_ELEMENTS(want); i++) {
        TileBreach got = g_array_index(tiles->breaches, TileBreach, i);
        assert_int_equal(got.tile, want[i].tile);
        assert_int_equal(got.workload, want[i].workload);
        assert_int_equal(got.measure, want[i].measure);
        assert_true(got.ratio == 0);
    }
    assert_true(isnan(tiles_per_kilowatt(2, 0)));
    assert_true(isnan(tiles_joules_per_score(0, 100, 10)));
    check_near(tiles_joules_per_score(2, 100, 10), 500, ROUNDING, "J");
}

static void
test_peak(void **state)
{
    (void) state;
    const double scores[] = {1, 1.9, 1.9, 3};
    const gboolean pass[] = {TRUE, TRUE, TRUE, TRUE};
    const gboolean fail[] = {FALSE};
    TilesPeak peak = tiles_peak(scores, pass, 2);
    assert_true(peak.n == 2 && !peak.found);
    peak =
        tiles_peak(scores, pass, 4); /* 3 does not raise it: 4 is not asked */
    assert_true(peak.n == 2 && peak.found);
    peak = tiles_peak(scores, fail, 1);
    assert_true(peak.n == 0 && peak.found);
    peak = tiles_peak(scores, pass, 0);
    assert_true(peak.n == 0 && !peak.found);
}

static void
test_confirm(void **state)
{
    (void) state;
    const double scores[] = {2.7, 2.9, 2.8};
    const gboolean all[] = {TRUE, TRUE, TRUE}, two[] = {TRUE, FALSE, TRUE};
    TilesConfirmed got = tiles_confirm(scores, all, 3);
    assert_true(got.valid && got.score == 2.8);
    assert_true(got.lowest == 2.7 && got.highest == 2.9);
    assert_false(tiles_confirm(scores, two, 3).valid);
    assert_false(tiles_confirm(scores, all, 2).valid);
    assert_true(isnan(tiles_confirm(scores, all, 0).score));
}

static void
test_window(void **state)
{
    (void) state;
    const double starts[] = {0, 2, 1}, ends[] = {32, 33, 31};
    double from = -1, to = -1;
    assert_false(tiles_window(starts, ends, 3, 4, 30, &from, &to));
    assert_true(from == -1 && to == -1);
    assert_true(tiles_window(starts, ends, 3, 2, 30, &from, &to));
    assert_true(from == 4 && to == 29);
    assert_false(tiles_window(starts, ends, 0, 2, 30, &from, &to));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e12),    cmocka_unit_test(test_missing_results),
        cmocka_unit_test(test_peak),   cmocka_unit_test(test_confirm),
        cmocka_unit_test(test_window),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
