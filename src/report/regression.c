/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least-squares main effects of settings: see regression.h. */
#include "report/regression.h"

#include <math.h>
#include <string.h>
#include "stats/ols.h"

/* A column of the design matrix; the first, without a setting, is the
 * intercept. */
typedef struct Term {
    const char *setting, *level; /* owned by the report */
    guint factor;
} Term;

struct Regression {
    GArray *places; /* guint in Report.cells: the rows */
    GArray *terms;  /* Term */
    double *x;      /* rows times terms */
    Ols *ols;
    GArray *products; /* OlsProduct */
};

bool
report_is_screening(const Report *report)
{
    static const char *const separating[] = {"ofat", "star+pairs", "full",
                                             "list", NULL};
    const char *design = report_fact(report, "design");

    return design && *design && !g_strv_contains(separating, design);
}

static const StoreFactor *
factor_of(const Report *report, const char *setting)
{
    for (guint i = 0; i < report->factors->len; i++) {
        const StoreFactor *factor = report->factors->pdata[i];

        if (strcmp(factor->setting, setting) == 0)
            return factor;
    }
    return NULL;
}

/* What is not swept has the level of the baseline cell, what is has a level of
 * the sweep. */
bool
regression_describes(const Report *report, const StoreCell *cell)
{
    int origin = report_cell_of(report, "baseline");
    const StoreCell *baseline =
        origin < 0 ? cell : report->cells->pdata[origin];

    if (strcmp(cell->kind, "cell") != 0)
        return false;
    for (guint i = 0; i < cell->settings->len; i++) {
        const char *setting = cell->settings->pdata[i];
        const char *level = cell->levels->pdata[i];
        const StoreFactor *factor = factor_of(report, setting);

        if (factor ? !g_ptr_array_find_with_equal_func(factor->levels, level,
                                                       g_str_equal, NULL)
                   : g_strcmp0(level, report_cell_level(baseline, setting)))
            return false;
    }
    return true;
}

bool
regression_level_occurs(const Report *report, const char *setting,
                        const char *level)
{
    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        if (report_cell_planned(cell) && regression_describes(report, cell) &&
            g_strcmp0(report_cell_level(cell, setting), level) == 0)
            return true;
    }
    return false;
}

/* The cells that a fit of this metric rests on. */
static GArray *
places_of(const Report *report, guint metric)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];

        if (report_cell_planned(cell) && regression_describes(report, cell) &&
            report_logs_any(report_logs(report, metric), i))
            g_array_append_val(places, i);
    }
    return places;
}

static bool
level_is_there(const Report *report, const GArray *places, const char *setting,
               const char *level)
{
    for (guint i = 0; i < places->len; i++) {
        const StoreCell *cell =
            report->cells->pdata[g_array_index(places, guint, i)];

        if (g_strcmp0(report_cell_level(cell, setting), level) == 0)
            return true;
    }
    return false;
}

static GArray *
terms_of(const Report *report, const GArray *places, const char *setting,
         const char *base)
{
    GArray *terms = g_array_new(FALSE, TRUE, sizeof(Term));
    const Term intercept = {NULL, NULL, 0};

    g_array_append_val(terms, intercept);
    for (guint f = 0; f < report->factors->len; f++) {
        const StoreFactor *factor = report->factors->pdata[f];
        const char *reference = g_strcmp0(factor->setting, setting) == 0 ? base
                                : factor->baseline < factor->levels->len
                                    ? factor->levels->pdata[factor->baseline]
                                    : NULL;

        for (guint i = 0; i < factor->levels->len; i++) {
            const Term term = {factor->setting, factor->levels->pdata[i],
                               f + 1};

            if (g_strcmp0(term.level, reference) != 0 &&
                level_is_there(report, places, term.setting, term.level))
                g_array_append_val(terms, term);
        }
    }
    return terms;
}

static double *
matrix_of(const Report *report, const GArray *places, const GArray *terms)
{
    double *x = g_new0(double, (gsize) places->len * terms->len + 1);

    for (guint i = 0; i < places->len; i++) {
        const StoreCell *cell =
            report->cells->pdata[g_array_index(places, guint, i)];

        for (guint t = 0; t < terms->len; t++) {
            const Term *term = &g_array_index(terms, Term, t);

            x[i * terms->len + t] =
                !term->setting ||
                g_strcmp0(report_cell_level(cell, term->setting),
                          term->level) == 0;
        }
    }
    return x;
}

static GArray *
products_of(const Regression *r)
{
    g_autofree guint *factor = g_new(guint, r->terms->len);

    for (guint t = 0; t < r->terms->len; t++)
        factor[t] = g_array_index(r->terms, Term, t).factor;
    return ols_products(r->x, r->places->len, r->terms->len, factor);
}

Regression *
regression_new(const Report *report, guint metric, const char *setting,
               const char *base)
{
    Regression *r = g_new0(Regression, 1);

    r->places = places_of(report, metric);
    r->terms = terms_of(report, r->places, setting, base);
    r->x = matrix_of(report, r->places, r->terms);
    r->ols = ols_new(r->x, r->places->len, r->terms->len);
    r->products = products_of(r);
    return r;
}

void
regression_free(Regression *r)
{
    if (!r)
        return;
    g_array_unref(r->places);
    g_array_unref(r->terms);
    g_free(r->x);
    ols_free(r->ols);
    g_array_unref(r->products);
    g_free(r);
}

bool
regression_fits(const Regression *r, const Report *report, guint metric)
{
    g_autoptr(GArray) places = places_of(report, metric);

    return places->len == r->places->len &&
           memcmp(places->data, r->places->data, places->len * sizeof(guint)) ==
               0;
}

/* 0, the intercept: no cell with a value has the level. */
static guint
term_of(const Regression *r, const char *setting, const char *level)
{
    for (guint t = 1; t < r->terms->len; t++) {
        const Term *term = &g_array_index(r->terms, Term, t);

        if (strcmp(term->setting, setting) == 0 &&
            strcmp(term->level, level) == 0)
            return t;
    }
    return 0;
}

/* Adds a term's weights to those of all cells of the report. */
static void
spread(const Regression *r, guint term, double *weights)
{
    for (guint i = 0; i < r->places->len; i++)
        weights[g_array_index(r->places, guint, i)] +=
            ols_weights(r->ols, term)[i];
}

static char *
term_text(const Term *term)
{
    return g_strdup_printf("%s=%s", term->setting, term->level);
}

static void
fill_alias(const Regression *r, guint term, ReportContrast *contrast)
{
    OlsAlias worst = ols_worst_alias(r->ols, r->x, term, r->products);

    contrast->alias = worst.a;
    if (isnan(worst.a) || worst.a == 0)
        return;
    const OlsProduct *product =
        &g_array_index(r->products, OlsProduct, worst.product);
    g_autofree char *first =
        term_text(&g_array_index(r->terms, Term, product->first));
    g_autofree char *second =
        term_text(&g_array_index(r->terms, Term, product->second));
    contrast->alias_of = g_strdup_printf("%s x %s", first, second);
}

/* The durability class of the cells that have a level; "mixed" where they
 * differ. */
static const char *
class_of(const Regression *r, const Report *report, const char *setting,
         const char *level)
{
    const char *class = NULL;

    for (guint i = 0; i < r->places->len; i++) {
        const StoreCell *cell =
            report->cells->pdata[g_array_index(r->places, guint, i)];

        if (g_strcmp0(report_cell_level(cell, setting), level) != 0)
            continue;
        if (class && strcmp(class, report_cell_class(cell)) != 0)
            return "mixed";
        class = report_cell_class(cell);
    }
    return class ? class : "";
}

/* METHOD 6.4.  The weights of the cells that ignore flushes add up to 0 where
 * the fit takes that out of the estimate, as another setting's effect. */
static void
fill_durability(const Report *report, const double *weights,
                ReportContrast *contrast)
{
    const ReportMetric *metric = report->metrics->pdata[contrast->metric];
    double ignoring = 0;
    bool any = false, all = true;

    for (guint i = 0; i < report->cells->len; i++) {
        bool ignores =
            strcmp(report_cell_class(report->cells->pdata[i]), "N") == 0;

        if (weights[i] == 0)
            continue;
        any = any || ignores;
        all = all && ignores;
        ignoring += ignores ? weights[i] : 0;
    }
    contrast->ignores_flushes = metric->write_path && any;
    contrast->not_comparable = contrast->ignores_flushes &&
                               (all || fabs(ignoring) > 0.5) &&
                               !report_allows_unsafe(report);
}

ReportContrast *
regression_contrast(const Regression *r, const Report *report, guint metric,
                    const char *setting, const char *level, const char *base,
                    guint comparisons)
{
    guint term = term_of(r, setting, level);
    gsize n = report->cells->len + 1;
    g_autofree double *of_level = g_new0(double, n);
    g_autofree double *of_base = g_new0(double, n);
    g_autofree double *weights = g_new0(double, n);
    const ContrastSides sides = {of_level, of_base, weights};

    spread(r, 0, of_base);
    spread(r, 0, of_level);
    if (term > 0) {
        spread(r, term, of_level);
        spread(r, term, weights);
    }
    ReportContrast *contrast =
        report_contrast_weigh(report, metric, &sides, comparisons);
    contrast->setting = g_strdup(setting);
    contrast->level = g_strdup(level);
    contrast->base = g_strdup(base);
    contrast->screening = true;
    contrast->alias = NAN;
    contrast->class_level = class_of(r, report, setting, level);
    contrast->class_base = class_of(r, report, setting, base);
    contrast->simple_lo = contrast->simple_hi = NAN;
    fill_durability(report, weights, contrast);
    if (term > 0 && r->ols->estimable[term])
        fill_alias(r, term, contrast);
    else
        contrast->not_estimable = term > 0;
    return contrast;
}
