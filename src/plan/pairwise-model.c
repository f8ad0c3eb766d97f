/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of a covering array: levels, forbidden sets of them, and whether
 * a row that is begun can be completed.
 */
#include "plan/pairwise.h"

static void
set_free(PairSet *set)
{
    g_array_unref(set->members);
    g_free(set->why);
    g_free(set);
}

PairModel *
pair_model_new(const guint *levels, guint factors)
{
    PairModel *model = g_new0(PairModel, 1);

    model->factors = factors;
    model->levels = g_memdup2(levels, factors * sizeof(*levels));
    model->bound = g_new0(GPtrArray *, factors);
    model->sets = g_ptr_array_new_with_free_func((GDestroyNotify) set_free);
    return model;
}

void
pair_model_free(PairModel *model)
{
    if (!model)
        return;
    for (guint i = 0; i < model->factors; i++)
        if (model->bound[i])
            g_ptr_array_unref(model->bound[i]);
    g_free(model->levels);
    g_free(model->bound);
    g_ptr_array_unref(model->sets);
    g_free(model);
}

void
pair_model_forbid(PairModel *model, const PairLevel *members, guint length,
                  const char *why)
{
    PairSet *set = g_new0(PairSet, 1);

    set->members = g_array_new(FALSE, FALSE, sizeof(PairLevel));
    set->why = g_strdup(why);
    g_array_append_vals(set->members, members, length);
    g_ptr_array_add(model->sets, set);
    for (guint i = 0; i < length; i++) {
        GPtrArray **bound = &model->bound[members[i].factor];

        if (!*bound)
            *bound = g_ptr_array_new();
        g_ptr_array_add(*bound, set);
    }
}

static bool
set_is_whole(const PairSet *set, const guint *row)
{
    for (guint i = 0; i < set->members->len; i++) {
        const PairLevel *member = &g_array_index(set->members, PairLevel, i);

        if (row[member->factor] != member->level)
            return false;
    }
    return true;
}

int
pair_row_forbidden_by(const PairModel *model, const guint *row)
{
    for (guint i = 0; i < model->sets->len; i++)
        if (set_is_whole(model->sets->pdata[i], row))
            return (int) i;
    return -1;
}

bool
pair_row_forbidden(const PairModel *model, const guint *row)
{
    return pair_row_forbidden_by(model, row) >= 0;
}

/* The same, asking only the sets that name a factor, at a step each. */
static bool
factor_forbidden(const PairModel *model, const guint *row, guint factor,
                 guint64 *steps)
{
    const GPtrArray *sets = model->bound[factor];

    for (guint i = 0; i < sets->len; i++) {
        if (!*steps)
            return true;
        *steps -= 1;
        if (set_is_whole(sets->pdata[i], row))
            return true;
    }
    return false;
}

/* How many levels an unset factor can still have, and the first of them. */
static guint
count_possible(const PairModel *model, guint *row, guint factor,
               guint *ret_first, guint64 *steps)
{
    guint n = 0;

    for (guint level = model->levels[factor]; level-- > 0;) {
        row[factor] = level;
        if (factor_forbidden(model, row, factor, steps))
            continue;
        *ret_first = level;
        n++;
    }
    row[factor] = PAIR_UNSET;
    return n;
}

/* Sets what has one level left until nothing changes.  *ret_next is then the
 * factor with the fewest levels left, or PAIR_UNSET when none is unset. */
static bool
propagate(const PairModel *model, guint *row, guint *ret_next, guint64 *steps)
{
    guint fewest = 0;

    *ret_next = PAIR_UNSET;
    for (guint i = 0; i < model->factors; i++) {
        guint first = 0, n = 0;

        if (!model->bound[i] || row[i] != PAIR_UNSET)
            continue;
        n = count_possible(model, row, i, &first, steps);
        if (n == 0)
            return false;
        if (n == 1) {
            row[i] = first;
            return propagate(model, row, ret_next, steps);
        }
        if (*ret_next == PAIR_UNSET || n < fewest) {
            *ret_next = i;
            fewest = n;
        }
    }
    return true;
}

/* `row` holds no forbidden set.  Factors without rules fit anything. */
static bool
search(const PairModel *model, const guint *row, guint64 *steps)
{
    g_autofree guint *tried = g_memdup2(row, model->factors * sizeof(*row));
    guint next = 0;

    if (!propagate(model, tried, &next, steps))
        return false;
    if (next == PAIR_UNSET)
        return true;
    for (guint level = 0; level < model->levels[next]; level++) {
        tried[next] = level;
        if (!factor_forbidden(model, tried, next, steps) &&
            search(model, tried, steps))
            return true;
    }
    return false;
}

bool
pair_row_completable(const PairModel *model, const guint *row, guint64 *steps)
{
    return !pair_row_forbidden(model, row) && search(model, row, steps);
}
