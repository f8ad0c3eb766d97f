/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a design cannot claim (METHOD 3.4), one sentence each.
 */
#include <string.h>
#include "plan/design-make.h"
#include "plan/matrix-parse.h"

/* Below this figures are only described (METHOD 7.3). */
#define BLOCKS_VERDICT 3

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

/* What the report makes of such cells: report/regression.h. */
static void
limit_pairwise(GPtrArray *limits)
{
    limit(limits, "This is screening (pairwise): any two levels that may meet "
                  "do so in some cell, but interactions are not tested.");
    limit(limits, "The effect of a level is a least-squares fit to all cells, "
                  "off by interactions; the report says by which most "
                  "(pairwise).");
    limit(limits, "Confirm what matters with a full design over the few "
                  "settings that decide it: the report proposes one "
                  "(pairwise).");
}

/* METHOD 0.14. */
static void
limit_scheduler(const char *level, GPtrArray *limits)
{
    if (strcmp(level, "deadline") == 0)
        limit(limits, "guest.scheduler=deadline means mq-deadline: virtio-blk "
                      "has had no other since Linux 3.13.");
    if (strcmp(level, "cfq") == 0)
        limit(limits, "guest.scheduler=cfq means bfq: cfq left Linux in 5.0, "
                      "and virtio-blk never had it.");
}

static void
limit_schedulers(const Design *design, GPtrArray *limits)
{
    const Setting *setting = setting_find("guest.scheduler");
    const Factor *factor = matrix_factor(design->matrix, setting, NULL);
    const char *held = rule_level(design->matrix->fixed, setting);

    for (guint i = 0; factor && i < factor->levels->len; i++)
        limit_scheduler(factor->levels->pdata[i], limits);
    if (held)
        limit_scheduler(held, limits);
}

static void
limit_uncrossed(const Rule *uncrossed, GPtrArray *limits)
{
    g_autofree char *text = matrix_rule_text(uncrossed);

    limit(limits,
          "Settings that the design does not cross stayed at their baseline, "
          "and nothing is said about their other levels: %s.",
          text);
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
    if (design->matrix->uncrossed->settings->len)
        limit_uncrossed(design->matrix->uncrossed, limits);
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
    if (design->matrix->precision > 0 && blocks == design->blocks_max)
        limit(limits,
              "%u block%s: there is no look at the precision of %g %%, so "
              "reaching it ends nothing.",
              blocks, blocks == 1 ? "" : "s", design->matrix->precision * 100);
}

static void
limit_level(const Design *design, const LevelContexts *contexts,
            GPtrArray *limits)
{
    const Factor *factor = design->matrix->factors->pdata[contexts->factor];
    const char *name = factor->levels->pdata[contexts->level];

    if (design->kind == DESIGN_PAIRWISE && contexts->total)
        return; /* said once for all: limit_pairwise() */
    if (design->kind == DESIGN_PAIRWISE)
        limit(limits, "%s=%s is in no cell: the rules leave it none.",
              factor->setting->name, name);
    else if (!contexts->used)
        limit(limits,
              "%s=%s cannot be compared with %s=%s: no two planned cells "
              "differ in it alone.",
              factor->setting->name, name, factor->setting->name,
              (char *) factor->levels->pdata[factor->baseline]);
    else if (contexts->used < contexts->total)
        limit(limits,
              "%s=%s is compared in %u of %u combinations of the other "
              "settings.",
              factor->setting->name, name, contexts->used, contexts->total);
}

static void
limit_contexts(const Design *design, GPtrArray *limits)
{
    g_autoptr(GArray) all = design_contexts(design);

    for (guint i = 0; i < all->len; i++) {
        const LevelContexts *contexts = &g_array_index(all, LevelContexts, i);
        const Factor *factor = design->matrix->factors->pdata[contexts->factor];

        if (contexts->level != factor->baseline)
            limit_level(design, contexts, limits);
    }
}

GPtrArray *
design_limits(const Design *design)
{
    GPtrArray *limits = g_ptr_array_new_with_free_func(g_free);

    limit_design(design, limits);
    limit_contexts(design, limits);
    limit_schedulers(design, limits);
    limit_blocks(design, limits);
    if (design->matrix->host == HOST_NONE)
        limit(limits, "The host itself was not measured (host: none): "
                      "nothing is said about the cost of virtualization.");
    return limits;
}
