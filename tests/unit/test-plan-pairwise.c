/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Covering arrays: what must hold for every model, with models that are
 * drawn, and the sizes for those that other tools publish.
 */
#include "base/random.h"
#include "plan/pairwise.h"
#include "plan-util.h"

/* ------------------------------------------------------------- properties */

#define FACTORS_MAX 6

/* Two to six factors of one to four levels, and up to six rules. */
static PairModel *
draw_model(Random *random)
{
    guint n = 2 + (guint) random_bounded(random, FACTORS_MAX - 1);
    guint levels[FACTORS_MAX] = {0};
    guint order[FACTORS_MAX] = {0};
    PairModel *model = NULL;

    for (guint i = 0; i < n; i++)
        levels[i] = 1 + (guint) random_bounded(random, 4);
    model = pair_model_new(levels, n);
    for (guint rules = (guint) random_bounded(random, 7); rules > 0; rules--) {
        guint length = 1 + (guint) random_bounded(random, MIN(n, 3));
        PairLevel set[3] = {0};

        random_shuffle(random, order, n);
        for (guint i = 0; i < length; i++) {
            set[i].factor = order[i];
            set[i].level = (guint) random_bounded(random, levels[order[i]]);
        }
        pair_model_forbid(model, set, length, NULL);
    }
    return model;
}

/* Odometer; false after the last row. */
static bool
next_row(const PairModel *model, guint *row)
{
    for (guint i = model->factors; i > 0; i--) {
        if (++row[i - 1] < model->levels[i - 1])
            return true;
        row[i - 1] = 0;
    }
    return false;
}

static bool
has_pair(const guint *row, PairLevel a, PairLevel b)
{
    return row[a.factor] == a.level && row[b.factor] == b.level;
}

static bool
rows_have(const GPtrArray *rows, const guint *given, PairLevel a, PairLevel b)
{
    for (guint i = 0; i < rows->len; i++)
        if (has_pair(rows->pdata[i], a, b))
            return true;
    return given && has_pair(given, a, b);
}

/* Pairs of two factors that some row of the product has. */
static guint
feasible_pairs(const PairModel *model, guint f, guint g)
{
    bool seen[4][4] = {{false}};
    guint row[FACTORS_MAX] = {0};
    guint n = 0;

    do {
        if (pair_row_forbidden(model, row) || seen[row[f]][row[g]])
            continue;
        seen[row[f]][row[g]] = true;
        n++;
    } while (next_row(model, row));
    return n;
}

/* Every pair of every row of the product that may be is in one of the rows.
 * Returns the number of such rows. */
static guint
assert_covered(const PairModel *model, const GPtrArray *rows,
               const guint *given)
{
    guint row[FACTORS_MAX] = {0};
    guint feasible = 0;

    do {
        if (pair_row_forbidden(model, row))
            continue;
        feasible++;
        for (guint f = 0; f < model->factors; f++)
            for (guint g = f + 1; g < model->factors; g++)
                assert_true(rows_have(rows, given, (PairLevel){f, row[f]},
                                      (PairLevel){g, row[g]}));
    } while (next_row(model, row));
    return feasible;
}

static void
assert_same_rows(const PairModel *model, const GPtrArray *a, const GPtrArray *b)
{
    assert_int_equal(a->len, b->len);
    for (guint i = 0; i < a->len; i++)
        assert_memory_equal(a->pdata[i], b->pdata[i],
                            model->factors * sizeof(guint));
}

/* No array is shorter than two factors have pairs that may be; none has a row
 * twice, or one that is measured anyway. */
static void
assert_short(const PairModel *model, const GPtrArray *rows, const guint *given)
{
    guint most = 0;
    gsize size = model->factors * sizeof(guint);

    for (guint f = 0; f < model->factors; f++)
        for (guint g = f + 1; g < model->factors; g++)
            most = MAX(most, feasible_pairs(model, f, g));
    assert_true(rows->len + (given != NULL) >= most);
    for (guint i = 0; i < rows->len; i++) {
        for (guint j = i + 1; j < rows->len; j++)
            assert_memory_not_equal(rows->pdata[i], rows->pdata[j], size);
        if (given)
            assert_memory_not_equal(rows->pdata[i], given, size);
    }
}

/* The first row of the product that may be; NULL when there is none. */
static guint *
first_feasible(const PairModel *model)
{
    guint *row = g_new0(guint, model->factors);

    do {
        if (!pair_row_forbidden(model, row))
            return row;
    } while (next_row(model, row));
    g_free(row);
    return NULL;
}

static void
drawn_models(void **state)
{
    Random random = {0};
    guint empty = 0, bound = 0;

    (void) state;
    random_init(&random, 3);
    for (guint i = 0; i < 300; i++) {
        g_autoptr(PairModel) model = draw_model(&random);
        /* With and without a row that is measured anyway. */
        g_autofree guint *given = i % 2 ? first_feasible(model) : NULL;
        g_autoptr(GPtrArray) rows = pairwise_rows(model, given, i);
        g_autoptr(GPtrArray) again = pairwise_rows(model, given, i);
        guint feasible = 0;

        for (guint j = 0; j < rows->len; j++) {
            const guint *row = rows->pdata[j];

            assert_false(pair_row_forbidden(model, row));
            for (guint f = 0; f < model->factors; f++)
                assert_true(row[f] < model->levels[f]);
        }
        feasible = assert_covered(model, rows, given);
        assert_short(model, rows, given);
        assert_true(rows->len <= feasible);
        assert_same_rows(model, rows, again);
        empty += feasible == 0;
        bound += model->sets->len > 0 && feasible > 0;
    }
    /* Both kinds were drawn. */
    assert_true(empty > 0);
    assert_true(bound > 150);
}

/* A row that is measured anyway is not repeated, and its pairs count: four
 * rows cover 2^3, and the given one is one of them. */
static void
given_row(void **state)
{
    const guint levels[] = {2, 2, 2};
    const guint given[] = {0, 0, 0};
    g_autoptr(PairModel) model = pair_model_new(levels, 3);
    g_autoptr(GPtrArray) rows = pairwise_rows(model, given, 1);

    (void) state;
    assert_int_equal(rows->len, 3);
    assert_covered(model, rows, given);
}

/* No pair is forbidden, and yet a=1 forces b, which forces c: pairs that only
 * a chain of rules rules out are not waited for. */
static void
chained_rules(void **state)
{
    const guint levels[] = {2, 2, 2, 3};
    const PairLevel ab[] = {{0, 1}, {1, 0}};
    const PairLevel bc[] = {{1, 1}, {2, 0}};
    guint row[] = {1, PAIR_UNSET, 0, PAIR_UNSET};
    guint64 steps = 1000;
    g_autoptr(PairModel) model = pair_model_new(levels, 4);
    g_autoptr(GPtrArray) rows = NULL;

    (void) state;
    pair_model_forbid(model, ab, 2, NULL);
    pair_model_forbid(model, bc, 2, NULL);
    assert_false(pair_row_forbidden(model, row));
    assert_false(pair_row_completable(model, row, &steps));
    row[2] = 1;
    assert_true(pair_row_completable(model, row, &steps));
    rows = pairwise_rows(model, NULL, 1);
    assert_covered(model, rows, NULL);
}

static void
small_models(void **state)
{
    const guint levels[] = {3, 4};
    const PairLevel none[] = {{0, 0}};
    g_autoptr(PairModel) one = pair_model_new(levels, 1);
    g_autoptr(PairModel) two = pair_model_new(levels, 2);
    g_autoptr(GPtrArray) rows_of_one = pairwise_rows(one, NULL, 1);
    g_autoptr(GPtrArray) rows_of_two = pairwise_rows(two, NULL, 1);
    g_autoptr(GPtrArray) rows_of_none = NULL;

    (void) state;
    assert_int_equal(rows_of_one->len, 0);
    assert_int_equal(rows_of_two->len, 12);
    pair_model_forbid(two, none, 0, NULL);
    rows_of_none = pairwise_rows(two, NULL, 1);
    assert_int_equal(rows_of_none->len, 0);
}

/* Twelve factors, no two of which may have the same of their eleven levels:
 * there is no row, but no search of this kind finds that out in a lifetime.
 * It gives up. */
static void
puzzle(void **state)
{
    guint levels[12] = {0};
    g_autoptr(PairModel) model = NULL;
    g_autoptr(GPtrArray) rows = NULL;

    (void) state;
    for (guint i = 0; i < 12; i++)
        levels[i] = 11;
    model = pair_model_new(levels, 12);
    for (guint f = 0; f < 12; f++)
        for (guint g = f + 1; g < 12; g++)
            for (guint level = 0; level < 11; level++) {
                const PairLevel same[] = {{f, level}, {g, level}};

                pair_model_forbid(model, same, 2, NULL);
            }
    rows = pairwise_rows(model, NULL, 1);
    assert_null(rows);
}

/* ------------------------------------------------------------------ sizes */

typedef struct Size {
    const char *name;
    guint parts[9][2]; /* factors, levels */
    guint pict;        /* rows of PICT; 0: not published */
    guint best;        /* the shortest that is published, or can be */
    guint rows;        /* ours: the table of src/README.md */
} Size;

/* PICT and the best of thirteen other tools: github.com/microsoft/pict,
 * docs/efficiency.md.  Without a figure of PICT: the product of the two
 * largest factors, below which no array can be, for 2^10 the minimum of
 * Kleitman and Spencer (1973), for 4^10 the size in Colbourn's tables. */
static const Size sizes[] = {
    {"3^4", {{4, 3}}, 9, 9, 9},
    {"3^13", {{13, 3}}, 18, 15, 15},
    {"4^15 3^17 2^29", {{15, 4}, {17, 3}, {29, 2}}, 37, 29, 29},
    {"4^1 3^39 2^35", {{1, 4}, {39, 3}, {35, 2}}, 27, 21, 21},
    {"2^100", {{100, 2}}, 15, 10, 10},
    {"10^20", {{20, 10}}, 210, 180, 184},
    {"2^10", {{10, 2}}, 0, 6, 6},
    {"4^5", {{5, 4}}, 0, 16, 16},
    {"4^10", {{10, 4}}, 0, 24, 25},
    {"5^6", {{6, 5}}, 0, 25, 25},
    {"5^1 3^8 2^2", {{1, 5}, {8, 3}, {2, 2}}, 0, 15, 15},
    {"5^1 4^4 3^11 2^5", {{1, 5}, {4, 4}, {11, 3}, {5, 2}}, 0, 20, 22},
    {"6^1 5^1 4^6 3^8 2^3",
     {{1, 6}, {1, 5}, {6, 4}, {8, 3}, {3, 2}},
     0,
     30,
     30},
    {"7^1 6^1 5^1 4^6 3^8 2^3",
     {{1, 7}, {1, 6}, {1, 5}, {6, 4}, {8, 3}, {3, 2}},
     0,
     42,
     42},
    {"10^1 9^1 8^1 ... 2^1",
     {{1, 10}, {1, 9}, {1, 8}, {1, 7}, {1, 6}, {1, 5}, {1, 4}, {1, 3}, {1, 2}},
     0,
     90,
     90},
};

static PairModel *
size_model(const Size *size)
{
    guint levels[100] = {0};
    guint n = 0;

    for (guint i = 0; i < G_N_ELEMENTS(size->parts); i++)
        for (guint j = 0; j < size->parts[i][0]; j++)
            levels[n++] = size->parts[i][1];
    return pair_model_new(levels, n);
}

/* Checks all pairs without the product. */
static void
assert_all_pairs(const PairModel *model, const GPtrArray *rows)
{
    for (guint f = 0; f < model->factors; f++)
        for (guint g = f + 1; g < model->factors; g++)
            for (guint i = 0; i < model->levels[f]; i++)
                for (guint j = 0; j < model->levels[g]; j++)
                    assert_true(rows_have(rows, NULL, (PairLevel){f, i},
                                          (PairLevel){g, j}));
}

static void
published_sizes(void **state)
{
    (void) state;
    print_message("%-24s %5s %5s %5s\n", "model", "rows", "PICT", "best");
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        const Size *size = &sizes[i];
        g_autoptr(PairModel) model = size_model(size);
        g_autoptr(GPtrArray) rows = pairwise_rows(model, NULL, 1);
        g_autofree char *pict =
            size->pict ? g_strdup_printf("%u", size->pict) : g_strdup("-");

        print_message("%-24s %5u %5s %5u\n", size->name, rows->len, pict,
                      size->best);
        assert_all_pairs(model, rows);
        assert_true(rows->len * 100 <= size->best * 115); /* 15 % */
        assert_int_equal(rows->len, size->rows);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_models),  cmocka_unit_test(given_row),
        cmocka_unit_test(chained_rules), cmocka_unit_test(small_models),
        cmocka_unit_test(puzzle),        cmocka_unit_test(published_sizes),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
