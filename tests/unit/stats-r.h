/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of src/stats against R: the files of tests/data/oracles/r,
 * which make.R there writes (make oracles-r).
 */
#pragma once

#include "stats-util.h"

/* What differences and weighted sums of logarithms of about 7 lose: far below
 * anything that is measured. */
#define R_CANCELLED 1e-12

/* An estimate; probabilities are for check_near(), which is relative only. */
static inline void
check_r(double got, double want, const char *what)
{
    double allowed = ORACLE_TOLERANCE * fabs(want) + R_CANCELLED;
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= allowed))
        fail_msg("%s: got %.15g, R says %.15g", what, got, want);
}

/* Runs a check on each member of an array of objects in a file. */
static inline void
for_each_r(const char *name, void (*check)(const json_t *object))
{
    json_t *root = oracle_json(name);
    assert_true(json_array_size(root) > 0);
    for (size_t i = 0; i < json_array_size(root); i++)
        check(json_array_get(root, i));
    json_decref(root);
}

static inline double
json_at(const json_t *array, size_t i)
{
    const json_t *value = json_array_get(array, i);
    assert_true(json_is_number(value) || json_is_null(value));
    return json_is_null(value) ? NAN : json_number_value(value);
}

/* The numbers of an array, NaN for null; free it. */
static inline double *
json_doubles(const json_t *array, guint *n)
{
    assert_true(json_is_array(array));
    *n = (guint) json_array_size(array);
    double *x = g_new(double, MAX(*n, 1));
    for (guint i = 0; i < *n; i++)
        x[i] = json_at(array, i);
    return x;
}
