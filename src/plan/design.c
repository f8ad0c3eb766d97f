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
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (!g_hash_table_add(names, cell->name))
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

static bool
check_size(const Design *design, guint64 cells, GError **err)
{
    if (cells <= DESIGN_CELLS_MAX)
        return true;
    return vs_usage(err,
                    "the %s design has %s%" G_GUINT64_FORMAT
                    " cells, and a sweep takes %d at most",
                    design_kind_name(design->kind),
                    design->kind == DESIGN_PAIRWISE || cells == G_MAXUINT64
                        ? "at least "
                        : "",
                    cells, DESIGN_CELLS_MAX);
}

static bool
check_kind(const Design *design, DesignFault *ret_fault, GError **err)
{
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
    *ret_fault = FAULT_SIZE;
    return check_size(design, design_size(matrix, design->kind), err);
}

/* -------------------------------------------------------------- the whole */

static guint
count_full(const Matrix *matrix)
{
    g_autoptr(Design) design = design_new(matrix, DESIGN_FULL);
    guint planned = 0;

    design_add_cells(design, NULL);
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
    if (design_size(matrix, DESIGN_FULL) <= DESIGN_CELLS_MAX &&
        count_full(matrix) <= FULL_DEFAULT_MAX)
        return DESIGN_FULL;
    return matrix->factors->len <= DESIGN_ALL_PAIRS_MAX &&
                   design_size(matrix, DESIGN_STAR_PAIRS) <= DESIGN_CELLS_MAX
               ? DESIGN_STAR_PAIRS
               : DESIGN_OFAT;
}

Design *
design_make_for(const Matrix *matrix, DesignFault *ret_fault, GError **err)
{
    g_autoptr(Design) design = design_new(matrix, resolve_kind(matrix));

    if (!check_kind(design, ret_fault, err))
        return NULL;
    *ret_fault = FAULT_EXCLUDE;
    if (!design_add_cells(design, err))
        return NULL;
    *ret_fault = FAULT_SIZE;
    design_add_includes(design);
    if (!check_size(design, design->cells->len, err))
        return NULL;
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

bool
design_too_large(const Matrix *matrix)
{
    return resolve_kind(matrix) == DESIGN_FULL &&
           design_size(matrix, DESIGN_FULL) > DESIGN_CELLS_MAX;
}

Design *
design_make(const Matrix *matrix, GError **err)
{
    DesignFault fault = FAULT_MATRIX;
    g_autoptr(GError) why = NULL;
    Design *design = design_make_for(matrix, &fault, &why);
    g_autofree char *advice = NULL;

    if (design)
        return design;
    if (fault == FAULT_SIZE) {
        advice = design_advice(matrix);
        vs_usage(err, "%s: %s; %s", matrix->design_place, why->message, advice);
    } else {
        g_propagate_error(err, g_steal_pointer(&why));
    }
    return NULL;
}
