/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps from the plan to the report, with drawn results in place of guests
 * (vsweep-model(5)): what is counted is what a report says.  Each primary
 * metric has a family of its own, so a sweep counts as often as it has some.
 */
#pragma once

#include "campaign.h"

#include "base/file.h"
#include "report/precision.h"
#include "run/simulate.h"
#include "run/sweep.h"

/* In memory: thousands of databases are written and removed. */
#define CAMPAIGN_TMPFS "/dev/shm"

typedef struct Scenario {
    const char *matrix, *model;
    guint sweeps;
} Scenario;

typedef void Visit(const Report *report, gpointer data);

/* What `vsweep run` asks at a look. */
static inline bool
scenario_look(const char *db, SweepLook *ret_look, GError **err)
{
    g_autoptr(Report) report = report_load(db, err);

    if (!report)
        return false;
    ReportPrecision precision = report_precision(report);
    ret_look->waited = precision.waited;
    ret_look->resolved = precision.resolved;
    return true;
}

static inline SweepOptions
scenario_options(const char *out, guint seed)
{
    return (SweepOptions){.out = out,
                          .seed = seed,
                          .seed_given = true,
                          .retries = 2,
                          .look = scenario_look};
}

static inline Report *
scenario_report(const Scenario *scenario, guint seed, GError **err)
{
    const char *given = g_getenv("VSWEEP_CAMPAIGN_DIR");
    g_autofree char *top =
        g_build_filename(given ? given : CAMPAIGN_TMPFS, "sweep-XXXXXX", NULL);
    g_autoptr(Matrix) matrix =
        matrix_parse(scenario->matrix, "matrix.yaml", false, err);
    g_autoptr(Design) design = matrix ? design_make(matrix, err) : NULL;
    g_autoptr(Model) model =
        design ? model_parse(scenario->model, "model.yaml", err) : NULL;
    g_autoptr(Executor) executor =
        model ? simulate_new(matrix, design, model, err) : NULL;
    g_auto(SweepResult) result = {0};
    Report *report = NULL;

    if (!executor)
        return NULL;
    if (!g_mkdtemp(top))
        g_error("no directory below %s", top);
    g_autofree char *out = g_build_filename(top, "sweep", NULL);
    SweepOptions options = scenario_options(out, seed);
    if (sweep_run(matrix, design, executor, &options, &result, err))
        report = report_load(result.db, err);
    file_remove(top, NULL);
    return report;
}

/* Runs the sweeps of a scenario.  No two share a seed, so that no two rows show
 * the same draws. */
static inline void
scenario_each(const Scenario *scenario, Visit *visit, gpointer data)
{
    static guint seed;

    for (guint i = 0; i < scenario->sweeps; i++) {
        g_autoptr(GError) err = NULL;
        g_autoptr(Report) report = scenario_report(scenario, ++seed, &err);

        if (!report)
            g_error("%s", err->message);
        visit(report, data);
    }
}

static inline gboolean
is_twin(const ReportContrast *contrast)
{
    return strcmp(contrast->setting, "aa") == 0;
}

/* Of the family of a metric: a level of a setting against the baseline. */
static inline gboolean
in_family(const ReportContrast *contrast)
{
    return !is_twin(contrast) && strcmp(contrast->setting, "host") != 0;
}

static inline gboolean
is_primary(const Report *report, guint metric)
{
    return ((const ReportMetric *) report->metrics->pdata[metric])->primary;
}

/* FALSE below three blocks, where nothing is inferred: cells may fail so often
 * that a sweep gives them up. */
static inline gboolean
has_interval(const ReportContrast *contrast)
{
    return isfinite(contrast->estimate.lo);
}

/* A limit for a rate of 5 % that was counted in so many families. */
static inline double
false_limit(guint families)
{
    return ALPHA + 2 * standard_error(ALPHA, families);
}
