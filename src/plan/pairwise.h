/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Covering arrays of strength 2 (METHOD 3.3): few rows in which every pair of
 * levels of two factors that may stand together does so at least once.  The
 * product of the levels is never expanded.
 *
 * Rows for models without rules, seed 1, against what PICT publishes
 * (github.com/microsoft/pict, docs/efficiency.md); tests/unit/
 * test-plan-pairwise.c prints and checks them:
 *
 *   model           rows  PICT        model   rows
 *   3^4                9     9        2^10       8
 *   3^13              18    18        4^10      29
 *   4^15 3^17 2^29    38    37        5^10      42
 *   4^1 3^39 2^35     27    27        3^100     32
 *   2^100             15    15
 *   10^20            191   210
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* A factor that has no level yet in a row that is being filled. */
#define PAIR_UNSET G_MAXUINT

typedef struct PairLevel {
    guint factor, level;
} PairLevel;

typedef struct PairModel {
    guint factors;
    guint *levels;   /* how many, by factor; at least 1 */
    bool *bound;     /* by factor: whether a rule names it */
    GPtrArray *sets; /* GArray * of PairLevel: none may be whole in a row */
} PairModel;

PairModel *pair_model_new(const guint *levels, guint factors);
/* No row may have all of these levels at once. */
void pair_model_forbid(PairModel *model, const PairLevel *set, guint length);
void pair_model_free(PairModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PairModel, pair_model_free)

/* Whether a row holds a forbidden set.  Factors may be PAIR_UNSET. */
bool pair_row_forbidden(const PairModel *model, const guint *row);
/* Whether the unset factors of a row can be given levels so that it holds no
 * forbidden set.  Searches: quick for rules as people write them, but not
 * for every puzzle that can be put in them. */
bool pair_row_completable(const PairModel *model, const guint *row);

/* The rows (guint *, owned, one level a factor) for a model.  The same model
 * and seed give the same rows.  A `given` row (or NULL) is measured anyway:
 * its pairs count as covered, and it is not among the rows.  No rows when
 * nothing is feasible, and for less than two factors. */
GPtrArray *pairwise_rows(const PairModel *model, const guint *given,
                         guint64 seed);
