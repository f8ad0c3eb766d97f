/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps over settings that change nothing: how often a report says that one
 * does, whatever the host does meanwhile.
 */
#include "pipeline.h"

/* Four comparisons, so ten blocks, and seven families. */
#define MATRIX                                                          \
    "name: nothing\n"                                                   \
    "matrix:\n"                                                         \
    "  disk.cache: [none, writeback, directsync]\n"                     \
    "  disk.io: [threads, io_uring]\n"                                  \
    "  disk.format: [raw, qcow2]\n"                                     \
    "design: ofat\n"                                                    \
    "workloads: [fs.fsync, fs.dsync, fs.seqwrite, fs.seqread, db.txn, " \
    "cpu.int, cpu.rsa]\n"                                               \
    "host: none\n"
/* The same until the intervals are narrow enough. */
#define PRECISE MATRIX "blocks: {precision: 2.5%}\n"
/* One comparison, one family. */
#define SINGLE                         \
    "name: single\n"                   \
    "matrix:\n"                        \
    "  disk.io: [threads, io_uring]\n" \
    "workloads: [cpu.int]\n"           \
    "host: none\n"                     \
    "blocks: {precision: 1.5%}\n"

/* Wide enough that nothing is called equivalent instead. */
#define NOISE "noise: 10%\n"

#define SWEEPS 200

typedef struct Tally {
    guint families, wrong; /* wrong: with any false difference */
    guint twins, twins_failed;
    guint intervals, held; /* of contrasts whose true ratio is 1 */
    guint differences;     /* within blocks, of all of these */
} Tally;

static gboolean
says_different(const ReportContrast *c)
{
    return c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE ||
           c->verdict == VERDICT_BETTER_SMALL ||
           c->verdict == VERDICT_WORSE_SMALL;
}

/* Also where the band turns the verdict into "equivalent". */
static gboolean
is_significant(const ReportContrast *c)
{
    return c->p_adjusted <= REPORT_ALPHA &&
           (c->estimate.lo > 0 || c->estimate.hi < 0);
}

static void
count(const Report *report, gpointer data)
{
    Tally *tally = (Tally *) data;
    guint n_metrics = report->metrics->len;
    g_autofree gboolean *wrong = g_new0(gboolean, n_metrics);

    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];
        gboolean excludes = c->estimate.lo > 0 || c->estimate.hi < 0;

        if (!is_primary(report, c->metric) || !has_interval(c))
            continue;
        tally->intervals++;
        tally->held += !excludes;
        tally->differences += c->estimate.n;
        tally->twins += is_twin(c);
        tally->twins_failed += is_twin(c) && excludes;
        if (in_family(c) && (says_different(c) || is_significant(c)))
            wrong[c->metric] = TRUE;
    }
    for (guint metric = 0; metric < n_metrics; metric++) {
        tally->families += is_primary(report, metric);
        tally->wrong += wrong[metric];
    }
}

/* ------------------------------------------------------------------ drift */

typedef struct Banners {
    guint tested, drifted;
} Banners;

static void
count_banners(const Report *report, gpointer data)
{
    Banners *banners = (Banners *) data;

    for (guint i = 0; i < report->drifts->len; i++) {
        const ReportDrift *drift = report->drifts->pdata[i];

        banners->tested += drift->tested;
        banners->drifted += drift->drifted;
    }
}

/* METHOD 7.9 raises the banner for either of two tests at 1 %. */
static void
check_banner(guint sweeps)
{
    Scenario still = {MATRIX, NOISE, sweeps};
    Scenario drifts = {MATRIX, "noise: 1%\ndrift: 10%\n", sweeps / 4};
    Banners banners = {0};

    scenario_each(&still, count_banners, &banners);
    row((double) banners.drifted / banners.tested, AT_MOST, 0.02,
        "drift banner without drift (%u metrics)", banners.tested);
    banners = (Banners){0};
    scenario_each(&drifts, count_banners, &banners);
    row((double) banners.drifted / banners.tested, AT_LEAST, 0.95,
        "drift banner at 10 %% drift under 1 %% noise (%u metrics)",
        banners.tested);
}

/* ------------------------------------------------------ false differences */

static void
check(const char *what, const Scenario *scenario, double rate, Tally *all)
{
    Tally tally = {0};

    scenario_each(scenario, count, &tally);
    row((double) tally.wrong / tally.families, AT_MOST,
        rate + 2 * standard_error(rate, tally.families),
        "false difference, %s (%u families)", what, tally.families);
    row((double) tally.held / tally.intervals, AT_LEAST, 0.93,
        "coverage of no effect, %s (n = %.1f)", what,
        (double) tally.differences / tally.intervals);
    all->twins += tally.twins;
    all->twins_failed += tally.twins_failed;
}

static const struct {
    const char *what;
    Scenario scenario;
    double rate;
} rows[] = {
    {"quiet host", {MATRIX, NOISE "block: 10%\n", SWEEPS}, ALPHA},
    {"10 % drift, 10 % noise", {MATRIX, NOISE "drift: 10%\n", SWEEPS}, ALPHA},
    {"10 % drift, 1 % noise",
     {MATRIX, "noise: 1%\ndrift: 10%\n", SWEEPS},
     ALPHA},
    {"t3 noise", {MATRIX, NOISE "distribution: t3\n", SWEEPS}, ALPHA},
    {"bimodal noise", {MATRIX, NOISE "distribution: bimodal\n", SWEEPS}, ALPHA},
    {"steal and failures",
     {MATRIX,
      NOISE "steal: {chance: 20%, share: 12%}\n"
            "fail: {chance: 20%, outcome: hang}\n",
      SWEEPS},
     ALPHA},
    {"steal in one cell",
     {MATRIX, NOISE "steal: {disk.io: io_uring, chance: 50%, share: 30%}\n",
      SWEEPS},
     ALPHA},
    {"stop on precision", {PRECISE, "noise: 2%\n", SWEEPS}, ALPHA},
    {"stop on precision, m = 1", {SINGLE, "noise: 2%\n", 5 * SWEEPS}, ADMITTED},
};

int
main(void)
{
    Tally all = {0};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        check(rows[i].what, &rows[i].scenario, rows[i].rate, &all);
    row((double) all.twins_failed / all.twins, AT_MOST, false_limit(all.twins),
        "A/A fails in any of these (%u twins)", all.twins);
    check_banner(SWEEPS);
    return campaign_status();
}
