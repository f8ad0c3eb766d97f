/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of a simulated sweep: what a run would yield, known beforehand.
 * Read from a YAML file (vsweep-model(5)) that names settings, workloads and
 * metrics but belongs to no matrix.
 */
#pragma once

#include <glib.h>
#include "data/attempt.h"
#include "guest-payload/catalogue.h"
#include "plan/design.h"
#include "stats/draw.h"

/* Something that holds for some cells. */
typedef struct ModelRule {
    guint line;                   /* in the file */
    Rule *where;                  /* the levels it holds for; empty: all */
    char *cell;                   /* the one cell it holds for; NULL: any */
    const WorkloadInfo *workload; /* effects: NULL: every one */
    const MetricInfo *metric;     /* effects: NULL: every one */
    double amount;   /* effects: added to the logarithm, better is up; steal:
                        share of the vCPUs' time; clock_skew: relative rate */
    double chance;   /* of every run that it happens */
    Outcome outcome; /* fail */
    char *words;     /* fail, unsupported: why */
} ModelRule;

typedef struct ModelMetric {
    const MetricInfo *metric;
    double value; /* of a baseline run without noise, in the metric's unit */
} ModelMetric;

typedef struct Model {
    char *path, *text;
    double noise; /* sd of a run's ln value */
    double block; /* sd of ln value that all runs of a block share */
    double drift; /* slower by this ratio at the end of all blocks */
    DrawShape shape;
    GArray *metrics; /* ModelMetric: those that are given */
    GPtrArray *effects, *steal, *clock_skew, *fail, *unsupported; /* rules */
} Model;

/* Reads and checks a file.  On failure the error holds every complaint, one
 * a line, each with file:line:column. */
Model *model_load(const char *path, GError **err);
/* The same from a text; `path` is for messages. */
Model *model_parse(const char *text, const char *path, GError **err);
/* Whether a rule holds for a cell. */
bool model_rule_holds(const ModelRule *rule, const Design *design,
                      const Cell *cell);
/* What a baseline run yields. */
double model_value(const Model *model, const MetricInfo *metric);
void model_free(Model *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Model, model_free)
