/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random unbalanced designs against R's lm(), with its alias coefficients, and
 * balanced ones against its anova().
 */
#include "stats-r.h"

#include "stats/ols.h"
#include "stats/shares.h"

/* A weight that is 0 comes out of a few dozen sums. */
#define ZERO 1e-11

/* Rows of text, one digit per term. */
static double *
design_matrix(const json_t *rows, guint n_terms)
{
    guint n_cells = (guint) json_array_size(rows);
    double *x = g_new(double, (gsize) n_cells *n_terms);
    for (guint cell = 0; cell < n_cells; cell++) {
        const char *row = json_string_value(json_array_get(rows, cell));
        assert_int_equal(strlen(row), n_terms);
        for (guint term = 0; term < n_terms; term++)
            x[cell * n_terms + term] = row[term] - '0';
    }
    return x;
}

static guint *
settings_of(const json_t *array)
{
    guint n = (guint) json_array_size(array);
    guint *setting = g_new(guint, n);
    for (guint i = 0; i < n; i++)
        setting[i] = (guint) json_at(array, i);
    return setting;
}

static double
fit(const Ols *ols, guint term, const double *y)
{
    double sum = 0;
    for (guint cell = 0; cell < ols->n_cells; cell++)
        sum += ols_weights(ols, term)[cell] * y[cell];
    return sum;
}

static void
check_aliases(const Ols *ols, const double *x, const json_t *set)
{
    const json_t *want = json_member(set, "alias");
    g_autofree guint *setting = settings_of(json_member(set, "setting"));
    g_autoptr(GArray) products =
        ols_products(x, ols->n_cells, ols->n_terms, setting);
    for (size_t term = 0; term < json_array_size(want); term++) {
        OlsAlias got = ols_worst_alias(ols, x, (guint) term, products);
        if (fabs(fabs(got.a) - json_at(want, term)) > ZERO)
            fail_msg("alias: got %.15g, R says %.15g", got.a,
                     json_at(want, term));
    }
}

static void
check_design(const json_t *set)
{
    const json_t *want = json_member(set, "beta");
    guint n_terms = (guint) json_array_size(want), n_cells = 0;
    g_autofree double *y = json_doubles(json_member(set, "y"), &n_cells);
    g_autofree double *x = design_matrix(json_member(set, "x"), n_terms);
    g_autoptr(Ols) ols = ols_new(x, n_cells, n_terms);
    assert_int_equal(ols->rank, json_double(set, "rank"));
    for (guint term = 0; term < n_terms; term++) {
        const json_t *able =
            json_array_get(json_member(set, "estimable"), term);
        assert_int_equal(ols->estimable[term], json_is_true(able));
        if (json_is_true(able))
            check_r(fit(ols, term, y), json_at(want, term), "beta");
    }
    check_aliases(ols, x, set);
}

static void
test_designs(void **state)
{
    (void) state;
    for_each_r("r/designs.json", check_design);
}

static void
check_shares(const json_t *set)
{
    guint n_settings = 0, n_cells = 0, n_sets = 0;
    g_autofree guint *levels = settings_of(json_member(set, "levels"));
    g_autofree double *means =
        json_doubles(json_member(set, "means"), &n_cells);
    g_autofree double *want = json_doubles(json_member(set, "shares"), &n_sets);
    n_settings = (guint) json_array_size(json_member(set, "levels"));
    g_autofree double *got = g_new(double, n_sets);
    assert_int_equal(n_sets, 1u << n_settings);
    assert_true(shares_of_variance(means, levels, n_settings, got));
    for (guint i = 0; i < n_sets; i++)
        check_r(got[i], want[i], "share");
}

static void
test_shares(void **state)
{
    (void) state;
    for_each_r("r/shares.json", check_shares);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_designs),
        cmocka_unit_test(test_shares),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
