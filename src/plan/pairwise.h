/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Covering arrays of strength 2 (METHOD 3.3): few rows in which every pair of
 * levels of two factors that may stand together does so at least once.  The
 * product of the levels is never expanded.
 * Sizes against other tools: src/README.md.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* A factor that has no level yet in a row that is being filled. */
#define PAIR_UNSET G_MAXUINT

typedef struct PairLevel {
    guint factor, level;
} PairLevel;

/* Levels that no row may have all at once. */
typedef struct PairSet {
    GArray *members; /* PairLevel */
    char *why;       /* or NULL */
} PairSet;

typedef struct PairModel {
    guint factors;
    guint *levels;     /* how many, by factor; at least 1 */
    GPtrArray *sets;   /* PairSet * */
    GPtrArray **bound; /* by factor: the sets that name it, or NULL */
} PairModel;

PairModel *pair_model_new(const guint *levels, guint factors);
void pair_model_forbid(PairModel *model, const PairLevel *members, guint length,
                       const char *why);
void pair_model_free(PairModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PairModel, pair_model_free)

/* The place in `sets` of the first one that a row holds whole, or -1.  Factors
 * may be PAIR_UNSET. */
int pair_row_forbidden_by(const PairModel *model, const guint *row);
bool pair_row_forbidden(const PairModel *model, const guint *row);

/* Whether the unset factors of a row can be given levels so that it holds no
 * forbidden set.  That is a search: quick for rules as people write them, but
 * any puzzle can be put in them.  Each set it looks at takes one of *steps,
 * and it gives up, with false, when none is left. */
bool pair_row_completable(const PairModel *model, const guint *row,
                          guint64 *steps);

/* The rows (guint *, owned, one level a factor) for a model.  The same model
 * and seed give the same rows.  A `given` row (or NULL) is measured anyway:
 * its pairs count as covered, and it is not among the rows.  No rows when
 * nothing is feasible, and for less than two factors.  NULL when the rules
 * are such a puzzle that the search was given up, after a few seconds. */
GPtrArray *pairwise_rows(const PairModel *model, const guint *given,
                         guint64 seed);
