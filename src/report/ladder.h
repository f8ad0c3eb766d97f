/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Overhead attribution (METHOD 8): what is lost on each step from the host to
 * the baseline guest, and which settings make the last of them.  Primary
 * metrics of sweeps that have a host, blocks and a second rung between.
 *
 * Every step is a contrast within blocks, on y, with a family of its own.  Its
 * estimate is the best guess at the step; its mean is there because means add
 * up exactly: all are over the same blocks.  Percentages never add.
 */
#pragma once

#include "report/model.h"

/* From the fastest to the slowest, as things should be. */
typedef enum {
    RUNG_HOST,     /* all the host has */
    RUNG_MATCHED,  /* the CPUs and memory of the guest */
    RUNG_LOOP,     /* the same on a file system in a file */
    RUNG_BEST,     /* the best guest */
    RUNG_BASELINE, /* the baseline guest */
    RUNG_MAX
} Rung;

typedef struct ReportStep {
    const char *name; /* "virtualisation floor" */
    Rung from, to;
    Estimate estimate; /* METHOD_NONE: a cell it needs was not run */
    double mean;       /* NaN: no block has all of the ladder */
    double ratio, ratio_lo, ratio_hi; /* of values */
} ReportStep;

/* What one setting has of the configuration step, best less baseline. */
typedef struct ReportPart {
    char *setting, *level, *base;
    ReportStep first_in; /* switched alone */
    ReportStep last_in;  /* switched when all others are */
    ReportStep shapley;  /* mean over all orders; needs all corners */
} ReportPart;

typedef struct ReportLadder {
    guint metric;
    GArray *steps;        /* ReportStep, down the ladder */
    ReportStep total;     /* the first rung to the last */
    guint blocks;         /* behind the means */
    GPtrArray *parts;     /* ReportPart *; empty: the step is not split */
    ReportStep remainder; /* interaction or unexplained: the step less what
                             the settings make alone */
    GPtrArray *notes;     /* char *: what the rungs are, and what is missing */
} ReportLadder;

void report_ladder_free(ReportLadder *ladder);
/* The share of a step in the total, of means; NaN: none can be named. */
double report_ladder_share(const ReportLadder *ladder, const ReportStep *step);
/* The sentence of METHOD 10; NULL: under emulation, and below 3 blocks.  Caller
 * frees. */
char *report_ladder_sentence(const Report *report, const ReportLadder *ladder);
/* A section of its own, nothing without ladders or under emulation. */
void text_ladders(const Report *report, GString *out);
void markdown_ladders(const Report *report, GString *out);
