/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Order statistics of Walsh averages: counting those up to a value takes n
 * steps, and halving the range of values about log2(n) counts until so few are
 * left that they can be sorted.
 */
#include "stats/walsh.h"

#include <math.h>

#include <gsl/gsl_sort_double.h>

gsize
walsh_count(guint n)
{
    return (gsize) n * (n + 1) / 2;
}

static double
average(double a, double b)
{
    return 0.5 * (a + b);
}

/* How many are at most v.  The end of the part of a row that is moves down
 * from one row to the next. */
static gsize
count_up_to(const double *d, guint n, double v)
{
    gsize count = 0;
    guint end = n;
    for (guint i = 0; i < end; i++) {
        while (end > i && average(d[i], d[end - 1]) > v)
            end--;
        count += end - i;
    }
    return count;
}

/* Those in (lo, hi]; room for them all in x. */
static gsize
collect(const double *d, guint n, double lo, double hi, double *x)
{
    gsize count = 0;
    guint begin = n, end = n;
    for (guint i = 0; i < end; i++) {
        while (end > i && average(d[i], d[end - 1]) > hi)
            end--;
        begin = MIN(begin, end);
        while (begin > i && average(d[i], d[begin - 1]) > lo)
            begin--;
        for (guint j = MAX(begin, i); j < end; j++)
            x[count++] = average(d[i], d[j]);
    }
    return count;
}

/* By proportion and by halves in turn: the one is quick where values are
 * spread evenly, the other wherever they are. */
static double
between(double lo, double hi, gsize part, gsize whole)
{
    double share = (double) part / (double) whole;
    return (1 - share) * lo + share * hi;
}

double
walsh_select(const double *d, guint n, gsize rank)
{
    double lo = d[0], hi = d[n - 1];
    gsize below = count_up_to(d, n, lo), up_to = walsh_count(n);
    if (rank <= below)
        return lo;
    for (guint step = 0; up_to - below > n; step++) {
        double half = 0.5 * lo + 0.5 * hi;
        if (half <= lo || half >= hi)
            return hi; /* the only number between them: all are equal */
        double middle =
            step % 2 ? half : between(lo, hi, rank - below, up_to - below);
        gsize count = count_up_to(d, n, middle);
        if (count >= rank) {
            hi = middle;
            up_to = count;
        } else {
            lo = middle;
            below = count;
        }
    }
    g_autofree double *x = g_new(double, n);
    gsl_sort(x, 1, collect(d, n, lo, hi, x));
    return x[rank - below - 1];
}

/* The smallest above v; there is one. */
static double
next_above(const double *d, guint n, double v)
{
    double next = d[n - 1];
    guint end = n;
    for (guint i = 0; i < n; i++) {
        while (end > i && average(d[i], d[end - 1]) > v)
            end--;
        if (MAX(end, i) < n)
            next = MIN(next, average(d[i], d[MAX(end, i)]));
    }
    return next;
}

double
walsh_median(const double *d, guint n)
{
    gsize count = walsh_count(n);
    double lower = walsh_select(d, n, (count + 1) / 2);
    if (count % 2 || count_up_to(d, n, lower) > count / 2)
        return lower;
    return 0.5 * (lower + next_above(d, n, lower));
}

double
walsh_positive(const double *d, guint n)
{
    gsize up_to_zero = count_up_to(d, n, 0);
    gsize below_zero = count_up_to(d, n, nextafter(0, -1));
    return (double) (walsh_count(n) - up_to_zero) +
           0.5 * (double) (up_to_zero - below_zero);
}
