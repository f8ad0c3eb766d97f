/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows below an attempt (inside data/store only).  `id` is that of the row
 * they belong to: attempt, histogram or window.
 */
#pragma once

#include "data/store-sql.h"

bool store_put_facts(Store *store, gint64 id, GHashTable *facts, GError **err);
bool store_get_facts(Store *store, gint64 id, GHashTable *facts, GError **err);
bool store_put_lines(Store *store, gint64 id, const GPtrArray *lines,
                     GError **err);
bool store_get_lines(Store *store, gint64 id, GPtrArray *lines, GError **err);
/* `row` is an AttemptHist; reading makes its array of bins. */
bool store_put_bins(Store *store, gint64 id, const void *row, GError **err);
bool store_get_bins(Store *store, gint64 id, void *row, GError **err);
/* `row` is an AttemptWindow; reading makes its two tables. */
bool store_put_counters(Store *store, gint64 id, const void *row, GError **err);
bool store_get_counters(Store *store, gint64 id, void *row, GError **err);
