/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Covering arrays, row by row in the manner of AETG: each step makes several
 * candidate rows and keeps the one with the most pairs that no row has yet.
 * A candidate begins with a pair that is open, of the level with the most
 * open pairs; the other factors follow in an order drawn from the seed, each
 * with the level that closes most pairs with those before it.  Ties go to the
 * level with more open pairs, then to the lower one, and between candidates
 * to the earlier one.  A finished candidate is improved one factor at a time.
 * At the end rows go whose pairs others have.  All of this is tried twice,
 * with the random numbers going on; the shorter array is then shortened
 * (pairwise-shorten.c).
 */
#include <string.h>
#include "plan/pairwise-make.h"

/* Candidates a row: AETG's 50 is where more stopped to pay. */
#define CANDIDATES 50
/* How often the whole is tried; the shortest one is worked on. */
#define TRIES 2
/* Steps of the search through the rules, in all: some seconds.  Rules that
 * people write take a thousandth of it. */
#define STEPS_MAX G_GUINT64_CONSTANT(300000000)

typedef struct Generator {
    const PairModel *model;
    guint *offset; /* of each factor's level 0 among all levels */
    guint total;   /* all levels of all factors */
    guint8 *open;  /* total x total, both ways: the pair is in no row yet */
    guint *left;   /* by level: how many of its pairs are open */
    guint n_open;
    guint64 *steps; /* left for the search through the rules */
    Random random;
    guint *order; /* of factors, drawn anew for every candidate */
    GPtrArray *rows;
} Generator;

static void
generator_clear(Generator *gen)
{
    g_clear_pointer(&gen->offset, g_free);
    g_clear_pointer(&gen->open, g_free);
    g_clear_pointer(&gen->left, g_free);
    g_clear_pointer(&gen->order, g_free);
    g_clear_pointer(&gen->rows, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Generator, generator_clear)

static guint8 *
pair_open(const Generator *gen, guint a, guint b)
{
    return &gen->open[(gsize) a * gen->total + b];
}

/* Calls a level of a row by its number among all levels. */
static guint
level_id(const Generator *gen, guint factor, guint level)
{
    return gen->offset[factor] + level;
}

static void
set_open(Generator *gen, guint a, guint b, bool open)
{
    int step = open ? 1 : -1;

    if (*pair_open(gen, a, b) == open)
        return;
    *pair_open(gen, a, b) = *pair_open(gen, b, a) = open;
    gen->left[a] += step;
    gen->left[b] += step;
    gen->n_open += step;
}

/* ------------------------------------------------------------------ pairs */

static bool
pair_feasible(const Generator *gen, guint *row, PairLevel a, PairLevel b)
{
    const PairModel *model = gen->model;
    bool feasible = true;

    if (!model->bound[a.factor] && !model->bound[b.factor])
        return true;
    row[a.factor] = a.level;
    row[b.factor] = b.level;
    feasible = pair_row_completable(model, row, gen->steps);
    row[a.factor] = row[b.factor] = PAIR_UNSET;
    return feasible;
}

static void
open_factors(Generator *gen, guint *row, guint f, guint g)
{
    const PairModel *model = gen->model;

    for (guint i = 0; i < model->levels[f]; i++)
        for (guint j = 0; j < model->levels[g]; j++)
            if (pair_feasible(gen, row, (PairLevel){f, i}, (PairLevel){g, j}))
                set_open(gen, level_id(gen, f, i), level_id(gen, g, j), true);
}

/* Opens every feasible pair. */
static void
open_pairs(Generator *gen)
{
    guint n = gen->model->factors;
    g_autofree guint *row = g_new(guint, n);

    memset(row, 0xff, n * sizeof(*row)); /* PAIR_UNSET everywhere */
    if (!pair_row_completable(gen->model, row, gen->steps))
        return;
    for (guint f = 0; f < n; f++)
        for (guint g = f + 1; g < n; g++)
            open_factors(gen, row, f, g);
}

static void
close_row(Generator *gen, const guint *row)
{
    for (guint f = 0; f < gen->model->factors; f++)
        for (guint g = f + 1; g < gen->model->factors; g++)
            set_open(gen, level_id(gen, f, row[f]), level_id(gen, g, row[g]),
                     false);
}

static void
generator_init(Generator *gen, const PairModel *model, guint64 *steps)
{
    gen->model = model;
    gen->steps = steps;
    gen->offset = g_new0(guint, model->factors);
    for (guint f = 0; f < model->factors; f++) {
        gen->offset[f] = gen->total;
        gen->total += model->levels[f];
    }
    gen->open = g_new0(guint8, (gsize) gen->total * gen->total);
    gen->left = g_new0(guint, gen->total);
    open_pairs(gen);
}

/* ------------------------------------------------------------- candidates */

/* Open pairs of a level with the factors of a row that are set. */
static guint
gain_of(const Generator *gen, const guint *row, guint factor, guint level)
{
    const guint8 *open = pair_open(gen, level_id(gen, factor, level), 0);
    guint gain = 0;

    for (guint g = 0; g < gen->model->factors; g++)
        if (row[g] != PAIR_UNSET && g != factor)
            gain += open[level_id(gen, g, row[g])];
    return gain;
}

/* Whether a level can be put into a row that can be completed. */
static bool
fits(const Generator *gen, guint *row, guint factor, guint level)
{
    guint before = row[factor];
    bool fit = true;

    if (!gen->model->bound[factor])
        return true;
    row[factor] = level;
    fit = pair_row_completable(gen->model, row, gen->steps);
    row[factor] = before;
    return fit;
}

/* The best level of one factor beside what is set; PAIR_UNSET when there are
 * no steps left. */
static guint
best_level(const Generator *gen, guint *row, guint factor)
{
    guint best = row[factor], best_gain = 0, best_left = 0;

    if (best != PAIR_UNSET) {
        best_gain = gain_of(gen, row, factor, best);
        best_left = G_MAXUINT;
    }
    for (guint level = 0; level < gen->model->levels[factor]; level++) {
        guint gain = gain_of(gen, row, factor, level);
        guint left = gen->left[level_id(gen, factor, level)];
        bool better = best == PAIR_UNSET || gain > best_gain ||
                      (gain == best_gain && left > best_left);

        if (better && fits(gen, row, factor, level)) {
            best = level;
            best_gain = gain;
            best_left = left;
        }
    }
    return best;
}

static guint
row_gain(const Generator *gen, const guint *row)
{
    guint gain = 0;

    for (guint f = 0; f < gen->model->factors; f++)
        gain += gain_of(gen, row, f, row[f]);
    return gain / 2;
}

static PairLevel
level_of_id(const Generator *gen, guint id)
{
    guint f = gen->model->factors - 1;

    while (gen->offset[f] > id)
        f--;
    return (PairLevel){f, id - gen->offset[f]};
}

/* One of the levels whose score is `best`, drawn.  There is one. */
static guint
random_best(Generator *gen, const guint *score, guint best)
{
    guint n = 0, k = 0;

    for (guint id = 0; id < gen->total; id++)
        n += score[id] == best;
    k = (guint) random_bounded(&gen->random, n);
    for (guint id = 0;; id++)
        if (score[id] == best && k-- == 0)
            return id;
}

/* Puts an open pair into an empty row: a level with the most open pairs, and
 * a partner drawn from those it has open. */
static void
begin_row(Generator *gen, guint *row)
{
    guint most = 0, id = 0, partner = 0;
    PairLevel one = {0}, other = {0};
    g_autofree guint *score = g_new0(guint, gen->total);

    for (guint i = 0; i < gen->total; i++)
        most = MAX(most, gen->left[i]);
    id = random_best(gen, gen->left, most);
    for (guint i = 0; i < gen->total; i++)
        score[i] = *pair_open(gen, id, i);
    partner = random_best(gen, score, 1);
    one = level_of_id(gen, id);
    other = level_of_id(gen, partner);
    row[one.factor] = one.level;
    row[other.factor] = other.level;
}

/* Changes one factor after the other for as long as that closes more. */
static void
improve_row(const Generator *gen, guint *row)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (guint i = 0; i < gen->model->factors; i++) {
            guint f = gen->order[i];
            guint level = best_level(gen, row, f);

            changed |= level != row[f];
            row[f] = level;
        }
    }
}

/* NULL when there are no steps left. */
static guint *
make_candidate(Generator *gen)
{
    guint n = gen->model->factors;
    g_autofree guint *row = g_new(guint, n);

    memset(row, 0xff, n * sizeof(*row)); /* PAIR_UNSET everywhere */
    begin_row(gen, row);
    random_shuffle(&gen->random, gen->order, n);
    for (guint i = 0; i < n; i++)
        if (row[gen->order[i]] == PAIR_UNSET)
            row[gen->order[i]] = best_level(gen, row, gen->order[i]);
    if (!*gen->steps)
        return NULL;
    improve_row(gen, row);
    return g_steal_pointer(&row);
}

static guint *
best_candidate(Generator *gen)
{
    g_autofree guint *best = NULL;
    guint best_gain = 0;

    for (guint i = 0; i < CANDIDATES; i++) {
        g_autofree guint *row = make_candidate(gen);
        guint gain = row ? row_gain(gen, row) : 0;

        if (gain > best_gain) {
            best_gain = gain;
            g_free(best);
            best = g_steal_pointer(&row);
        }
    }
    return g_steal_pointer(&best);
}

/* -------------------------------------------------------------- reduction */

/* Adds `step` to the number of rows that have each pair of a row; returns
 * whether each was in another row as well before. */
static bool
count_row(const Generator *gen, guint *counts, const guint *row, int step)
{
    bool spare = true;

    for (guint f = 0; f < gen->model->factors; f++)
        for (guint g = f + 1; g < gen->model->factors; g++) {
            guint *count =
                &counts[(gsize) level_id(gen, f, row[f]) * gen->total +
                        level_id(gen, g, row[g])];

            spare &= *count > 1;
            *count += step;
        }
    return spare;
}

/* Removes rows whose every pair is in other rows, the first ones first: the
 * last ones hold the pairs that were hard to place. */
static void
drop_spare_rows(const Generator *gen, GPtrArray *rows, const guint *given)
{
    g_autofree guint *counts = g_new0(guint, (gsize) gen->total * gen->total);

    if (given)
        count_row(gen, counts, given, 1);
    for (guint i = 0; i < rows->len; i++)
        count_row(gen, counts, rows->pdata[i], 1);
    for (guint i = 0; i < rows->len;) {
        if (count_row(gen, counts, rows->pdata[i], 0)) {
            count_row(gen, counts, rows->pdata[i], -1);
            g_ptr_array_remove_index(rows, i);
        } else {
            i++;
        }
    }
}

/* One array for the pairs that are open now; they stay open.  NULL when there
 * are no steps left. */
static GPtrArray *
try_rows(const Generator *start, Random *random, const guint *given)
{
    g_auto(Generator) gen = *start;
    gsize pairs = (gsize) gen.total * gen.total;

    gen.offset =
        g_memdup2(start->offset, gen.model->factors * sizeof(*gen.offset));
    gen.open = g_memdup2(start->open, pairs * sizeof(*gen.open));
    gen.left = g_memdup2(start->left, gen.total * sizeof(*gen.left));
    gen.order = g_new0(guint, gen.model->factors);
    gen.rows = g_ptr_array_new_with_free_func(g_free);
    gen.random = *random;
    while (gen.n_open) {
        guint *row = best_candidate(&gen);

        if (!row)
            return NULL;
        close_row(&gen, row);
        g_ptr_array_add(gen.rows, row);
    }
    drop_spare_rows(&gen, gen.rows, given);
    *random = gen.random;
    return g_steal_pointer(&gen.rows);
}

GPtrArray *
pairwise_rows(const PairModel *model, const guint *given, guint64 seed)
{
    g_auto(Generator) gen = {0};
    g_autoptr(GPtrArray) best = NULL;
    guint64 steps = STEPS_MAX;
    Random random = {0};

    random_init(&random, seed);
    generator_init(&gen, model, &steps);
    if (given)
        close_row(&gen, given);
    for (guint i = 0; i < TRIES && steps; i++) {
        g_autoptr(GPtrArray) rows = try_rows(&gen, &random, given);

        if (rows && (!best || rows->len < best->len)) {
            g_clear_pointer(&best, g_ptr_array_unref);
            best = g_steal_pointer(&rows);
        }
    }
    if (best) {
        const PairSpace space = {model, gen.offset, gen.total, gen.open};

        pairwise_shorten(&space, &random, best);
        drop_spare_rows(&gen, best, given);
    }
    return g_steal_pointer(&best);
}
