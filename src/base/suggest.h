/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "Did you mean": the nearest known name to a misspelt one.
 */
#pragma once

/* The name of the NULL-terminated list that is nearest to `word` by
 * Damerau-Levenshtein distance, when it is near enough to be meant (at most a
 * third of the longer word, at least 1); otherwise NULL.  The result points
 * into `names`. */
const char *suggest_name(const char *word, const char *const *names);
