/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict table row by row, with its edges, and Holm's adjustment.
 */
#include "stats-util.h"

#include "stats/holm.h"
#include "stats/verdict.h"

#define ALPHA 0.05
#define DELTA 0.02

typedef struct VerdictRow {
    double lo, hi, p;
    Verdict want;
} VerdictRow;

static void
check_rows(const VerdictRow *rows, guint count)
{
    for (guint i = 0; i < count; i++) {
        Verdict got =
            verdict_decide(rows[i].lo, rows[i].hi, rows[i].p, DELTA, ALPHA);
        if (got != rows[i].want)
            fail_msg("(%g, %g, %g): got %s, want %s", rows[i].lo, rows[i].hi,
                     rows[i].p, verdict_name(got), verdict_name(rows[i].want));
    }
}

static void
test_rows_of_the_method(void **state)
{
    (void) state;
    const VerdictRow rows[] = {
        {-.001, .03, .01, VERDICT_INCONCLUSIVE},
        {.025, .06, .01, VERDICT_BETTER},
        {.002, .015, .01, VERDICT_EQUIVALENT},
        {-.05, -.021, .03, VERDICT_WORSE},
        {-.05, -.01, .03, VERDICT_WORSE_SMALL},
        {-.05, -.01, .2, VERDICT_INCONCLUSIVE},
        {-.015, .012, .8, VERDICT_EQUIVALENT},
    };
    check_rows(rows, G_N_ELEMENTS(rows));
}

static void
test_edges(void **state)
{
    (void) state;
    double band = log1p(DELTA);
    const VerdictRow rows[] = {
        {.01, .05, .03, VERDICT_BETTER_SMALL},
        {.025, .06, .0500001, VERDICT_INCONCLUSIVE},
        {.025, .06, ALPHA, VERDICT_BETTER},
        {band, .06, .01, VERDICT_BETTER_SMALL},
        {nextafter(band, 1), .06, .01, VERDICT_BETTER},
        {-.06, -band, .01, VERDICT_WORSE_SMALL},
        {-band, band, .001, VERDICT_EQUIVALENT},
        {-band, nextafter(band, 1), .5, VERDICT_INCONCLUSIVE},
        {0, .05, .01, VERDICT_INCONCLUSIVE},
        {-.05, 0, .01, VERDICT_INCONCLUSIVE},
        {0, 0, 1, VERDICT_EQUIVALENT},
    };
    check_rows(rows, G_N_ELEMENTS(rows));
}

static void
test_no_evidence_no_verdict(void **state)
{
    (void) state;
    const VerdictRow rows[] = {
        {NAN, NAN, NAN, VERDICT_NONE},
        {.1, .2, NAN, VERDICT_NONE},
        {NAN, .2, .01, VERDICT_NONE},
        {.1, NAN, .01, VERDICT_NONE},
    };
    check_rows(rows, G_N_ELEMENTS(rows));
}

static void
test_names(void **state)
{
    (void) state;
    assert_string_equal(verdict_name(VERDICT_NONE), "none");
    for (guint i = 0; i < VERDICT_MAX; i++)
        for (guint j = 0; j < i; j++)
            assert_string_not_equal(verdict_name(i), verdict_name(j));
}

static void
check_holm(const double *p, const double *want, guint m)
{
    g_autofree double *got = g_new(double, m);
    holm_adjust(p, m, got);
    for (guint i = 0; i < m; i++)
        check_near(got[i], want[i], ROUNDING, "Holm");
}

static void
test_holm(void **state)
{
    (void) state;
    check_holm((const double[]){.01, .04, .03, .005},
               (const double[]){.03, .06, .06, .02}, 4);
    check_holm((const double[]){.4, .5, .6}, (const double[]){1, 1, 1}, 3);
    check_holm((const double[]){.02, .02, .02}, (const double[]){.06, .06, .06},
               3);
    check_holm((const double[]){.03}, (const double[]){.03}, 1);
    holm_adjust(NULL, 0, NULL);
}

/* What was not tested makes the others no dearer. */
static void
test_holm_skips_nan(void **state)
{
    (void) state;
    check_holm((const double[]){NAN, .01, NAN, .03},
               (const double[]){NAN, .02, NAN, .03}, 4);
    check_holm((const double[]){NAN, NAN}, (const double[]){NAN, NAN}, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_of_the_method),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_no_evidence_no_verdict),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_holm_skips_nan),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
