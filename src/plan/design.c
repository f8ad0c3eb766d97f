/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making a design: which kind it is, its cells, and whether anything is left
 * to compare.
 */
#include "plan/design-make.h"

/* Up to this many cells the full design is the default (METHOD 0.13). */
#define FULL_DEFAULT_MAX 12

/* ----------------------------------------------------------------- checks */

static bool
check_baseline(const Design *design, GError **err)
{
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (cell->baseline && cell->state == CELL_EXCLUDED)
            return vs_usage(err,
                            "the baseline %s%s is excluded (%s): name another "
                            "one with the key baseline",
                            cell->name,
                            design->matrix->baseline_given
                                ? ""
                                : ", the first level of each setting,",
                            cell->why);
    }
    return true;
}

static bool
check_empty(const Design *design, GError **err)
{
    guint planned = 0;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        planned += cell->state == CELL_PLANNED;
    }
    if (planned > 1)
        return true;
    if (design->kind == DESIGN_LIST)
        return vs_usage(err, "design: list has no cell besides the baseline: "
                             "list the cells under include");
    if (!design->matrix->factors->len)
        return vs_usage(err, "nothing varies: give at least one setting of "
                             "matrix two levels");
    return vs_usage(err, "nothing is left to compare with the baseline: "
                         "exclude less, or add levels to matrix");
}

static bool
check_names(const Design *design, GError **err)
{
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (design_cell(design, cell->name) != cell)
            return vs_usage(err,
                            "two cells have the name '%s': give one of them "
                            "another label with include",
                            cell->name);
    }
    return true;
}

static bool
check_design(const Design *design, DesignFault *ret_fault, GError **err)
{
    if (!check_baseline(design, err)) {
        *ret_fault = FAULT_BASELINE;
        return false;
    }
    if (!check_empty(design, err)) {
        *ret_fault = FAULT_MATRIX;
        return false;
    }
    return true;
}

/* ---------------------------------------------------------- before cells */

/* The cells of star+pairs, those that rules leave out among them; at most
 * DESIGN_CELLS_MAX + 1 a pair. */
static guint
count_star_pairs(const Matrix *matrix)
{
    const GPtrArray *factors = matrix->factors;
    guint n = 1;

    for (guint a = 0; a < factors->len; a++) {
        const Factor *f = factors->pdata[a];

        n += f->levels->len - 1;
        for (guint b = a + 1; b < factors->len; b++) {
            const Factor *g = factors->pdata[b];

            if (design_crosses(matrix, a, b))
                n += (f->levels->len - 1) * (g->levels->len - 1);
        }
    }
    return n;
}

/* Every two levels need a cell of their own, rules apart. */
static guint
count_pairwise(const Matrix *matrix)
{
    guint most = 1, second = 1;

    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];
        guint n = factor->levels->len;

        second = MAX(second, MIN(most, n));
        most = MAX(most, n);
    }
    return most * second;
}

static bool
check_size(const Design *design, guint cells, GError **err)
{
    if (cells <= DESIGN_CELLS_MAX)
        return true;
    return vs_usage(err,
                    "the %s design has more than %d cells: use design: ofat, "
                    "or fewer levels",
                    design_kind_name(design->kind), DESIGN_CELLS_MAX);
}

static bool
check_kind(const Design *design, DesignFault *ret_fault, GError **err)
{
    static guint (*const count[])(const Matrix *matrix) = {
        [DESIGN_STAR_PAIRS] = count_star_pairs,
        [DESIGN_FULL] = design_product,
        [DESIGN_PAIRWISE] = count_pairwise,
        [DESIGN_LIST] = NULL,
    };
    const Matrix *matrix = design->matrix;

    *ret_fault = FAULT_DESIGN;
    if (design->kind == DESIGN_STAR_PAIRS && !matrix->pairs->len &&
        matrix->factors->len > DESIGN_ALL_PAIRS_MAX)
        return vs_usage(err,
                        "design: star+pairs over %u settings needs the key "
                        "pairs: name those to look at together, such as "
                        "pairs: [[%s, %s]]",
                        matrix->factors->len,
                        ((Factor *) matrix->factors->pdata[0])->setting->name,
                        ((Factor *) matrix->factors->pdata[1])->setting->name);
    *ret_fault = FAULT_MATRIX;
    return !count[design->kind] ||
           check_size(design, count[design->kind](matrix), err);
}

/* -------------------------------------------------------------- the whole */

static guint
count_full(const Matrix *matrix)
{
    g_autoptr(Design) design = design_new(matrix, DESIGN_FULL);
    guint planned = 0;

    design_add_cells(design);
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        planned += cell->state == CELL_PLANNED;
    }
    return planned;
}

/* What the matrix asks for; --quick asks for ofat instead of what is larger.
 * A list stays: it names its cells one by one. */
static DesignKind
resolve_kind(const Matrix *matrix)
{
    if (matrix->design == DESIGN_LIST)
        return DESIGN_LIST;
    if (matrix->quick)
        return DESIGN_OFAT;
    if (matrix->design != DESIGN_AUTO)
        return matrix->design;
    if (matrix->pairs->len)
        return DESIGN_STAR_PAIRS;
    if (design_product(matrix) <= DESIGN_CELLS_MAX &&
        count_full(matrix) <= FULL_DEFAULT_MAX)
        return DESIGN_FULL;
    return matrix->factors->len <= DESIGN_ALL_PAIRS_MAX &&
                   count_star_pairs(matrix) <= DESIGN_CELLS_MAX
               ? DESIGN_STAR_PAIRS
               : DESIGN_OFAT;
}

Design *
design_make_for(const Matrix *matrix, DesignFault *ret_fault, GError **err)
{
    g_autoptr(Design) design = design_new(matrix, resolve_kind(matrix));

    if (!check_kind(design, ret_fault, err))
        return NULL;
    design_add_cells(design);
    if (!check_size(design, design->cells->len, err))
        return NULL;
    for (guint i = 0; i < matrix->includes->len; i++)
        design_add_include(design, matrix->includes->pdata[i]);
    if (!design_add_best(design, err)) {
        *ret_fault = FAULT_BEST;
        return NULL;
    }
    if (!check_design(design, ret_fault, err))
        return NULL;
    design_add_specials(design);
    if (!check_names(design, err)) {
        *ret_fault = FAULT_INCLUDE;
        return NULL;
    }
    design_settle(design);
    return g_steal_pointer(&design);
}

Design *
design_make(const Matrix *matrix, GError **err)
{
    DesignFault fault = FAULT_MATRIX;

    return design_make_for(matrix, &fault, err);
}
