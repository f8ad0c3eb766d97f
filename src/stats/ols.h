/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regression contrasts for designs that are not balanced (METHOD 7.6): each
 * coefficient of a least-squares fit is a weighted sum over cells, so that
 * contrast_differences() and contrast_infer() do its inference block by block.
 *
 * A design matrix x has one row per cell and one column per term, row by row:
 * x[cell * n_terms + term].  The first column is the intercept (all 1), the
 * others are dummies (0 or 1) against the baseline.
 */
#pragma once

#include <glib.h>

typedef struct Ols {
    guint n_cells, n_terms;
    guint rank;          /* below n_terms: some term is not estimable */
    double *weights;     /* (X'X)^-1 X'; weights[term * n_cells + cell] */
    gboolean *estimable; /* per term */
} Ols;

/* Never NULL; n_terms >= 1.  Terms that the cells cannot tell apart are not
 * estimable and have weights 0, with which contrast_differences() finds no
 * block; all others keep their weights. */
Ols *ols_new(const double *x, guint n_cells, guint n_terms);
void ols_free(Ols *ols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Ols, ols_free)

/* One weight per cell, owned by ols. */
const double *ols_weights(const Ols *ols, guint term);

/* A product of two terms (METHOD: a column of X2). */
typedef struct OlsProduct {
    guint first, second;
} OlsProduct;

/* The two-factor products that occur in some cell.  setting[term] says to
 * which setting a dummy belongs: levels of one setting have no product.  Term
 * 0, the intercept, has none. */
GArray *ols_products(const double *x, guint n_cells, guint n_terms,
                     const guint *setting); /* of OlsProduct */

/* The entry of the alias matrix A = W * X2: the estimate of `term` is off by
 * this many times the interaction `product`.  NaN when not estimable. */
double ols_alias(const Ols *ols, const double *x, guint term,
                 const OlsProduct *product);

typedef struct OlsAlias {
    double a;      /* the largest |a|, with its sign; 0 without products */
    guint product; /* index into products; equal ones: the first */
} OlsAlias;

OlsAlias ols_worst_alias(const Ols *ols, const double *x, guint term,
                         const GArray *products);
