/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Effects of single settings in designs that do not separate them by pairs of
 * cells: least-squares main effects over all cells at once (METHOD 7.6).  They
 * are screening: each is off by interactions, and its alias says which most.
 */
#pragma once

#include "report/parts.h"

/* Whether the sweep's design is one of those: neither ofat, star+pairs, full
 * nor list. */
bool report_is_screening(const Report *report);

/* Whether some cell that was to be measured, and that the settings of the
 * sweep describe, has the level. */
bool regression_level_occurs(const Report *report, const char *setting,
                             const char *level);
/* Whether the settings of the sweep describe a cell: an included one with
 * further settings is no part of the fit. */
bool regression_describes(const Report *report, const StoreCell *cell);

/* The fit of one metric. */
typedef struct Regression Regression;

/* Over the cells that have a value.  Effects are against `base` of `setting`
 * and against the baseline of all others; NULL: the baseline of all. */
Regression *regression_new(const Report *report, guint metric,
                           const char *setting, const char *base);
void regression_free(Regression *regression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Regression, regression_free)
/* Whether the fit of another metric would be the same. */
bool regression_fits(const Regression *regression, const Report *report,
                     guint metric);

/* One level's main effect, not judged yet. */
ReportContrast *regression_contrast(const Regression *regression,
                                    const Report *report, guint metric,
                                    const char *setting, const char *level,
                                    const char *base, guint comparisons);
