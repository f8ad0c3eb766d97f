/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many cells a design has, from the numbers of levels alone, so that what
 * is too large is never made.
 */
#include "plan/design-make.h"

static guint
levels_of(const Matrix *matrix, guint factor)
{
    const Factor *f = matrix->factors->pdata[factor];

    return f->levels->len;
}

static guint64
size_of_ofat(const Matrix *matrix)
{
    guint64 n = 1;

    for (guint i = 0; i < matrix->factors->len; i++)
        n += levels_of(matrix, i) - 1;
    return n;
}

static guint64
size_of_star_pairs(const Matrix *matrix)
{
    guint64 n = size_of_ofat(matrix);

    for (guint a = 0; a < matrix->factors->len; a++)
        for (guint b = a + 1; b < matrix->factors->len; b++)
            if (design_crosses(matrix, a, b))
                n += (guint64) (levels_of(matrix, a) - 1) *
                     (levels_of(matrix, b) - 1);
    return n;
}

static guint64
size_of_full(const Matrix *matrix)
{
    guint64 n = 1;

    for (guint i = 0; i < matrix->factors->len; i++)
        if (!g_uint64_checked_mul(&n, n, levels_of(matrix, i)))
            return G_MAXUINT64;
    return n;
}

/* Any two levels need a cell of their own. */
static guint64
size_of_pairwise(const Matrix *matrix)
{
    guint64 most = 1, second = 1;

    for (guint i = 0; i < matrix->factors->len; i++) {
        guint64 n = levels_of(matrix, i);

        second = MAX(second, MIN(most, n));
        most = MAX(most, n);
    }
    return most * second;
}

static guint64
size_of_list(const Matrix *matrix)
{
    return 1 + matrix->includes->len;
}

guint64
design_size(const Matrix *matrix, DesignKind kind)
{
    static guint64 (*const size_of[])(const Matrix *matrix) = {
        [DESIGN_OFAT] = size_of_ofat, [DESIGN_STAR_PAIRS] = size_of_star_pairs,
        [DESIGN_FULL] = size_of_full, [DESIGN_PAIRWISE] = size_of_pairwise,
        [DESIGN_LIST] = size_of_list,
    };

    return size_of[kind](matrix);
}
