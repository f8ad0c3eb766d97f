/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one model behind every report, made from results.db alone, so that
 * terminal, Markdown and CSV cannot disagree.
 *
 * Texts in it are as the database has them; who shows one escapes it
 * (report/format.h).
 */
#pragma once

#include <glib.h>
#include "data/store.h"
#include "stats/contrast.h"
#include "stats/drift.h"
#include "stats/verdict.h"

/* Two-sided error rate of every interval and test (METHOD 7). */
#define REPORT_ALPHA 0.05

typedef struct ReportMetric {
    char *workload, *id, *unit;
    bool higher_better;
    bool primary;
    double delta;
    bool write_path; /* the durability class belongs beside its figures */
    bool needs_disk;
    guint comparisons; /* m: level-against-baseline contrasts */
} ReportMetric;

/* One level of one setting against the baseline level, for one metric. */
typedef struct ReportContrast {
    guint metric;                     /* index in Report.metrics */
    char *setting, *level, *base;     /* setting "aa" for the A/A twin, "host",
                                         "cell" for a whole cell that no single
                                         setting tells from another */
    double median_level, median_base; /* over blocks, of the geometric mean
                                         over contexts; n as the estimate */
    double level_lo, level_hi, base_lo, base_hi; /* order statistics */
    double median_confidence;
    double ratio, ratio_lo, ratio_hi; /* value ratio level/base, not y */
    Estimate estimate;                /* on y: better is up */
    double sd;                        /* of the differences within blocks */
    guint blocks_needed; /* for the half-width wanted (report/precision.h);
                            0: unknown */
    bool stuck;          /* a cell behind it was given up: no more blocks */
    double p_adjusted;
    bool exploratory;               /* secondary metric: unadjusted */
    guint runs_level, runs_base;    /* unblocked only: behind the estimate */
    guint contexts, contexts_total; /* full designs */
    double simple_lo, simple_hi;    /* value ratio by context, min and max */
    const char *class_level, *class_base; /* D, D+, N, "mixed", "" (host) */
    bool ignores_flushes; /* a class N cell is behind it: marked */
    bool not_comparable;  /* so much so that no verdict is given */
    bool screening;       /* a least-squares main effect over all cells */
    bool not_estimable;   /* the cells cannot tell it from other settings */
    double alias;         /* of screening: its estimate is off by so many times
                             the interaction ... */
    char *alias_of;       /* "disk.cache=none x disk.io=native"; NULL: none */
    Verdict verdict;
    const char *word; /* what stands in the verdict column everywhere */
    char *note;       /* "p=t-log" and the like, joined by "; "; or NULL */
} ReportContrast;

/* Ratio of ratios of two settings (METHOD 7.5), primary metrics only. */
typedef struct ReportInteraction {
    guint metric;
    char *setting_a, *level_a, *base_a, *setting_b, *level_b, *base_b;
    guint contexts;
    Estimate estimate;
    double ratio, ratio_lo, ratio_hi; /* of values */
    double p_adjusted;            /* Holm within the metric's interactions */
    double a_at_base, a_at_level; /* value ratio of a's level, by b's level */
    double b_at_base, b_at_level; /* and the other way round */
    bool flagged;                 /* the effect of one depends on the other */
} ReportInteraction;

/* Did a metric change while the sweep ran?  From the runs of the baseline, its
 * twin and the host in the order of time (METHOD 7.9), primary metrics only. */
typedef struct ReportDrift {
    guint metric;
    guint n;     /* runs */
    bool tested; /* enough of them to find a change */
    bool drifted;
    Pettitt pettitt;
    Kendall kendall;
    double slope;    /* Theil-Sen, y a run; NaN below two runs */
    double shift;    /* y, after the change less before; NaN without one */
    guint block;     /* that of the first run after the change; 0: no change */
    char *when;      /* its wall clock; NULL: not known */
    double position; /* y a place in the block; NaN: not known */
} ReportDrift;

/* How often a cell was the best on the other blocks. */
typedef struct ReportPick {
    guint place; /* in Report.cells */
    guint count;
} ReportPick;

/* The best cell of a primary metric (METHOD 8.3), gains against the
 * baseline. */
typedef struct ReportBest {
    guint metric;
    guint place;       /* in Report.cells: the best over all blocks ... */
    double naive_gain; /* ... and its mean gain there, y: biased upwards */
    guint candidates;
    GArray *picks;     /* ReportPick, in the order of the cells */
    double gain;       /* y, mean over the blocks, cross-fitted */
    Estimate estimate; /* of the same */
    double ratio, ratio_lo, ratio_hi; /* of values */
} ReportBest;

/* What the settings and their interactions make of the log-variance between
 * the cells of a full design without gaps, primary metrics only. */
typedef struct ReportShares {
    guint metric;
    guint n; /* blocks */
    guint n_sets;
    double *shares; /* by set of settings: bit f is Report.factors[f] */
} ReportShares;

/* One cell and metric: plain numbers. */
typedef struct ReportCellMetric {
    guint cell; /* Cell index */
    guint metric;
    guint n;
    double median, lo, hi, confidence;
} ReportCellMetric;

/* When an attempt began and ended, ns of the raw clock; 0: unknown. */
typedef struct ReportSpan {
    gint64 begin, end;
    char *started; /* wall clock, ISO 8601; or NULL */
} ReportSpan;

typedef struct Report {
    char *db_path;
    GHashTable *facts;       /* store_facts() */
    GPtrArray *cells;        /* StoreCell * */
    GPtrArray *factors;      /* StoreFactor * */
    GPtrArray *metrics;      /* ReportMetric *, catalogue order */
    GPtrArray *grids, *logs; /* Blocks *, one of each metric: report_grid(),
                                report_logs() in parts.h */
    struct Lattice *lattice; /* Report.cells as points */
    GPtrArray *cell_values;  /* ReportCellMetric * */
    GPtrArray *contrasts;    /* ReportContrast *: settings, then aa, host */
    GPtrArray *interactions; /* ReportInteraction * */
    GPtrArray *drifts;       /* ReportDrift * */
    GPtrArray *bests;        /* ReportBest * */
    GPtrArray *shares;       /* ReportShares * */
    GPtrArray *ladders;      /* ReportLadder *: report/ladder.h */
    GPtrArray *runs;         /* StoreRun * */
    GArray *spans;           /* ReportSpan, one per run */
    GPtrArray *values;       /* StoreValue * */
    GPtrArray *discarded;    /* StoreValue * of discarded blocks: never
                                analysed, listed in runs.csv */
    GPtrArray *headlines;    /* char *: a sentence for each verdict row */
    GPtrArray *findings;     /* char *: the conclusive ones of them, as many as
                                a first look takes, and the others in one */
    guint findings_left;     /* conclusive sentences that were too many */
    GPtrArray *gates;        /* StoreGate *: disturbed windows */
    guint blocks;            /* complete blocks */
    guint last_block;        /* highest block with an attempt */
    guint cells_planned, cells_measured; /* measured: an ok attempt */
    bool *given_up; /* by place in cells: lost too many blocks, not tried
                       again; NULL: nothing is known of attempts */
    char grade;     /* 'A'..'D' */
    GPtrArray *grade_reasons; /* char *: why not better; empty for A */
    GArray *levels;           /* ReportLevels: report/levels.h */
    GPtrArray *notes;         /* char *: what the data lack */
    bool emulated, simulated;
    bool unblocked; /* no block holds two cells (METHOD 7.8) */
    gint64 times[PART_MAX];
} Report;

Report *report_load(const char *db_path, GError **err);
void report_free(Report *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Report, report_free)

/* " under emulation", " in a simulation" or "": what a sentence about figures
 * has to say of where they come from. */
const char *report_where(const Report *report);
/* Metric by id; -1 when the sweep has none. */
int report_metric(const Report *report, const char *id);
/* A fact of the sweep, or NULL. */
const char *report_fact(const Report *report, const char *key);
/* The cell with this index (StoreCell.index), or NULL. */
const StoreCell *report_cell(const Report *report, guint index);
/* The plain numbers of a cell, or NULL when it has none. */
const ReportCellMetric *report_cell_value(const Report *report, guint cell,
                                          guint metric);
/* The contrast of that metric, setting and level, or NULL. */
const ReportContrast *report_contrast(const Report *report, guint metric,
                                      const char *setting, const char *level);
/* Any two levels of a swept setting, also when neither is the baseline's:
 * differences within blocks, p unadjusted, exploratory.  NULL when no two
 * cells differ in just that.  Caller frees. */
ReportContrast *report_contrast_levels(const Report *report, guint metric,
                                       const char *setting, const char *level,
                                       const char *base);
void report_contrast_free(ReportContrast *contrast);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ReportContrast, report_contrast_free)
/* The sentence of METHOD 10 for one contrast.  Caller frees. */
char *report_sentence(const Report *report, const ReportContrast *contrast);
/* Whether the data say something about a contrast: a verdict other than
 * inconclusive, or that its effect depends on another setting. */
bool report_conclusive(const Report *report, const ReportContrast *contrast);
/* One sentence for all rows (const ReportContrast *) that are not conclusive:
 * how many there are of what kind, and what to do about it.  NULL
 * when there are none.  Caller frees. */
char *report_sum_up(const Report *report, const GPtrArray *rows);
/* What a screening sweep is to be followed by, a line for the matrix: "design:
 * full:disk.cache,disk.io".  NULL: nothing stands out.  Caller frees. */
char *report_confirmation(const Report *report);
/* Measured windows, and how many of them a validity gate found disturbed and
 * only noted. */
guint report_windows(const Report *report, guint *ret_disturbed);
/* So many that the grade suffers. */
bool report_much_disturbed(const Report *report);
/* Value ratio as a signed percentage, "+18.2 %".  Caller frees. */
char *report_percent(double ratio);
