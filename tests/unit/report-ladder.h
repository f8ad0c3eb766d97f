/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the ladder share: oracles, and steps looked up in them. */
#pragma once

#include "report-sweeps.h"

#include <jansson.h>
#include "report/ladder.h"
#include "report/parts.h"

/* METHOD 12: 1e-9 on logs; the files hold ten significant digits. */
#define TOLERANCE 1e-9
/* Sums of means, in which nothing but rounding may be lost. */
#define ROUNDING 1e-14

static inline json_t *
load_json(const char *name)
{
    g_autofree char *path = g_strconcat("tests/data/oracles/", name, NULL);
    g_autofree char *text = read_source(path);
    json_t *root = json_loads(text, 0, NULL);

    assert_non_null(root);
    return root;
}

static inline void
near(double x, const json_t *expected)
{
    double wanted = json_number_value(expected);

    assert_true(json_is_number(expected));
    if (!(fabs(x - wanted) <= TOLERANCE * fmax(1, fabs(wanted))))
        fail_msg("%.12g instead of %.12g", x, wanted);
}

static inline const ReportLadder *
ladder_of(const Report *report)
{
    assert_int_equal(report->ladders->len, 1);
    return report->ladders->pdata[0];
}

static inline const ReportStep *
step_of(const ReportLadder *ladder, guint index)
{
    assert_true(index < ladder->steps->len);
    return &g_array_index(ladder->steps, ReportStep, index);
}

static inline void
check_step(const ReportStep *step, const json_t *steps, const char *name)
{
    const json_t *wanted = json_object_get(steps, name);

    assert_non_null(wanted);
    assert_int_equal(step->estimate.n,
                     json_integer_value(json_object_get(wanted, "n")));
    near(step->estimate.est, json_object_get(wanted, "est"));
    near(step->estimate.lo, json_object_get(wanted, "lo"));
    near(step->estimate.hi, json_object_get(wanted, "hi"));
    near(step->estimate.confidence, json_object_get(wanted, "conf"));
    near(step->estimate.p, json_object_get(wanted, "p"));
    near(step->mean, json_object_get(wanted, "mean"));
    near(100 * (step->ratio - 1),
         json_array_get(json_object_get(wanted, "pct"), 0));
}

static inline void
check_notes(const ReportLadder *ladder, const char *part)
{
    for (guint i = 0; i < ladder->notes->len; i++)
        if (strstr(ladder->notes->pdata[i], part))
            return;
    fail_msg("no note has '%s'", part);
}
