/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a design can compare: contexts of a contrast (METHOD 7.1), the number
 * of comparisons, the blocks they need (METHOD 3.4), and what cannot be
 * claimed at all.
 */
#include <string.h>
#include "plan/design-make.h"

/* 1 / alpha, alpha = 0.05 (METHOD 3.4). */
#define ALPHA_INVERSE 20
/* Below this no exact interval at 95 % exists (METHOD 7.3). */
#define BLOCKS_EXACT 6
/* Beyond the bound, for power (METHOD 0.13). */
#define BLOCKS_SPARE 2
#define BLOCKS_QUICK 3
/* Below this figures are only described (METHOD 7.3). */
#define BLOCKS_VERDICT 3

/* A cell of the matrix proper, planned or not. */
static bool
is_plain(const Cell *cell)
{
    return cell->kind == CELL_CELL && !cell->extra;
}

/* The planned cell like `cell`, but with `level` of one factor. */
static bool
has_partner(const Design *design, const Cell *cell, guint factor, guint level)
{
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *other = design->cells->pdata[i];
        bool same = is_plain(other) && other->state == CELL_PLANNED;

        for (guint j = 0; same && j < design->matrix->factors->len; j++)
            same = other->levels[j] == (j == factor ? level : cell->levels[j]);
        if (same)
            return true;
    }
    return false;
}

void
design_contexts(const Design *design, guint factor, guint level,
                guint *ret_used, guint *ret_total)
{
    const Factor *f = design->matrix->factors->pdata[factor];

    *ret_used = *ret_total = 0;
    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (!is_plain(cell) || cell->levels[factor] != level)
            continue;
        *ret_total += 1;
        if (cell->state == CELL_PLANNED &&
            has_partner(design, cell, factor, f->baseline))
            *ret_used += 1;
    }
}

/* An included cell with further settings is compared with the one that is
 * like it without them. */
static guint
count_extras(const Design *design)
{
    guint n = 0;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        n += cell->extra && cell->state == CELL_PLANNED &&
             has_partner(design, cell, G_MAXUINT, 0);
    }
    return n;
}

/* Whether two planned cells differ in one setting alone, `cell` being one of
 * them and the setting at its baseline in the other, or the reverse. */
static bool
is_paired(const Design *design, const Cell *cell)
{
    for (guint i = 0; i < design->matrix->factors->len; i++) {
        const Factor *factor = design->matrix->factors->pdata[i];
        bool base = cell->levels[i] == factor->baseline;

        for (guint level = 0; level < factor->levels->len; level++)
            if ((base || level == factor->baseline) &&
                level != cell->levels[i] && has_partner(design, cell, i, level))
                return true;
    }
    return false;
}

/* Cells that the report compares whole with the baseline, since no setting
 * alone explains them. */
static guint
count_whole(const Design *design)
{
    guint n = 0;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        n += is_plain(cell) && cell->state == CELL_PLANNED && !cell->baseline &&
             !is_paired(design, cell);
    }
    return n;
}

static guint
count_comparisons(const Design *design)
{
    guint n = count_extras(design);

    if (design->kind == DESIGN_PAIRWISE)
        n += count_whole(design);

    for (guint i = 0; i < design->matrix->factors->len; i++) {
        const Factor *factor = design->matrix->factors->pdata[i];

        for (guint level = 0; level < factor->levels->len; level++) {
            guint used = 0, total = 0;

            design_contexts(design, i, level, &used, &total);
            n += level != factor->baseline && used > 0;
        }
    }
    return n;
}

guint
design_blocks_bound(guint comparisons)
{
    guint64 wanted = (guint64) MAX(comparisons, 1) * ALPHA_INVERSE;
    guint blocks = 1;

    /* 1 + ceil(log2(m / alpha)) without floating point. */
    for (guint64 power = 1; power < wanted; power *= 2)
        blocks++;
    return MAX(blocks, BLOCKS_EXACT);
}

void
design_settle(Design *design)
{
    const Matrix *matrix = design->matrix;

    design->comparisons = count_comparisons(design);
    design->blocks_min = matrix->blocks_min;
    design->blocks_max = matrix->blocks_max;
    if (!design->blocks_min) {
        design->blocks_min =
            design_blocks_bound(design->comparisons) + BLOCKS_SPARE;
        if (design->blocks_max)
            design->blocks_min = MIN(design->blocks_min, design->blocks_max);
    }
    if (!design->blocks_max)
        design->blocks_max = design->blocks_min;
    if (matrix->quick)
        design->blocks_min = design->blocks_max = BLOCKS_QUICK;
}

/* ----------------------------------------------------------------- limits */

static void limit(GPtrArray *limits, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static void
limit(GPtrArray *limits, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_ptr_array_add(limits, g_strdup_vprintf(format, args));
    va_end(args);
}

static void
limit_pairs(const Design *design, GPtrArray *limits)
{
    guint n = design->matrix->factors->len;
    g_autoptr(GString) crossed = g_string_new(NULL);
    bool all = true;

    for (guint a = 0; a < n; a++)
        for (guint b = a + 1; b < n; b++) {
            const Factor *f = design->matrix->factors->pdata[a];
            const Factor *g = design->matrix->factors->pdata[b];
            bool crosses = design_crosses(design->matrix, a, b);

            all &= crosses;
            if (crosses)
                g_string_append_printf(crossed, "%s%s with %s",
                                       crossed->len ? ", " : "",
                                       f->setting->name, g->setting->name);
        }
    if (!all)
        limit(limits,
              "Interactions were tested for the named pairs only (star+pairs): "
              "%s.",
              crossed->str);
    if (n > 2)
        limit(limits, "Effects are means over the levels of the settings they "
                      "are crossed with, at the baseline of the others "
                      "(star+pairs).");
    if (n > 2)
        limit(limits, "Interactions of three settings and more were not tested "
                      "by this design (star+pairs).");
}

/* What the report makes of such cells: report/model-contrasts.c. */
static void
limit_pairwise(GPtrArray *limits)
{
    limit(limits, "This is screening (pairwise): any two levels that may meet "
                  "do so in some cell, but effects of single settings are not "
                  "separated from each other or from interactions.");
    limit(limits, "A level is compared alone only where two cells happen to "
                  "differ in nothing else; every other cell is compared whole "
                  "with the baseline (pairwise).");
    limit(limits, "Confirm what matters with a full design over the few "
                  "settings that seem to decide it (pairwise).");
}

static void
limit_design(const Design *design, GPtrArray *limits)
{
    if (design->kind == DESIGN_OFAT && design->matrix->factors->len > 1)
        limit(limits, "Interactions were not tested by this design (ofat).");
    if (design->kind == DESIGN_OFAT && design->matrix->factors->len > 1)
        limit(limits, "Effects hold beside the baseline levels of the other "
                      "settings only.");
    if (design->kind == DESIGN_STAR_PAIRS)
        limit_pairs(design, limits);
    if (design->kind == DESIGN_PAIRWISE)
        limit_pairwise(limits);
    if (design->kind == DESIGN_LIST)
        limit(limits, "Only cells that are listed were compared (list).");
    if (!design->matrix->baseline_given)
        limit(limits, "The matrix names no baseline: it is the first level "
                      "of each setting.");
}

static void
limit_blocks(const Design *design, GPtrArray *limits)
{
    guint blocks = design->blocks_min;
    guint bound = design_blocks_bound(design->comparisons);

    if (blocks < BLOCKS_VERDICT)
        limit(limits, "%u block%s: figures are described, nothing is tested.",
              blocks, blocks == 1 ? "" : "s");
    else if (blocks < bound)
        limit(limits,
              "%u blocks: p-values by t test on logs (the exact test needs "
              "%u for %u comparison%s).",
              blocks, bound, design->comparisons,
              design->comparisons == 1 ? "" : "s");
}

static void
limit_level(const Design *design, guint index, guint level, GPtrArray *limits)
{
    const Factor *factor = design->matrix->factors->pdata[index];
    const char *name = factor->levels->pdata[level];
    guint used = 0, total = 0;

    design_contexts(design, index, level, &used, &total);
    if (design->kind == DESIGN_PAIRWISE && total)
        return; /* said once for all: limit_pairwise() */
    if (design->kind == DESIGN_PAIRWISE)
        limit(limits, "%s=%s is in no cell: the rules leave it none.",
              factor->setting->name, name);
    else if (!used)
        limit(limits,
              "%s=%s cannot be compared with %s=%s: no two planned cells "
              "differ in it alone.",
              factor->setting->name, name, factor->setting->name,
              (char *) factor->levels->pdata[factor->baseline]);
    else if (used < total)
        limit(limits,
              "%s=%s is compared in %u of %u combinations of the other "
              "settings.",
              factor->setting->name, name, used, total);
}

static void
limit_contexts(const Design *design, GPtrArray *limits)
{
    for (guint i = 0; i < design->matrix->factors->len; i++) {
        const Factor *factor = design->matrix->factors->pdata[i];

        for (guint level = 0; level < factor->levels->len; level++)
            if (level != factor->baseline)
                limit_level(design, i, level, limits);
    }
}

GPtrArray *
design_limits(const Design *design)
{
    GPtrArray *limits = g_ptr_array_new_with_free_func(g_free);

    limit_design(design, limits);
    limit_contexts(design, limits);
    limit_blocks(design, limits);
    if (design->matrix->host == HOST_NONE)
        limit(limits, "The host itself was not measured (host: none): "
                      "nothing is said about the cost of virtualization.");
    return limits;
}
