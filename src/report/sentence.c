/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sentence for a verdict row, by a template of METHOD 10.  None ever says
 * "no effect" or "identical": what the data cannot show is named instead.
 */
#include "report/parts.h"

#include <math.h>
#include <string.h>
#include "report/format.h"
#include "report/precision.h"

/* What a sentence is made of, as texts. */
typedef struct Words {
    const ReportMetric *metric;
    const ReportContrast *contrast;
    char *subject;     /* "disk.cache=writeback vs none: fs.fsync.rate" */
    char *change;      /* "18.2 % higher" */
    char *interval;    /* "96.1 % interval +16.2 ... +20.1 %" */
    char *p;           /* "Holm p=0.031" */
    char *replicates;  /* "8 paired boots" */
    char *delta;       /* "3" */
    const char *where; /* " under emulation" or "" */
} Words;

static void
words_clear(Words *words)
{
    g_free(words->subject);
    g_free(words->change);
    g_free(words->interval);
    g_free(words->p);
    g_free(words->replicates);
    g_free(words->delta);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Words, words_clear)

static char *
make_subject(const ReportContrast *contrast, const ReportMetric *metric)
{
    const char *mark = contrast->ignores_flushes ? " ‡" : "";
    const char *setting = contrast->setting;

    if (strcmp(setting, "host") == 0)
        return g_strdup_printf("this host without a guest vs the baseline "
                               "guest%s: %s",
                               mark, metric->id);
    if (strcmp(setting, "aa") == 0)
        return g_strdup_printf("the baseline vs itself: %s", metric->id);
    if (strcmp(setting, "cell") == 0)
        return g_strdup_printf("cell %s%s vs %s: %s", contrast->level, mark,
                               contrast->base, metric->id);
    return g_strdup_printf("%s=%s%s vs %s: %s", setting, contrast->level, mark,
                           contrast->base, metric->id);
}

/* The percentage without its sign, and the word for it. */
static char *
make_change(double ratio)
{
    g_autofree char *percent = report_percent(ratio);

    if (g_str_has_prefix(percent, "0.0"))
        return g_strdup("less than 0.1 % apart");
    return g_strdup_printf("%s %s", percent + 1,
                           ratio > 1 ? "higher" : "lower");
}

static char *
make_range(double lo, double hi)
{
    g_autofree char *low = report_percent(lo);
    g_autofree char *high = report_percent(hi);

    return g_strdup_printf("%s ... %s", low, high);
}

static char *
make_p(const ReportContrast *contrast)
{
    g_autofree char *p = format_p(contrast->p_adjusted);
    bool below = p[0] == '<';

    return g_strdup_printf(
        "%sp%s%s%s",
        contrast->exploratory ? "exploratory, unadjusted " : "Holm ",
        below ? "" : "=", p,
        contrast->estimate.p_method == METHOD_T ? " by t test on logs" : "");
}

static Words
words_of(const Report *report, const ReportContrast *contrast)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];
    g_autofree char *range = make_range(contrast->ratio_lo, contrast->ratio_hi);
    g_autofree char *confidence =
        format_confidence(contrast->estimate.confidence);
    Words words = {.metric = metric, .contrast = contrast};

    words.subject = make_subject(contrast, metric);
    words.change = make_change(contrast->ratio);
    words.interval = g_strdup_printf("%s %% interval %s", confidence, range);
    words.p = make_p(contrast);
    words.replicates = report_replicates(report, contrast);
    words.delta = g_strdup_printf("%g", metric->delta * 100);
    words.where = report_where(report);
    return words;
}

/* "Same flush class (D)." where the class matters. */
static void
add_durability(GString *out, const Words *words)
{
    const ReportContrast *c = words->contrast;

    if (!words->metric->write_path || !*c->class_level || !*c->class_base)
        return;
    if (strcmp(c->class_level, c->class_base) == 0 &&
        strcmp(c->class_level, "mixed") != 0)
        g_string_append_printf(out, " Same flush class (%s).", c->class_level);
    else if (strcmp(c->class_level, c->class_base) != 0)
        g_string_append_printf(out, " Flush class %s against %s.",
                               c->class_level, c->class_base);
}

static void
add_contexts(GString *out, const Words *words)
{
    const ReportContrast *c = words->contrast;

    if (c->contexts_total > 1)
        g_string_append_printf(out, "; mean over %u of %u contexts",
                               c->contexts, c->contexts_total);
}

static void
say_clear(GString *out, const Words *w)
{
    bool better = w->contrast->verdict == VERDICT_BETTER;

    g_string_append_printf(out, "%s is %s%s, %s (%s; %s; %s; %s", w->subject,
                           w->change, w->where, better ? "better" : "worse",
                           format_better(w->metric->higher_better), w->interval,
                           w->replicates, w->p);
    add_contexts(out, w);
    g_string_append(out, ").");
    add_durability(out, w);
}

static void
say_small(GString *out, const Words *w)
{
    bool better = w->contrast->verdict == VERDICT_BETTER_SMALL;

    g_string_append_printf(
        out,
        "%s is %s%s, %s, but the data do not show that it exceeds ±%s %% (%s; "
        "%s; %s; %s",
        w->subject, w->change, w->where, better ? "better" : "worse", w->delta,
        format_better(w->metric->higher_better), w->interval, w->replicates,
        w->p);
    add_contexts(out, w);
    g_string_append(out, ").");
    add_durability(out, w);
}

static void
say_equivalent(GString *out, const Words *w)
{
    g_autofree char *percent = report_percent(w->contrast->ratio);
    bool detectable = w->contrast->p_adjusted <= REPORT_ALPHA;

    g_string_append_printf(
        out,
        "%s: %sno practically relevant difference%s, within ±%s %% (%s; "
        "%s; %s; %s",
        w->subject, detectable ? "a detectable difference, but " : "", w->where,
        w->delta, percent, format_better(w->metric->higher_better), w->interval,
        w->replicates);
    add_contexts(out, w);
    g_string_append(out, ").");
}

/* What the interval leaves open, as losses and gains rather than signs. */
static const char *
not_ruled_out(const Words *w)
{
    double band = log1p(w->metric->delta);
    bool loss = w->contrast->estimate.lo < -band;
    bool gain = w->contrast->estimate.hi > band;

    return loss && gain ? "neither a loss nor a gain larger than %s %% is "
                          "ruled out"
           : loss       ? "a loss larger than %s %% is not ruled out"
                        : "a gain larger than %s %% is not ruled out";
}

static void
say_inconclusive(GString *out, const Report *report, const Words *w)
{
    const ReportContrast *c = w->contrast;
    bool excludes_zero = c->estimate.lo > 0 || c->estimate.hi < 0;
    g_autofree char *range = make_range(c->ratio_lo, c->ratio_hi);
    g_auto(GStrv) open = g_strsplit(not_ruled_out(w), "%s %%", 2);

    g_string_append_printf(
        out,
        "%s: no detectable difference%s%s; the data are compatible with %s "
        "(%s), so %s%s %%%s.",
        w->subject, w->where,
        excludes_zero ? " once p is adjusted for the other comparisons" : "",
        range, format_better(w->metric->higher_better), open[0], w->delta,
        open[1]);
    if (c->blocks_needed > c->estimate.n)
        g_string_append_printf(out, " About %u blocks would resolve ±%g %%.",
                               c->blocks_needed,
                               report_half_percent(report, w->metric));
}

/* Rows without a verdict say why there is none. */
static void
say_without_verdict(GString *out, const Report *report, const Words *w)
{
    const ReportContrast *c = w->contrast;

    if (c->not_estimable)
        g_string_append_printf(out,
                               "%s: not tested, the cells cannot tell it from "
                               "other settings.",
                               w->subject);
    else if (c->estimate.n == 0)
        g_string_append_printf(out, "%s: not tested, no block has both cells.",
                               w->subject);
    else if (c->not_comparable)
        g_string_append_printf(out,
                               "%s: ignores guest flushes; not comparable: "
                               "flushes ignored (%s).",
                               w->subject, w->change);
    else if (c->estimate.n < 3)
        g_string_append_printf(
            out, "%s is %s in %s (%s); no verdict below 3 %s.", w->subject,
            w->change, w->replicates, format_better(w->metric->higher_better),
            report->unblocked ? "runs" : "blocks");
    else if (strcmp(c->setting, "host") == 0)
        g_string_append_printf(out,
                               "%s is %s%s (%s; %s; %s): figures only, a host "
                               "is no setting.",
                               w->subject, w->change, w->where,
                               format_better(w->metric->higher_better),
                               w->interval, w->replicates);
    else if (report_figures_only(report, w->metric))
        g_string_append_printf(out,
                               "%s is %s under emulation (%s; %s): a check "
                               "of the harness, figures only.",
                               w->subject, w->change,
                               format_better(w->metric->higher_better),
                               w->interval);
}

static void
say_verdict(GString *out, const Report *report, const Words *w)
{
    switch (w->contrast->verdict) {
    case VERDICT_BETTER:
    case VERDICT_WORSE:
        say_clear(out, w);
        break;
    case VERDICT_BETTER_SMALL:
    case VERDICT_WORSE_SMALL:
        say_small(out, w);
        break;
    case VERDICT_EQUIVALENT:
        say_equivalent(out, w);
        break;
    case VERDICT_INCONCLUSIVE:
        say_inconclusive(out, report, w);
        break;
    case VERDICT_NONE:
    case VERDICT_MAX:
        say_without_verdict(out, report, w);
        break;
    }
}

/* The A/A twin has sentences of its own (METHOD 7.7). */
static void
say_twin(GString *out, const Words *w)
{
    const Estimate *e = &w->contrast->estimate;

    if (e->n < 3)
        g_string_append_printf(out, "A/A of %s: not tested below 3 blocks.",
                               w->metric->id);
    else if (e->lo > 0 || e->hi < 0)
        g_string_append_printf(
            out,
            "A/A failed: rig not trustworthy. The baseline measured twice "
            "differs in %s: %s (%s; %s).",
            w->metric->id, w->change, w->interval, w->replicates);
    else
        g_string_append_printf(
            out, "A/A passed for %s: the baseline measured twice is %s (%s).",
            w->metric->id, w->change, w->interval);
}

/* METHOD 7.5: replaces the sentence on the main effect. */
static void
say_depends(GString *out, const Report *report, const ReportInteraction *x,
            const Words *w)
{
    g_autofree char *paired = report_paired(report, x->estimate.n);
    bool is_a = strcmp(x->setting_a, w->contrast->setting) == 0;
    g_autofree char *at_base =
        report_percent(is_a ? x->a_at_base : x->b_at_base);
    g_autofree char *at_level =
        report_percent(is_a ? x->a_at_level : x->b_at_level);
    g_autofree char *average = report_percent(w->contrast->ratio);
    g_autofree char *p = format_p(x->p_adjusted);

    g_string_append_printf(
        out,
        "%s depends on %s%s: %s at %s, %s at %s (%s; ratio of ratios %.2f, "
        "interval %.2f ... %.2f, %s, Holm p%s%s). Averaged: %s.",
        w->subject, is_a ? x->setting_b : x->setting_a, w->where, at_base,
        is_a ? x->base_b : x->base_a, at_level, is_a ? x->level_b : x->level_a,
        format_better(w->metric->higher_better), x->ratio, x->ratio_lo,
        x->ratio_hi, paired, p[0] == '<' ? "" : "=", p, average);
    add_durability(out, w);
}

/* METHOD 3.3, 7.6: what else may be in the estimate. */
static void
add_screening(GString *out, const ReportContrast *c)
{
    if (!c->screening || c->estimate.n == 0)
        return;
    g_string_append(out, " Screening");
    if (c->alias_of)
        g_string_append_printf(out, ": off by %.2f times the interaction %s",
                               c->alias, c->alias_of);
    g_string_append_c(out, '.');
}

char *
report_sentence(const Report *report, const ReportContrast *contrast)
{
    g_auto(Words) words = words_of(report, contrast);
    const ReportInteraction *interaction =
        report_interaction_of(report, contrast);
    g_autoptr(GString) out = g_string_new(NULL);

    if (strcmp(contrast->setting, "aa") == 0)
        say_twin(out, &words);
    else if (interaction && contrast->verdict != VERDICT_NONE)
        say_depends(out, report, interaction, &words);
    else
        say_verdict(out, report, &words);
    add_screening(out, contrast);
    return g_strdup(out->str);
}
