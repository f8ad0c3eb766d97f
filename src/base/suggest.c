/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nearest known name to a misspelt one: see suggest.h. */
#include <string.h>
#include <glib.h>
#include "base/suggest.h"

/* Longer words than this are compared by their beginning only. */
#define WORD_MAX 63

/* Damerau-Levenshtein distance with adjacent transpositions (Damerau 1964),
 * three rows of the usual table. */
static guint
distance(const char *a, const char *b)
{
    guint rows[3][WORD_MAX + 1] = {{0}};
    guint *before = rows[0], *last = rows[1], *now = rows[2];
    gsize la = MIN(strlen(a), WORD_MAX), lb = MIN(strlen(b), WORD_MAX);

    for (gsize j = 0; j <= lb; j++)
        last[j] = (guint) j;
    for (gsize i = 1; i <= la; i++) {
        guint *spare = before;

        now[0] = (guint) i;
        for (gsize j = 1; j <= lb; j++) {
            guint change = last[j - 1] + (a[i - 1] != b[j - 1]);

            now[j] = MIN(change, MIN(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = MIN(now[j], before[j - 2] + 1);
        }
        before = last;
        last = now;
        now = spare;
    }
    return last[lb];
}

const char *
suggest_name(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    guint best = G_MAXUINT;

    for (gsize i = 0; names[i]; i++) {
        gsize longer = MAX(strlen(word), strlen(names[i]));
        guint d = distance(word, names[i]);

        if (d < best && d <= MAX(longer / 3, 1)) {
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}
