/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps over settings that do change something, by a known ratio: whether the
 * printed interval holds it, whether it is found, and whether interactions are
 * flagged where there are some and only there.
 */
#include "pipeline.h"

#define WORKLOADS                                                       \
    "workloads: [fs.fsync, fs.dsync, fs.seqwrite, fs.seqread, db.txn, " \
    "cpu.int, cpu.rsa]\n"                                               \
    "host: none\n"

/* Five comparisons, so ten blocks. */
#define STAR                                                      \
    "name: effects\n"                                             \
    "matrix:\n"                                                   \
    "  disk.cache: [none, writeback, directsync, writethrough]\n" \
    "  disk.io: [threads, io_uring]\n"                            \
    "  disk.format: [raw, qcow2]\n"                               \
    "design: ofat\n" WORKLOADS

/* Two interactions, ten blocks. */
#define FULL                                        \
    "name: interactions\n"                          \
    "matrix:\n"                                     \
    "  disk.cache: [none, writeback, directsync]\n" \
    "  disk.io: [threads, io_uring]\n"              \
    "design: full\n" WORKLOADS

typedef struct Effect {
    const char *setting, *level;
    double time; /* ratio of times, level to base */
} Effect;

static double
true_time(const Effect *effects, const ReportContrast *c)
{
    for (; effects->setting; effects++)
        if (strcmp(effects->setting, c->setting) == 0 &&
            strcmp(effects->level, c->level) == 0)
            return effects->time;
    return 1;
}

/* --------------------------------------------------------------- coverage */

#define CACHE_EFFECTS                           \
    "effects:\n"                                \
    "  - {disk.cache: writeback, slower: 5%}\n" \
    "  - {disk.cache: directsync, faster: 20%}\n"
#define EFFECTS CACHE_EFFECTS "  - {disk.format: qcow2, slower: 50%}\n"

static const Effect effects[] = {
    {"disk.cache", "writeback", 1.05},
    {"disk.cache", "directsync", 1 / 1.20},
    {"disk.format", "qcow2", 1.50},
    {NULL, NULL, 0},
};

typedef struct Coverage {
    guint intervals, held;
} Coverage;

/* Of the ratio of values as it is printed: rates go the other way. */
static void
count_held(const Report *report, gpointer data)
{
    Coverage *coverage = (Coverage *) data;

    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];
        const ReportMetric *metric = report->metrics->pdata[c->metric];
        double time = true_time(effects, c);
        double ratio = metric->higher_better ? 1 / time : time;

        if (!metric->primary || !in_family(c) || !has_interval(c))
            continue;
        coverage->intervals++;
        coverage->held += c->ratio_lo <= ratio && ratio <= c->ratio_hi;
    }
}

static void
check_coverage(const char *what, const char *matrix, const char *model,
               guint sweeps)
{
    Scenario scenario = {matrix, model, sweeps};
    Coverage coverage = {0};

    scenario_each(&scenario, count_held, &coverage);
    row((double) coverage.held / coverage.intervals, AT_LEAST, 0.93,
        "coverage of known effects, %s (%u intervals)", what,
        coverage.intervals);
}

/* ------------------------------------------------------------------ power */

/* A rate that falls by 5 % is a time that grows by 1/0.95 - 1. */
#define SLOWDOWN  \
    "noise: 2%\n" \
    "block: 5%\n" \
    "effects: {disk.cache: writeback, slower: 5.2632%}\n"

typedef struct Power {
    guint families, found;
} Power;

static void
count_found(const Report *report, gpointer data)
{
    Power *power = (Power *) data;

    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];

        if (!is_primary(report, c->metric) ||
            strcmp(c->level, "writeback") != 0)
            continue;
        power->families++;
        power->found +=
            c->verdict == VERDICT_WORSE || c->verdict == VERDICT_WORSE_SMALL;
    }
}

static void
check_power(guint sweeps)
{
    Scenario scenario = {STAR, SLOWDOWN, sweeps};
    Power power = {0};

    scenario_each(&scenario, count_found, &power);
    row((double) power.found / power.families, AT_LEAST, 0.95,
        "5 %% less rate under 2 %% noise is found, m = 5, B = 10 (%u)",
        power.families);
}

/* ----------------------------------------------------------- interactions */

typedef struct Flags {
    guint families, flagged;  /* flagged: any interaction of the family */
    guint pair, pair_flagged; /* of writeback with io_uring */
} Flags;

static void
count_flags(const Report *report, gpointer data)
{
    Flags *flags = (Flags *) data;
    guint n_metrics = report->metrics->len;
    g_autofree gboolean *any = g_new0(gboolean, n_metrics);

    for (guint i = 0; i < report->interactions->len; i++) {
        const ReportInteraction *x = report->interactions->pdata[i];
        gboolean is_pair = strcmp(x->level_a, "writeback") == 0 ||
                           strcmp(x->level_b, "writeback") == 0;

        any[x->metric] |= x->flagged;
        flags->pair += is_pair;
        flags->pair_flagged += is_pair && x->flagged;
    }
    for (guint metric = 0; metric < n_metrics; metric++) {
        flags->families += is_primary(report, metric);
        flags->flagged += any[metric];
    }
}

static void
check_interactions(guint sweeps)
{
    Scenario none = {FULL,
                     "noise: 10%\n"
                     "effects:\n"
                     "  - {disk.cache: writeback, slower: 30%}\n"
                     "  - {disk.io: io_uring, faster: 30%}\n",
                     sweeps};
    Scenario some = {FULL,
                     "noise: 2%\n"
                     "effects:\n"
                     "  - {disk.cache: writeback, disk.io: io_uring, "
                     "slower: 15%}\n",
                     sweeps};
    Flags flags = {0};

    scenario_each(&none, count_flags, &flags);
    row((double) flags.flagged / flags.families, AT_MOST,
        false_limit(flags.families),
        "interaction flagged where effects multiply (%u families)",
        flags.families);
    flags = (Flags){0};
    scenario_each(&some, count_flags, &flags);
    row((double) flags.pair_flagged / flags.pair, AT_LEAST, 0.95,
        "interaction of 15 %% under 2 %% noise flagged (%u)", flags.pair);
}

int
main(void)
{
    check_coverage("normal", STAR, "noise: 5%\nblock: 10%\n" EFFECTS, 200);
    check_coverage("normal, full design", FULL,
                   "noise: 5%\nblock: 10%\n" CACHE_EFFECTS, 200);
    check_coverage("lognormal, 10 % drift", STAR,
                   "noise: 5%\ndistribution: lognormal\ndrift: 10%\n" EFFECTS,
                   200);
    check_coverage("steal and failures", STAR,
                   "noise: 5%\nblock: 10%\n"
                   "steal: {chance: 20%, share: 12%}\n"
                   "fail: {chance: 20%, outcome: hang}\n" EFFECTS,
                   200);
    check_power(300);
    check_interactions(200);
    return campaign_status();
}
