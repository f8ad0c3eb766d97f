/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rungs of a ladder, block by block, and the steps between them: see
 * ladder.h.  The best guest is the cell the matrix declares, or in each block
 * the one that did best in the others (METHOD 8.3).
 */
#include "report/ladder-parts.h"

#include <math.h>
#include <string.h>
#include "report/parts.h"
#include "stats/best.h"
#include "stats/ladder.h"

static const char *const rung_kinds[RUNG_MAX] = {
    [RUNG_HOST] = "host",
    [RUNG_MATCHED] = "host-matched",
    [RUNG_LOOP] = "host-loop",
    [RUNG_BASELINE] = "baseline",
};

/* A step by its two ends.  Where a rung between was not run, one step is what
 * two would have told apart. */
static const struct {
    Rung from, to;
    const char *name, *why;
} step_names[] = {
    {RUNG_HOST, RUNG_MATCHED, "resources", NULL},
    {RUNG_MATCHED, RUNG_LOOP, "nesting", NULL},
    {RUNG_HOST, RUNG_LOOP, "resources and nesting",
     "resources and nesting are not told apart: host-matched was not run"},
    {RUNG_MATCHED, RUNG_BEST, STEP_FLOOR, NULL},
    {RUNG_LOOP, RUNG_BEST, STEP_FLOOR, NULL},
    {RUNG_HOST, RUNG_BEST, STEP_HOST_TO_BEST,
     "resources and virtualisation are not told apart: host-matched was not "
     "run (host: ladder)"},
    {RUNG_BEST, RUNG_BASELINE, STEP_CONFIGURATION, NULL},
    {RUNG_MATCHED, RUNG_BASELINE, STEP_TO_GUEST,
     "virtualisation and configuration are not told apart: no best guest"},
    {RUNG_LOOP, RUNG_BASELINE, STEP_TO_GUEST,
     "virtualisation and configuration are not told apart: no best guest"},
};

void
report_ladder_free(ReportLadder *ladder)
{
    if (!ladder)
        return;
    g_array_unref(ladder->steps);
    g_ptr_array_unref(ladder->parts);
    g_ptr_array_unref(ladder->notes);
    g_free(ladder);
}

/* ------------------------------------------------------------------- rungs */

static void
fill_rung(const Rungs *rungs, Rung rung, guint place)
{
    for (guint b = 0; b < rungs->logs->n_blocks; b++)
        blocks_set(rungs->table, rung, b, blocks_get(rungs->logs, place, b));
}

/* Flushes that are ignored make a cell of another kind of storage. */
static bool
is_comparable(const Report *report, guint metric, guint place)
{
    const ReportMetric *info = report->metrics->pdata[metric];

    return !info->write_path || report_allows_unsafe(report) ||
           strcmp(report_cell_class(report->cells->pdata[place]), "N") != 0;
}

static void add_note(ReportLadder *ladder, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static void
add_note(ReportLadder *ladder, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_ptr_array_add(ladder->notes, g_strdup_vprintf(format, args));
    va_end(args);
}

/* FALSE: nothing is declared. */
static bool
take_declared(const Report *report, ReportLadder *ladder, Rungs *rungs)
{
    const char *declared = report_fact(report, "best");

    for (guint i = 0; declared && i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        if (strcmp(cell->name, declared) != 0)
            continue;
        if (!report_logs_any(rungs->logs, i)) {
            add_note(ladder, "best guest: %s is declared, and has no values",
                     declared);
        } else if (!is_comparable(report, ladder->metric, i)) {
            add_note(ladder,
                     "best guest: %s is declared, and ignores flushes: not "
                     "comparable",
                     declared);
        } else {
            fill_rung(rungs, RUNG_BEST, i);
            rungs->best = i;
            add_note(ladder, "best guest: %s, declared", declared);
        }
    }
    return declared != NULL;
}

/* "a in 1, b in 5" */
static char *
picks_text(const Report *report, const guint *picks, guint n_blocks)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];
        guint count = 0;

        for (guint b = 0; b < n_blocks; b++)
            count += picks[b] == i;
        if (count > 0)
            g_string_append_printf(text, "%s%s in %u", text->len ? ", " : "",
                                   cell->name, count);
    }
    return g_strdup(text->str);
}

static void
take_picks(const Report *report, ReportLadder *ladder, Rungs *rungs,
           const guint *picks)
{
    guint n_blocks = rungs->logs->n_blocks;
    g_autofree char *text = picks_text(report, picks, n_blocks);
    bool one = true;

    rungs->best = BEST_NO_CELL;
    for (guint b = 0; b < n_blocks; b++) {
        if (picks[b] == BEST_NO_CELL)
            continue;
        one = one && (rungs->best == BEST_NO_CELL || rungs->best == picks[b]);
        rungs->best = picks[b];
        blocks_set(rungs->table, RUNG_BEST, b,
                   blocks_get(rungs->logs, picks[b], b));
    }
    if (!one)
        rungs->best = BEST_NO_CELL;
    add_note(ladder, "best guest, chosen by the other blocks: %s", text);
}

/* With the baseline alone there is nothing to be better than it. */
static void
find_best(const Report *report, ReportLadder *ladder, Rungs *rungs,
          guint origin)
{
    g_autoptr(GArray) candidates = NULL;
    g_autofree guint *picks = g_new(guint, rungs->logs->n_blocks + 1);
    g_autofree double *d = g_new(double, rungs->logs->n_blocks + 1);

    rungs->best = BEST_NO_CELL;
    if (take_declared(report, ladder, rungs))
        return;
    candidates = report_best_candidates(report, ladder->metric, origin);
    if (candidates->len > 1 &&
        best_crossfit(rungs->logs, (const guint *) candidates->data,
                      candidates->len, origin, picks, d) > 0)
        take_picks(report, ladder, rungs, picks);
}

/* FALSE: no host or no baseline, so no ladder. */
static bool
find_rungs(const Report *report, ReportLadder *ladder, Rungs *rungs)
{
    int origin = report_cell_of(report, "baseline");

    if (origin < 0 || !is_comparable(report, ladder->metric, (guint) origin))
        return false;
    rungs->baseline = (guint) origin;
    for (Rung rung = 0; rung < RUNG_MAX; rung++) {
        int place =
            rung_kinds[rung] ? report_cell_of(report, rung_kinds[rung]) : -1;

        if (place >= 0)
            fill_rung(rungs, rung, (guint) place);
    }
    find_best(report, ladder, rungs, (guint) origin);
    for (Rung rung = 0; rung < RUNG_MAX; rung++)
        rungs->is_there[rung] = report_logs_any(rungs->table, rung);
    return rungs->is_there[RUNG_BASELINE] &&
           (rungs->is_there[RUNG_HOST] || rungs->is_there[RUNG_MATCHED]);
}

/* ------------------------------------------------------------------- steps */

static double
mean_over(const Blocks *table, const double *weights, const bool *complete)
{
    double sum = 0;
    guint n = 0;

    for (guint b = 0; b < table->n_blocks; b++) {
        if (!complete[b])
            continue;
        n++;
        for (guint row = 0; row < table->n_cells; row++)
            if (weights[row] != 0)
                sum += weights[row] * blocks_get(table, row, b);
    }
    return n > 0 ? sum / n : NAN;
}

ReportStep
ladder_infer(const Report *report, const ReportLadder *ladder,
             const Rungs *rungs, const double *weights)
{
    const ReportMetric *metric = report->metrics->pdata[ladder->metric];
    g_autofree double *d = g_new(double, rungs->table->n_blocks + 1);
    guint n = contrast_differences(rungs->table, weights, d);
    ReportStep step = {.estimate = contrast_infer(d, n, 1, REPORT_ALPHA)};

    step.mean = n > 0 ? mean_over(rungs->table, weights, rungs->complete) : NAN;
    report_ratios(metric, &step.estimate, &step.ratio, &step.ratio_lo,
                  &step.ratio_hi);
    return step;
}

/* What the guest's kernel does otherwise is in the floor as well. */
static bool
kernels_differ(const Report *report)
{
    const char *guest = report_fact(report, "kernel");
    const char *host = report_fact(report, "host.kernel");

    return guest && host && strcmp(guest, host) != 0;
}

static const char *
name_step(const Report *report, ReportLadder *ladder, Rung from, Rung to)
{
    for (gsize i = 0; i < G_N_ELEMENTS(step_names); i++) {
        if (step_names[i].from != from || step_names[i].to != to)
            continue;
        if (step_names[i].why)
            add_note(ladder, "%s", step_names[i].why);
        if (strcmp(step_names[i].name, STEP_FLOOR) == 0 &&
            kernels_differ(report))
            return STEP_FLOOR_KERNEL;
        return step_names[i].name;
    }
    return "total";
}

static ReportStep
make_step(const Report *report, ReportLadder *ladder, const Rungs *rungs,
          Rung from, Rung to)
{
    g_autofree double *weights = g_new0(double, rungs->table->n_cells);
    ReportStep step = {0};

    ladder_step(rungs->table->n_cells, from, to, weights);
    step = ladder_infer(report, ladder, rungs, weights);
    step.from = from;
    step.to = to;
    return step;
}

/* METHOD 6.2: a guest that beats its host is measuring a cache. */
static void
check_caches(ReportLadder *ladder, const ReportStep *step)
{
    if (step->to == RUNG_BEST && step->estimate.n >= 3 && step->estimate.lo > 0)
        add_note(ladder, "the best guest beats the host: something caches for "
                         "it that the host does not use");
}

static void
add_steps(const Report *report, ReportLadder *ladder, const Rungs *rungs)
{
    Rung first = RUNG_MAX, last = RUNG_MAX;

    for (Rung rung = 0; rung < RUNG_MAX; rung++) {
        if (!rungs->is_there[rung])
            continue;
        if (last != RUNG_MAX) {
            ReportStep step = make_step(report, ladder, rungs, last, rung);

            step.name = name_step(report, ladder, last, rung);
            check_caches(ladder, &step);
            g_array_append_val(ladder->steps, step);
        }
        first = MIN(first, rung);
        last = rung;
    }
    ladder->total = make_step(report, ladder, rungs, first, last);
    ladder->total.name = "total";
}

/* Blocks that have every rung and every corner. */
static void
count_complete(ReportLadder *ladder, Rungs *rungs)
{
    const Blocks *table = rungs->table;

    rungs->complete = g_new0(bool, table->n_blocks + 1);
    for (guint b = 0; b < table->n_blocks; b++) {
        rungs->complete[b] = true;
        for (guint row = 0; row < table->n_cells; row++)
            if (report_logs_any(table, row) && isnan(blocks_get(table, row, b)))
                rungs->complete[b] = false;
        ladder->blocks += rungs->complete[b];
    }
}

static void
rungs_clear(Rungs *rungs)
{
    blocks_free(rungs->table);
    g_free(rungs->complete);
    g_free(rungs->corner);
    g_ptr_array_unref(rungs->settings);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Rungs, rungs_clear)

/* NULL where there are not two steps: one is a row of the deltas. */
static ReportLadder *
ladder_make(const Report *report, guint metric)
{
    const Blocks *logs = report_logs(report, metric);
    g_auto(Rungs) rungs = {.logs = logs,
                           .table = blocks_new(RUNG_MAX, logs->n_blocks),
                           .settings = g_ptr_array_new()};
    g_autoptr(ReportLadder) ladder = g_new0(ReportLadder, 1);
    const char *matched = report_fact(report, "host-matched");

    ladder->metric = metric;
    ladder->steps = g_array_new(FALSE, FALSE, sizeof(ReportStep));
    ladder->parts =
        g_ptr_array_new_with_free_func((GDestroyNotify) ladder_part_free);
    ladder->notes = g_ptr_array_new_with_free_func(g_free);
    if (!find_rungs(report, ladder, &rungs))
        return NULL;
    if (rungs.is_there[RUNG_MATCHED] && matched)
        add_note(ladder, "host-matched: %s", matched);
    ladder_find_corners(report, ladder, &rungs);
    count_complete(ladder, &rungs);
    add_steps(report, ladder, &rungs);
    ladder_split(report, ladder, &rungs);
    return ladder->steps->len > 1 ? g_steal_pointer(&ladder) : NULL;
}

void
report_add_ladders(Report *report)
{
    for (guint m = 0; !report->unblocked && m < report->metrics->len; m++) {
        const ReportMetric *metric = report->metrics->pdata[m];
        ReportLadder *ladder = metric->primary ? ladder_make(report, m) : NULL;

        if (ladder)
            g_ptr_array_add(report->ladders, ladder);
    }
}

double
report_ladder_share(const ReportLadder *ladder, const ReportStep *step)
{
    const Estimate *total = &ladder->total.estimate;

    if (total->n < 3 || (total->lo <= 0 && total->hi >= 0))
        return NAN;
    return step->mean / ladder->total.mean;
}
