/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A full design that is too large to be made, counted.  Rules look at few
 * settings: only the combinations of those are walked through, and each
 * stands for as many cells as the other settings have combinations.
 */
#include "plan/design-make.h"

/* Combinations that are walked through: about a second. */
#define WALK_MAX (1 << 22)

typedef struct Counter {
    const Matrix *matrix;
    PairModel *model;
    guint *row;    /* levels, by factor */
    guint *ruled;  /* factors that rules name, in order */
    gsize *stride; /* by place in `ruled`: walk this far for its next level */
    guint n_ruled;
    gsize walk;      /* combinations of ruled factors; more than WALK_MAX: not
                        walked through */
    guint64 others;  /* combinations of all other factors */
    guint8 *planned; /* by combination of ruled factors */
} Counter;

static void
counter_clear(Counter *counter)
{
    g_clear_pointer(&counter->model, pair_model_free);
    g_clear_pointer(&counter->row, g_free);
    g_clear_pointer(&counter->ruled, g_free);
    g_clear_pointer(&counter->stride, g_free);
    g_clear_pointer(&counter->planned, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Counter, counter_clear)

/* Stays at G_MAXUINT64 once it is there. */
static guint64
times(guint64 a, guint64 b)
{
    guint64 product = 0;

    return g_uint64_checked_mul(&product, a, b) ? product : G_MAXUINT64;
}

static const Factor *
factor_at(const Counter *counter, guint factor)
{
    return counter->matrix->factors->pdata[factor];
}

static void
counter_init(Counter *counter, const Design *design)
{
    guint n = design->matrix->factors->len;

    counter->matrix = design->matrix;
    counter->model = design_pair_model(design);
    counter->row = design_baseline_levels(design->matrix);
    counter->ruled = g_new0(guint, n);
    counter->stride = g_new0(gsize, n);
    counter->others = 1;
    for (guint i = 0; i < n; i++) {
        if (counter->model->bound[i])
            counter->ruled[counter->n_ruled++] = i;
        else
            counter->others =
                times(counter->others, factor_at(counter, i)->levels->len);
    }
    counter->walk = 1;
    for (guint i = counter->n_ruled; i-- > 0;) {
        guint levels = factor_at(counter, counter->ruled[i])->levels->len;

        counter->stride[i] = counter->walk;
        counter->walk = MIN(counter->walk * levels, WALK_MAX + 1);
    }
}

/* Like an odometer over the ruled factors, the last one the fastest. */
static void
next_row(Counter *counter)
{
    for (guint i = counter->n_ruled; i-- > 0;) {
        guint factor = counter->ruled[i];

        if (++counter->row[factor] < factor_at(counter, factor)->levels->len)
            return;
        counter->row[factor] = 0;
    }
}

static void
first_row(Counter *counter)
{
    for (guint i = 0; i < counter->n_ruled; i++)
        counter->row[counter->ruled[i]] = 0;
}

static void
reason_clear(DesignReason *reason)
{
    g_free(reason->why);
}

static GArray *
reasons_new(void)
{
    GArray *reasons = g_array_new(FALSE, TRUE, sizeof(DesignReason));

    g_array_set_clear_func(reasons, (GDestroyNotify) reason_clear);
    return reasons;
}

/* Rules with the same reason are one row of the count. */
static guint
reason_index(GArray *reasons, const char *why)
{
    const DesignReason reason = {.why = g_strdup(why)};

    for (guint i = 0; i < reasons->len; i++)
        if (g_str_equal(g_array_index(reasons, DesignReason, i).why, why)) {
            g_free(reason.why);
            return i;
        }
    g_array_append_val(reasons, reason);
    return reasons->len - 1;
}

static void
count_excluded(Counter *counter, DesignCount *count)
{
    const GPtrArray *sets = counter->model->sets;
    g_autofree guint *reasons = g_new0(guint, sets->len);

    for (guint i = 0; i < sets->len; i++)
        reasons[i] =
            reason_index(count->reasons, ((PairSet *) sets->pdata[i])->why);
    counter->planned = g_new0(guint8, counter->walk);
    first_row(counter);
    for (gsize k = 0; k < counter->walk; k++) {
        int by = pair_row_forbidden_by(counter->model, counter->row);

        counter->planned[k] = by < 0;
        if (by >= 0) {
            count->excluded += counter->others;
            g_array_index(count->reasons, DesignReason, reasons[by]).cells +=
                counter->others;
        }
        next_row(counter);
    }
}

/* Levels of a ruled factor that some planned cell has whose partner at the
 * baseline is planned too. */
static guint
count_levels(Counter *counter, guint place)
{
    const Factor *factor = factor_at(counter, counter->ruled[place]);
    gsize stride = counter->stride[place];
    gsize round = stride * factor->levels->len;
    g_autofree bool *seen = g_new0(bool, factor->levels->len);
    guint n = 0;

    for (gsize k = 0; k < counter->walk; k++) {
        gsize level = k % round / stride;

        if (level == factor->baseline || !counter->planned[k] || seen[level] ||
            !counter->planned[k - level * stride + factor->baseline * stride])
            continue;
        seen[level] = true;
        n++;
    }
    return n;
}

/* All cells, as if nothing were excluded. */
static void
count_all(const Matrix *matrix, DesignCount *count)
{
    count->cells = 1;
    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];

        count->cells = times(count->cells, factor->levels->len);
        count->comparisons += factor->levels->len - 1;
    }
}

static void
count_ruled(Counter *counter, DesignCount *count)
{
    count_excluded(counter, count);
    for (guint i = 0; i < counter->n_ruled; i++) {
        const Factor *factor = factor_at(counter, counter->ruled[i]);

        count->comparisons -= factor->levels->len - 1;
        count->comparisons += count_levels(counter, i);
    }
    if (count->excluded == count->cells)
        count->comparisons = 0;
}

DesignCount *
design_count(const Matrix *matrix)
{
    g_autoptr(Design) design = design_new(matrix, DESIGN_FULL);
    g_auto(Counter) counter = {0};
    DesignCount *count = g_new0(DesignCount, 1);

    count->reasons = reasons_new();
    counter_init(&counter, design);
    count_all(matrix, count);
    count->exact = count->cells < G_MAXUINT64 && counter.walk <= WALK_MAX;
    if (count->exact)
        count_ruled(&counter, count);
    design->comparisons = count->comparisons;
    design_set_blocks(design);
    count->blocks_min = design->blocks_min;
    return count;
}

void
design_count_free(DesignCount *count)
{
    if (!count)
        return;
    g_array_unref(count->reasons);
    g_free(count);
}

/* ------------------------------------------- designs that have been made */

GArray *
design_reasons(const Design *design)
{
    GArray *reasons = reasons_new();

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];
        guint reason = 0;

        if (cell->state != CELL_EXCLUDED)
            continue;
        reason = reason_index(reasons, cell->why); /* may move the array */
        g_array_index(reasons, DesignReason, reason).cells++;
    }
    return reasons;
}
