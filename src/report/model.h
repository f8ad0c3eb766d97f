/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one model behind every report, made from results.db alone, so that
 * terminal, Markdown and CSV cannot disagree.
 */
#pragma once

#include <glib.h>
#include "data/store.h"
#include "stats/contrast.h"
#include "stats/verdict.h"

typedef struct ReportMetric {
    char *workload, *id, *unit;
    bool higher_better;
    bool primary;
    double delta;
} ReportMetric;

/* One level of one setting against the baseline level, for one metric. */
typedef struct ReportContrast {
    guint metric;           /* index in Report.metrics */
    char *setting, *level, *base; /* setting "aa" for the A/A twin, "host" */
    double median_level, median_base; /* of run values, over contexts */
    double ratio, ratio_lo, ratio_hi; /* value ratio level/base, not y */
    Estimate estimate;      /* on y: better is up */
    double p_adjusted;
    bool exploratory;       /* secondary metric: unadjusted */
    guint contexts, contexts_total; /* full designs */
    Verdict verdict;
    char *note; /* "not comparable: flushes ignored", "p=t-log" ...; or NULL */
} ReportContrast;

/* One cell and metric: plain numbers. */
typedef struct ReportCellMetric {
    guint cell;   /* Cell index */
    guint metric;
    guint n;
    double median, lo, hi, confidence;
} ReportCellMetric;

typedef struct Report {
    char *db_path;
    GHashTable *facts;     /* store_facts() */
    GPtrArray *cells;      /* StoreCell * */
    GPtrArray *factors;    /* StoreFactor * */
    GPtrArray *metrics;    /* ReportMetric *, catalogue order */
    GPtrArray *cell_values; /* ReportCellMetric * */
    GPtrArray *contrasts;  /* ReportContrast *: settings, then aa, host */
    GPtrArray *runs;       /* StoreRun * */
    GPtrArray *values;     /* StoreValue * */
    GPtrArray *headlines;  /* char *: sentences generated from verdict rows */
    guint blocks;          /* complete blocks */
    char grade;            /* 'A'..'D' */
    bool emulated;
    gint64 times[PART_MAX];
} Report;

Report *report_load(const char *db_path, GError **err);
void report_free(Report *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Report, report_free)

/* Metric by id; -1 when the sweep has none. */
int report_metric(const Report *report, const char *id);
/* Value ratio as a signed percentage, "+18.2 %".  Caller frees. */
char *report_percent(double ratio);
