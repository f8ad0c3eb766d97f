/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A context is a pair of cells that differ in one setting only.  A one-factor
 * design has one context for each level, at the baseline of all other
 * settings; a full design has one for every combination of the others in
 * which both cells exist, and the contrast is their mean (METHOD 7.1).
 */
#pragma once

#include "report/parts.h"

typedef struct Pair {
    guint level, base; /* places in Report.cells */
} Pair;

typedef struct Contexts {
    GArray *pairs; /* Pair */
    guint total;   /* combinations of the other settings, cells or not */
} Contexts;

Contexts contexts_of_levels(const Report *report, const char *setting,
                            const char *level, const char *base);
/* The one context of two cells taken whole. */
Contexts contexts_of_cells(guint level, guint base);
void contexts_clear(Contexts *contexts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Contexts, contexts_clear)

/* Those both of whose cells have a value: what a contrast averages. */
GArray *contexts_measured(const Contexts *contexts, const Blocks *logs);
/* The estimate and medians of two cells that share no block. */
void report_fill_unblocked(const Blocks *logs, const Pair *pair,
                           const ReportMetric *metric,
                           ReportContrast *contrast);
/* The durability class of one side; "mixed" where its cells differ. */
const char *contexts_class(const Report *report, const Contexts *contexts,
                           bool base_side);
