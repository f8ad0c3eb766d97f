/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Least-squares weights by singular values.  (X'X)^-1 X' is the pseudo-inverse
 * of X where X has full rank; where it has not, the pseudo-inverse still gives
 * the weights of every term that can be told from the others, and the null
 * space says which terms cannot.
 */
#include "stats/ols.h"

#include <math.h>

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

/* Singular values below this part of the largest count as 0: dummies of a few
 * hundred cells stay above 1e-3, rounding leaves 1e-15. */
#define SINGULAR 1e-9
/* A term takes part in the null space above this share; its unit vectors have
 * simple fractions there, or rounding. */
#define IN_NULL_SPACE 1e-6
/* Weights below this are rounding of 0.  They must be 0: a cell of weight 0 is
 * not needed in a block. */
#define NO_WEIGHT 1e-12
/* Two |a| closer than this are equal: which one is named must not depend on
 * rounding. */
#define SAME_ALIAS 1e-9

typedef struct Svd {
    gsl_matrix *u, *v;
    gsl_vector *s;
    double cutoff;
} Svd;

static void
svd_clear(Svd *svd)
{
    g_clear_pointer(&svd->u, gsl_matrix_free);
    g_clear_pointer(&svd->v, gsl_matrix_free);
    g_clear_pointer(&svd->s, gsl_vector_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Svd, svd_clear)

/* GSL wants as many rows as columns at least; rows of 0 change nothing. */
static void
svd_of(Svd *svd, const double *x, guint n_cells, guint n_terms)
{
    svd->u = gsl_matrix_calloc(MAX(n_cells, n_terms), n_terms);
    svd->v = gsl_matrix_alloc(n_terms, n_terms);
    svd->s = gsl_vector_alloc(n_terms);
    for (guint cell = 0; cell < n_cells; cell++)
        for (guint term = 0; term < n_terms; term++)
            gsl_matrix_set(svd->u, cell, term, x[cell * n_terms + term]);
    gsl_linalg_SV_decomp_jacobi(svd->u, svd->v, svd->s);
    svd->cutoff = gsl_vector_get(svd->s, 0) * SINGULAR;
}

static gboolean
svd_is_null(const Svd *svd, guint at)
{
    return gsl_vector_get(svd->s, at) <= svd->cutoff;
}

static gboolean
is_estimable(const Svd *svd, guint term, guint n_terms)
{
    for (guint at = 0; at < n_terms; at++)
        if (svd_is_null(svd, at) &&
            fabs(gsl_matrix_get(svd->v, term, at)) > IN_NULL_SPACE)
            return FALSE;
    return TRUE;
}

/* One entry of V S^-1 U'. */
static double
weight(const Svd *svd, guint term, guint cell, guint n_terms)
{
    double sum = 0;
    for (guint at = 0; at < n_terms; at++)
        if (!svd_is_null(svd, at))
            sum += gsl_matrix_get(svd->v, term, at) *
                   gsl_matrix_get(svd->u, cell, at) /
                   gsl_vector_get(svd->s, at);
    return fabs(sum) < NO_WEIGHT ? 0 : sum;
}

Ols *
ols_new(const double *x, guint n_cells, guint n_terms)
{
    g_assert(n_terms > 0);
    g_auto(Svd) svd = {NULL, NULL, NULL, 0};
    svd_of(&svd, x, n_cells, n_terms);
    Ols *ols = g_new0(Ols, 1);
    ols->n_cells = n_cells;
    ols->n_terms = n_terms;
    ols->weights = g_new0(double, (gsize) n_terms *n_cells);
    ols->estimable = g_new0(gboolean, n_terms);
    for (guint term = 0; term < n_terms; term++) {
        ols->rank += !svd_is_null(&svd, term);
        ols->estimable[term] = is_estimable(&svd, term, n_terms);
        if (!ols->estimable[term])
            continue;
        for (guint cell = 0; cell < n_cells; cell++)
            ols->weights[term * n_cells + cell] =
                weight(&svd, term, cell, n_terms);
    }
    return ols;
}

void
ols_free(Ols *ols)
{
    if (!ols)
        return;
    g_free(ols->weights);
    g_free(ols->estimable);
    g_free(ols);
}

const double *
ols_weights(const Ols *ols, guint term)
{
    g_assert(term < ols->n_terms);
    return ols->weights + (gsize) term * ols->n_cells;
}

static gboolean
occurs(const double *x, guint n_cells, guint n_terms, const OlsProduct *product)
{
    for (guint cell = 0; cell < n_cells; cell++) {
        const double *row = x + (gsize) cell * n_terms;
        if (row[product->first] * row[product->second] != 0)
            return TRUE;
    }
    return FALSE;
}

GArray *
ols_products(const double *x, guint n_cells, guint n_terms,
             const guint *setting)
{
    GArray *products = g_array_new(FALSE, FALSE, sizeof(OlsProduct));
    for (guint first = 1; first < n_terms; first++) {
        for (guint second = first + 1; second < n_terms; second++) {
            OlsProduct product = {first, second};
            if (setting[first] != setting[second] &&
                occurs(x, n_cells, n_terms, &product))
                g_array_append_val(products, product);
        }
    }
    return products;
}

double
ols_alias(const Ols *ols, const double *x, guint term,
          const OlsProduct *product)
{
    const double *weights = ols_weights(ols, term);
    if (!ols->estimable[term])
        return NAN;
    double sum = 0;
    for (guint cell = 0; cell < ols->n_cells; cell++) {
        const double *row = x + (gsize) cell * ols->n_terms;
        sum += weights[cell] * row[product->first] * row[product->second];
    }
    return sum;
}

OlsAlias
ols_worst_alias(const Ols *ols, const double *x, guint term,
                const GArray *products)
{
    OlsAlias worst = {.a = ols->estimable[term] ? 0 : NAN};
    for (guint i = 0; i < products->len; i++) {
        double a =
            ols_alias(ols, x, term, &g_array_index(products, OlsProduct, i));
        if (fabs(a) > fabs(worst.a) + SAME_ALIAS)
            worst = (OlsAlias){.a = a, .product = i};
    }
    return worst;
}
