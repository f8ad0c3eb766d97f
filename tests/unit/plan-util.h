/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of plan/ share: matrices and designs from short texts. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "plan/design.h"

#define PLAN_PATH "test.yaml"
/* For matrices whose workloads do not matter. */
#define WORKLOADS "workloads: [fs.fsync]\n"

/* The matrix of a text that must be right. */
static inline Matrix *
plan_matrix(const char *text, bool quick)
{
    g_autoptr(GError) err = NULL;
    Matrix *matrix = matrix_parse(text, PLAN_PATH, quick, &err);

    if (!matrix)
        print_error("%s\n", err->message);
    assert_non_null(matrix);
    return matrix;
}

static inline Design *
plan_design(const Matrix *matrix)
{
    g_autoptr(GError) err = NULL;
    Design *design = design_make(matrix, &err);

    if (!design)
        print_error("%s\n", err->message);
    assert_non_null(design);
    return design;
}

static inline guint
plan_count(const Design *design, CellKind kind, CellState state)
{
    guint n = 0;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        n += cell->kind == kind && cell->state == state;
    }
    return n;
}

/* The names of the cells in one state, with ' ' between them. */
static inline char *
plan_names(const Design *design, CellState state)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        assert_int_equal(cell->index, i);
        if (cell->state == state)
            g_string_append_printf(names, "%s%s", names->len ? " " : "",
                                   cell->name);
    }
    return g_string_free(names, FALSE);
}

#define assert_names(design, state, expected)                  \
    do {                                                       \
        g_autofree char *plan_got = plan_names(design, state); \
        assert_string_equal(plan_got, expected);               \
    } while (0)
