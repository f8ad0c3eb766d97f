/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One sentence for all comparisons that are not conclusive: how many there are
 * of what kind, and what would settle them.
 */
#include "report/parts.h"
#include "report/precision.h"

#include <string.h>

/* Below it there is no verdict (METHOD 0.2), and no interval. */
#define VERDICT_BLOCKS_MIN 3u

/* Why a row is open; the first that holds is why. */
typedef enum {
    OPEN_DATA,
    OPEN_FLUSHES,
    OPEN_BLOCKS,
    OPEN_VERDICT,
    OPEN_MAX
} Why;

typedef struct Open {
    const Report *report;
    guint rows, open;
    guint by_why[OPEN_MAX];
    guint blocks;                  /* most behind an inconclusive row */
    const ReportContrast *nearest; /* the one that needs the fewest ... */
    guint farthest;                /* ... and what all of them need; 0: none */
    const ReportContrast *any;
} Open;

bool
report_conclusive(const Report *report, const ReportContrast *contrast)
{
    if (contrast->verdict == VERDICT_NONE)
        return false;
    return contrast->verdict != VERDICT_INCONCLUSIVE ||
           report_interaction_of(report, contrast);
}

static Why
why_open(const ReportContrast *c)
{
    return c->estimate.n == 0                   ? OPEN_DATA
           : c->not_comparable                  ? OPEN_FLUSHES
           : c->estimate.n < VERDICT_BLOCKS_MIN ? OPEN_BLOCKS
                                                : OPEN_VERDICT;
}

static void
add_need(Open *open, const ReportContrast *c)
{
    open->blocks = MAX(open->blocks, c->estimate.n);
    if (c->blocks_needed <= c->estimate.n)
        return;
    if (!open->nearest || c->blocks_needed < open->nearest->blocks_needed)
        open->nearest = c;
    open->farthest = MAX(open->farthest, c->blocks_needed);
}

static Open
count_open(const Report *report, const GPtrArray *rows)
{
    Open open = {.report = report, .rows = rows->len};

    for (guint i = 0; i < rows->len; i++) {
        const ReportContrast *c = rows->pdata[i];

        if (report_conclusive(report, c))
            continue;
        open.open++;
        open.any = c;
        open.by_why[why_open(c)]++;
        if (why_open(c) == OPEN_VERDICT)
            add_need(&open, c);
    }
    return open;
}

/* "16 of 20 comparisons are inconclusive with 3 blocks, 4 not comparable" */
static void
add_counts(const Open *open, GString *out)
{
    g_autofree char *inconclusive =
        g_strdup_printf("inconclusive%s with %u blocks",
                        report_where(open->report), open->blocks);
    const struct {
        Why why;
        const char *text;
    } kinds[] = {
        {OPEN_VERDICT, inconclusive},
        {OPEN_BLOCKS, "without a verdict (fewer than 3 blocks)"},
        {OPEN_FLUSHES, "not comparable (flushes ignored)"},
        {OPEN_DATA, "not measured"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        guint count = open->by_why[kinds[i].why];

        if (count == 0)
            continue;
        if (out->len == 0)
            g_string_append_printf(out, "%u of %u comparisons %s %s", count,
                                   open->rows, count == 1 ? "is" : "are",
                                   kinds[i].text);
        else
            g_string_append_printf(out, ", %u %s", count, kinds[i].text);
    }
}

static void
add_blocks(const Open *open, GString *out)
{
    const ReportContrast *c = open->nearest;
    const ReportMetric *metric = open->report->metrics->pdata[c->metric];
    bool single = open->by_why[OPEN_VERDICT] == 1;

    g_string_append_printf(out, ". About %u blocks would resolve ±%g %%",
                           c->blocks_needed,
                           report_half_percent(open->report, metric));
    if (!single) {
        g_autofree char *label = report_contrast_label(open->report, c);

        g_string_append_printf(out, " for the nearest (%s)", label);
    }
    if (open->farthest > c->blocks_needed)
        g_string_append_printf(out, ", %u for all", open->farthest);
}

/* What the reader can do, the most telling first. */
static void
add_remedy(const Open *open, GString *out)
{
    const Report *report = open->report;
    const char *status = report_fact(report, "status");
    bool unfinished = status && strcmp(status, "finished") != 0;
    bool quick = g_strcmp0(report_fact(report, "quick"), "yes") == 0;

    g_string_append(out, open->nearest ? ": " : "; ");
    g_string_append(out, unfinished              ? "let the sweep finish"
                         : quick                 ? "run without --quick"
                         : report->unblocked     ? "measure in blocks"
                         : report_is_csv(report) ? "measure more blocks"
                                                 : "run with more --blocks");
    if (report_much_disturbed(report))
        g_string_append(out, ", on a quieter host");
}

char *
report_sum_up(const Report *report, const GPtrArray *rows)
{
    Open open = count_open(report, rows);
    g_autoptr(GString) out = g_string_new(NULL);

    if (open.open == 0)
        return NULL;
    if (open.open == 1)
        return report_sentence(report, open.any);
    add_counts(&open, out);
    if (open.nearest)
        add_blocks(&open, out);
    if (open.by_why[OPEN_BLOCKS] + open.by_why[OPEN_VERDICT] > 0)
        add_remedy(&open, out);
    g_string_append_c(out, '.');
    return g_strdup(out->str);
}
