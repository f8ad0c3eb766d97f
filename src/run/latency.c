/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latency histograms of one attempt: see latency.h. */
#include "run/latency.h"
#include "stats/histogram.h"

static int
by_index(gconstpointer a, gconstpointer b)
{
    const HistBin *left = a, *right = b;

    return (left->index > right->index) - (left->index < right->index);
}

void
latency_merge(AttemptHist *hist, const GArray *bins)
{
    GArray *all = hist->bins;
    guint kept = 0;

    g_array_append_vals(all, bins->data, bins->len);
    g_array_sort(all, by_index);
    for (guint i = 0; i < all->len; i++) {
        HistBin bin = g_array_index(all, HistBin, i);

        if (kept && g_array_index(all, HistBin, kept - 1).index == bin.index)
            g_array_index(all, HistBin, kept - 1).count += bin.count;
        else
            g_array_index(all, HistBin, kept++) = bin;
    }
    g_array_set_size(all, kept);
    for (guint i = 0; i < bins->len; i++)
        hist->n += g_array_index(bins, HistBin, i).count;
}

double
latency_percentile_us(const AttemptHist *hist, double p)
{
    guint n = hist->bins->len;
    g_autofree guint32 *index = g_new(guint32, n);
    g_autofree gint64 *count = g_new(gint64, n);

    for (guint i = 0; i < n; i++) {
        index[i] = g_array_index(hist->bins, HistBin, i).index;
        count[i] = g_array_index(hist->bins, HistBin, i).count;
    }
    return (double) histogram_percentile(index, count, n, hist->n, p) / 1e3;
}
