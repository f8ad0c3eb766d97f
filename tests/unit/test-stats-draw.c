/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random deviations: the moments they promise, and their shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>
#include "stats/draw.h"

/* Steps of the integrals over the uniform number. */
#define STEPS 1000000

static void
uniform_is_open(void **state)
{
    (void) state;
    assert_true(draw_uniform(0) > 0);
    assert_true(draw_uniform(G_MAXUINT64) < 1);
    assert_true(draw_uniform(G_GUINT64_CONSTANT(1) << 63) > 0.5);
    assert_true(draw_uniform((G_GUINT64_CONSTANT(1) << 63) - 1) < 0.5);
}

/* Mean 0 and variance 1, but for what the ends of heavy tails hold. */
static void
moments(void **state)
{
    static const struct {
        DrawShape shape;
        double lost; /* of the variance, at this many steps */
    } rows[] = {{DRAW_NORMAL, 1e-4},
                {DRAW_T3, 2e-2},
                {DRAW_LOGNORMAL, 1e-2},
                {DRAW_BIMODAL, 1e-4}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        double sum = 0, squares = 0;

        for (guint s = 0; s < STEPS; s++) {
            double z = draw_standard(rows[i].shape, (s + 0.5) / STEPS);

            assert_true(isfinite(z));
            sum += z;
            squares += z * z;
        }
        assert_true(fabs(sum / STEPS) < 1e-3);
        assert_true(fabs(squares / STEPS - 1) < rows[i].lost);
    }
}

static void
shapes(void **state)
{
    (void) state;
    assert_true(fabs(draw_standard(DRAW_NORMAL, 0.975) - 1.959963984540054) <
                1e-12);
    /* t with 3 degrees of freedom: 3.182446305284263 at 97.5 %. */
    assert_true(fabs(draw_standard(DRAW_T3, 0.975) * sqrt(3) -
                     3.182446305284263) < 1e-9);
    /* Skewed upwards: the median lies below the mean. */
    assert_true(draw_standard(DRAW_LOGNORMAL, 0.5) < -0.2);
    /* A gap between the modes; the slow one is where less than 10 % is. */
    assert_true(draw_standard(DRAW_BIMODAL, 0.05) > 2);
    assert_true(draw_standard(DRAW_BIMODAL, 0.55) < 0);
    assert_true(isfinite(draw_standard(DRAW_BIMODAL, 0.1)));
    assert_true(isfinite(draw_standard(DRAW_BIMODAL, draw_uniform(0))));
    assert_true(
        isfinite(draw_standard(DRAW_BIMODAL, draw_uniform(G_MAXUINT64))));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_is_open),
        cmocka_unit_test(moments),
        cmocka_unit_test(shapes),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
