/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regression contrasts: the worked examples E4a and E4b of the method, and
 * designs in which some term cannot be estimated.
 */
#include "stats-util.h"

#include "stats/contrast.h"
#include "stats/ols.h"

/* Rounding of 0 in sums of a dozen products. */
#define ZERO 1e-12

static void
check_sum(double got, double want, const char *what)
{
    check_near(got + 1, want + 1, ORACLE_TOLERANCE, what);
}

static double
fit(const Ols *ols, guint term, const double *y)
{
    double sum = 0;
    for (guint cell = 0; cell < ols->n_cells; cell++)
        sum += ols_weights(ols, term)[cell] * y[cell];
    return sum;
}

/* ------------------------------------------------------------------ E4a */

#define E4A 4 /* cells, and terms */

static double
at2(const json_t *matrix, guint row, guint column)
{
    const json_t *entry = json_array_get(json_array_get(matrix, row), column);
    assert_true(json_is_number(entry));
    return json_number_value(entry);
}

static void
test_e4a(void **state)
{
    (void) state;
    json_t *root = oracle_json("e4a_expected.json");
    const json_t *beta = json_member(root, "beta");
    const json_t *exp_beta = json_member(root, "exp_beta");
    double x[E4A * E4A], y[E4A];
    for (guint i = 0; i < E4A * E4A; i++)
        x[i] = at2(json_member(root, "X"), i / E4A, i % E4A);
    for (guint i = 0; i < E4A; i++)
        y[i] = log(
            json_number_value(json_array_get(json_member(root, "y_raw"), i)));
    g_autoptr(Ols) ols = ols_new(x, E4A, E4A);
    const OlsProduct products[] = {{1, 2}, {1, 3}, {2, 3}};
    assert_int_equal(ols->rank, E4A);
    for (guint term = 0; term < E4A; term++) {
        assert_true(ols->estimable[term]);
        for (guint cell = 0; cell < E4A; cell++) {
            double want = at2(json_member(root, "weights"), term, cell);
            check_sum(ols_weights(ols, term)[cell], want, "weight");
            /* Not needed means exactly 0. */
            assert_true(want != 0 || ols_weights(ols, term)[cell] == 0);
        }
        double got = fit(ols, term, y);
        check_near(got, json_number_value(json_array_get(beta, term)),
                   ORACLE_TOLERANCE, "beta");
        check_near(exp(got), json_number_value(json_array_get(exp_beta, term)),
                   ORACLE_TOLERANCE, "exp(beta)");
        for (guint i = 0; i < G_N_ELEMENTS(products); i++)
            check_sum(ols_alias(ols, x, term, &products[i]),
                      at2(json_member(root, "alias_AB_AC_BC"), term, i),
                      "alias");
    }
    json_decref(root);
}

/* ------------------------------------------------------------------ E4b */

static const struct {
    const char *name;
    guint column; /* of the CSV file, and the setting */
    const char *level;
} e4b[] = {
    {"(intercept)", G_MAXUINT, NULL},
    {"cache=writeback", 0, "writeback"},
    {"cache=writethrough", 0, "writethrough"},
    {"cache=directsync", 0, "directsync"},
    {"cache=unsafe", 0, "unsafe"},
    {"io=native", 1, "native"},
    {"io=io_uring", 1, "io_uring"},
    {"format=qcow2", 2, "qcow2"},
};
#define E4B_TERMS G_N_ELEMENTS(e4b)
#define E4B_CELLS 12
#define E4B_SCORE 3

static void
e4b_load(double *x, double *y)
{
    g_autoptr(GPtrArray) rows = oracle_csv("e4_pairwise.csv");
    assert_int_equal(rows->len, E4B_CELLS);
    for (guint cell = 0; cell < E4B_CELLS; cell++) {
        char **row = g_ptr_array_index(rows, cell);
        y[cell] = log(g_ascii_strtod(row[E4B_SCORE], NULL));
        for (guint term = 0; term < E4B_TERMS; term++)
            x[cell * E4B_TERMS + term] =
                !e4b[term].level ||
                strcmp(row[e4b[term].column], e4b[term].level) == 0;
    }
}

static char *
product_name(const OlsProduct *product)
{
    return g_strconcat(e4b[product->first].name, " x ",
                       e4b[product->second].name, NULL);
}

/* Where several products alias a term equally, the oracle names one of them
 * and ours may be another. */
static void
check_worst(const Ols *ols, const double *x, guint term, const GArray *products,
            const json_t *want)
{
    double a = json_number_value(json_array_get(want, 0));
    const char *name = json_string_value(json_array_get(want, 1));
    OlsAlias worst = ols_worst_alias(ols, x, term, products);
    gboolean found = FALSE;
    check_near(fabs(worst.a), fabs(a), ORACLE_TOLERANCE, e4b[term].name);
    check_near(ols_alias(ols, x, term,
                         &g_array_index(products, OlsProduct, worst.product)),
               worst.a, ROUNDING, e4b[term].name);
    for (guint i = 0; i < products->len; i++) {
        const OlsProduct *product = &g_array_index(products, OlsProduct, i);
        g_autofree char *got = product_name(product);
        if (strcmp(got, name) != 0)
            continue;
        found = TRUE;
        check_near(ols_alias(ols, x, term, product), a, ORACLE_TOLERANCE, name);
    }
    assert_true(found);
}

static void
test_e4b(void **state)
{
    (void) state;
    double x[E4B_CELLS * E4B_TERMS], y[E4B_CELLS];
    guint setting[E4B_TERMS];
    e4b_load(x, y);
    for (guint term = 0; term < E4B_TERMS; term++)
        setting[term] = e4b[term].column;
    json_t *root = oracle_json("e4b_expected.json");
    const json_t *beta = json_member(root, "beta");
    const json_t *worst = json_member(root, "worst_alias");
    g_autoptr(Ols) ols = ols_new(x, E4B_CELLS, E4B_TERMS);
    g_autoptr(GArray) products = ols_products(x, E4B_CELLS, E4B_TERMS, setting);
    assert_int_equal(ols->rank, E4B_TERMS);
    for (guint term = 0; term < E4B_TERMS; term++) {
        const char *name = e4b[term].name;
        check_near(fit(ols, term, y), json_double(beta, name), ORACLE_TOLERANCE,
                   name);
        if (term > 0)
            check_worst(ols, x, term, products, json_member(worst, name));
    }
    json_decref(root);
}

/* ---------------------------------------------------------- not estimable */

/* Levels b and c always occur together: neither can be estimated, level a
 * still can, and the inference finds no block for the two. */
static void
test_confounded(void **state)
{
    (void) state;
    const double x[] = {1, 0, 0, 0, /**/ 1, 1, 0, 0,
                        1, 0, 1, 1, /**/ 1, 1, 1, 1};
    const double y[] = {1, 3, 10, 12};
    g_autoptr(Ols) ols = ols_new(x, 4, 4);
    assert_int_equal(ols->rank, 3);
    assert_true(ols->estimable[0] && ols->estimable[1]);
    assert_false(ols->estimable[2] || ols->estimable[3]);
    check_near(fit(ols, 0, y), 1, ORACLE_TOLERANCE, "intercept");
    check_near(fit(ols, 1, y), 2, ORACLE_TOLERANCE, "a");
    const OlsProduct product = {1, 2};
    assert_true(isnan(ols_alias(ols, x, 2, &product)));
    g_autoptr(Blocks) blocks = blocks_new(4, 1);
    double d[1];
    for (guint cell = 0; cell < 4; cell++)
        blocks_set(blocks, cell, 0, y[cell]);
    assert_int_equal(contrast_differences(blocks, ols_weights(ols, 1), d), 1);
    assert_int_equal(contrast_differences(blocks, ols_weights(ols, 2), d), 0);
}

static void
test_fewer_cells_than_terms(void **state)
{
    (void) state;
    const double x[] = {1, 0, 0, /**/ 1, 1, 0};
    g_autoptr(Ols) ols = ols_new(x, 2, 3);
    assert_int_equal(ols->rank, 2);
    assert_true(ols->estimable[0] && ols->estimable[1]);
    assert_false(ols->estimable[2]);
    const double y[] = {5, 7};
    check_near(fit(ols, 1, y), 2, ORACLE_TOLERANCE, "a");
    g_autoptr(Ols) empty = ols_new(x, 0, 3);
    assert_int_equal(empty->rank, 0);
    assert_false(empty->estimable[0]);
}

/* A full 2x2 is an orthogonal design: main effects share a half of the
 * interaction, levels of one setting have no product. */
static void
test_products(void **state)
{
    (void) state;
    const double x[] = {1, 0, 0, 0, /**/ 1, 1, 0,      0, /**/ 1, 0,
                        1, 0, 1, 0, 0,      1, /**/ 1, 1, 0,      1};
    const guint setting[] = {G_MAXUINT, 0, 0, 1};
    g_autoptr(GArray) products = ols_products(x, 5, 4, setting);
    assert_int_equal(products->len, 1); /* level 2 never meets setting 1 */
    const OlsProduct *only = &g_array_index(products, OlsProduct, 0);
    assert_int_equal(only->first, 1);
    assert_int_equal(only->second, 3);
    g_autoptr(Ols) ols = ols_new(x, 5, 4);
    check_near(ols_worst_alias(ols, x, 1, products).a, 0.5, ORACLE_TOLERANCE,
               "half of the interaction");
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(OlsProduct));
    assert_true(fabs(ols_worst_alias(ols, x, 1, none).a) < ZERO);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_e4a),
        cmocka_unit_test(test_e4b),
        cmocka_unit_test(test_confounded),
        cmocka_unit_test(test_fewer_cells_than_terms),
        cmocka_unit_test(test_products),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
