/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The latency histograms of one attempt: merging what came in several lines,
 * and nearest-rank percentiles (METHOD 6.3; arithmetic in stats/histogram).
 */
#pragma once

#include "data/attempt.h"

/* Adds bins (HistBin, sorted by index) and keeps the histogram sorted. */
void latency_merge(AttemptHist *hist, const GArray *bins);
/* The percentile in microseconds. */
double latency_percentile_us(const AttemptHist *hist, double p);
