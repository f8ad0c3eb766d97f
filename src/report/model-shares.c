/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which settings make how much of the differences between the cells of a full
 * design without gaps (METHOD 7.5).
 */
#include "report/parts.h"

#include <math.h>
#include <string.h>
#include "report/lattice.h"
#include "report/text.h"
#include "stats/shares.h"

/* Terms below this share are told together. */
#define SHARE_TOLD 0.01

void
report_shares_free(ReportShares *shares)
{
    if (!shares)
        return;
    g_free(shares->shares);
    g_free(shares);
}

/* The places of all combinations of levels, the last setting's changing
 * fastest; NULL when one was not to be measured or ignores flushes where that
 * counts.  (guint) */
static GArray *
grid_of(const Report *report, const ReportMetric *metric)
{
    int origin = report_cell_of(report, "baseline");
    guint n = report->factors->len, size = 1;
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree Coordinate *at = g_new0(Coordinate, n + 1);

    if (origin < 0 || n < 2 || n > SHARES_MAX_SETTINGS)
        return NULL;
    for (guint f = 0; f < n; f++) {
        size *= ((StoreFactor *) report->factors->pdata[f])->levels->len;
        if (size == 0 || size > report->cells->len)
            return NULL;
    }
    for (guint i = 0; i < size; i++) {
        guint rest = i, place = LATTICE_NO_CELL;

        for (guint f = n; f-- > 0;) {
            const StoreFactor *factor = report->factors->pdata[f];

            if (!lattice_coordinate(
                    report->lattice, factor->setting,
                    factor->levels->pdata[rest % factor->levels->len], &at[f]))
                return NULL;
            rest /= factor->levels->len;
        }
        place = lattice_move(report->lattice, (guint) origin, at, n);
        if (place == LATTICE_NO_CELL ||
            (metric->write_path && !report_allows_unsafe(report) &&
             strcmp(report_cell_class(report->cells->pdata[place]), "N") == 0))
            return NULL;
        g_array_append_val(places, place);
    }
    return g_steal_pointer(&places);
}

static bool
block_complete(const Blocks *logs, const GArray *places, guint block)
{
    for (guint i = 0; i < places->len; i++)
        if (!isfinite(blocks_get(logs, g_array_index(places, guint, i), block)))
            return false;
    return true;
}

/* Means over the blocks in which every cell was measured; NaN without one. */
static double *
means_of(const Blocks *logs, const GArray *places, guint *ret_n)
{
    double *means = g_new0(double, places->len);
    guint n = 0;

    for (guint b = 0; b < logs->n_blocks; b++) {
        if (!block_complete(logs, places, b))
            continue;
        n++;
        for (guint i = 0; i < places->len; i++)
            means[i] += blocks_get(logs, g_array_index(places, guint, i), b);
    }
    for (guint i = 0; i < places->len; i++)
        means[i] /= n;
    *ret_n = n;
    return means;
}

static ReportShares *
shares_make(const Report *report, guint metric)
{
    guint n = report->factors->len, blocks = 0;
    g_autoptr(GArray) places = grid_of(report, report->metrics->pdata[metric]);
    g_autofree guint *levels = g_new(guint, n + 1);
    g_autofree double *means = NULL;
    g_autofree double *shares = NULL;

    if (!places)
        return NULL;
    for (guint f = 0; f < n; f++)
        levels[f] = ((StoreFactor *) report->factors->pdata[f])->levels->len;
    means = means_of(report_logs(report, metric), places, &blocks);
    shares = g_new0(double, 1u << n);
    if (blocks == 0 || !shares_of_variance(means, levels, n, shares))
        return NULL;
    ReportShares *result = g_new0(ReportShares, 1);
    *result = (ReportShares){metric, blocks, 1u << n, g_steal_pointer(&shares)};
    return result;
}

void
report_add_shares(Report *report)
{
    for (guint m = 0; m < report->metrics->len; m++) {
        const ReportMetric *metric = report->metrics->pdata[m];
        ReportShares *shares = NULL;

        if (!metric->primary || !report_design_is(report, "full"))
            continue;
        shares = shares_make(report, m);
        if (shares)
            g_ptr_array_add(report->shares, shares);
    }
}

const ReportShares *
report_shares(const Report *report, guint metric)
{
    for (guint i = 0; i < report->shares->len; i++) {
        const ReportShares *shares = report->shares->pdata[i];

        if (shares->metric == metric)
            return shares;
    }
    return NULL;
}

char *
report_shares_term(const Report *report, guint set)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint f = 0; f < report->factors->len; f++)
        if (set >> f & 1)
            g_string_append_printf(
                out, "%s%s", out->len ? " x " : "",
                ((StoreFactor *) report->factors->pdata[f])->setting);
    return g_strdup(out->str);
}

/* Without a difference that the data show, the shares are those of noise. */
static bool
anything_shown(const Report *report, guint metric)
{
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];

        if (c->metric == metric && c->verdict != VERDICT_EQUIVALENT &&
            strcmp(c->setting, "aa") != 0 && report_conclusive(report, c))
            return true;
    }
    return false;
}

/* The set with the largest share below that of the one before; 0: no more. */
static guint
next_largest(const ReportShares *shares, const bool *told)
{
    guint next = 0;

    for (guint set = 1; set < shares->n_sets; set++)
        if (!told[set] && shares->shares[set] >= SHARE_TOLD &&
            (next == 0 || shares->shares[set] > shares->shares[next]))
            next = set;
    return next;
}

char *
report_shares_text(const Report *report, const ReportShares *shares)
{
    g_autoptr(GString) out = g_string_new("differences between cells: ");
    g_autofree bool *told = g_new0(bool, shares->n_sets);
    gsize start = out->len;
    double rest = 1;

    if (!anything_shown(report, shares->metric))
        return NULL;
    for (guint set = next_largest(shares, told); set > 0;
         set = next_largest(shares, told)) {
        bool both = report->factors->len == 2 && set == 3;
        g_autofree char *term = report_shares_term(report, set);

        g_string_append_printf(
            out, "%s%s %.0f %%", out->len > start ? ", " : "",
            both ? "their interaction" : term, 100 * shares->shares[set]);
        rest -= shares->shares[set];
        told[set] = true;
    }
    if (rest >= SHARE_TOLD / 2)
        g_string_append_printf(out, ", others %.0f %%", 100 * rest);
    g_string_append(out, " of the log-variance");
    return g_strdup(out->str);
}
