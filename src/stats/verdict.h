/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict table of METHOD 7.4. */
#pragma once

#include <glib.h>

typedef enum {
    VERDICT_NONE, /* fewer than three blocks */
    VERDICT_BETTER,
    VERDICT_WORSE,
    VERDICT_EQUIVALENT,
    VERDICT_BETTER_SMALL,
    VERDICT_WORSE_SMALL,
    VERDICT_INCONCLUSIVE,
    VERDICT_MAX
} Verdict;

/* lo, hi on the log scale; p adjusted; delta a ratio (0.02). */
Verdict verdict_decide(double lo, double hi, double p, double delta,
                       double alpha);
const char *verdict_name(Verdict verdict);
