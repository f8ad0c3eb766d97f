/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every design, with matrices that are drawn. */
#include "base/random.h"
#include "plan-util.h"

/* Settings whose levels no constraint binds, so that counts are known. */
static const struct {
    const char *name;
    const char *levels[5];
} pool[] = {
    {"disk.format", {"raw", "qcow2"}},
    {"disk.cache", {"none", "writethrough", "writeback", "directsync"}},
    {"disk.bus", {"virtio", "scsi", "sata"}},
    {"vcpus", {"1", "2", "4"}},
    {"memory", {"256M", "512M"}},
    {"guest.scheduler", {"none", "bfq", "kyber"}},
};

typedef struct Drawn {
    char *text;
    guint product, ofat;
} Drawn;

/* A random matrix: one to four settings, each with at least two levels. */
static Drawn
draw(Random *random, const char *design)
{
    g_autoptr(GString) text = g_string_new(NULL);
    Drawn drawn = {.product = 1, .ofat = 1};
    guint order[G_N_ELEMENTS(pool)] = {0};
    guint n = 1 + (guint) random_bounded(random, 4);

    g_string_append_printf(text, "design: %s\n" WORKLOADS "matrix:\n", design);
    random_shuffle(random, order, G_N_ELEMENTS(pool));
    for (guint i = 0; i < n; i++) {
        guint most = g_strv_length((char **) pool[order[i]].levels);
        guint levels = 2 + (guint) random_bounded(random, most - 1);

        g_string_append_printf(text, "  %s: [", pool[order[i]].name);
        for (guint j = 0; j < levels; j++)
            g_string_append_printf(text, "%s%s", j ? ", " : "",
                                   pool[order[i]].levels[j]);
        g_string_append(text, "]\n");
        drawn.product *= levels;
        drawn.ofat += levels - 1;
    }
    drawn.text = g_string_free(g_steal_pointer(&text), FALSE);
    return drawn;
}

/* Every planned cell once, and nothing else. */
static void
assert_permutation(const Design *design, guint64 seed)
{
    g_autofree guint *order = NULL;
    g_autofree bool *seen = g_new0(bool, design->cells->len);
    guint length = 0;

    design_block_order(design, seed, 1, &order, &length);
    for (guint i = 0; i < length; i++) {
        const Cell *cell = design->cells->pdata[order[i]];

        assert_int_equal(cell->state, CELL_PLANNED);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
    assert_int_equal(length, plan_count(design, CELL_CELL, CELL_PLANNED) + 2);
}

static void
sizes(void **state)
{
    Random random = {0};

    (void) state;
    random_init(&random, 1);
    for (guint i = 0; i < 100; i++) {
        bool full = i % 2;
        Drawn drawn = draw(&random, full ? "full" : "ofat");
        g_autofree char *text = drawn.text;
        g_autoptr(Matrix) matrix = plan_matrix(text, false);
        g_autoptr(Design) design = plan_design(matrix);

        assert_int_equal(plan_count(design, CELL_CELL, CELL_PLANNED),
                         full ? drawn.product : drawn.ofat);
        assert_int_equal(design->comparisons, drawn.ofat - 1);
        assert_permutation(design, i);
    }
}

/* Random exclusions: the planned and the excluded cells are the product, no
 * planned cell matches a rule, and every excluded one says why. */
static void
excluded_never_planned(void **state)
{
    Random random = {0};
    guint tested = 0;

    (void) state;
    random_init(&random, 2);
    for (guint i = 0; i < 200; i++) {
        Drawn drawn = draw(&random, "full");
        g_autofree char *plain = drawn.text;
        g_autoptr(Matrix) base = plan_matrix(plain, false);
        const Factor *factor =
            base->factors->pdata[random_bounded(&random, base->factors->len)];
        /* Never the first level: it is the baseline's. */
        const char *level =
            factor->levels
                ->pdata[1 + random_bounded(&random, factor->levels->len - 1)];
        g_autofree char *text =
            g_strdup_printf("%sexclude: [{%s: %s, why: drawn}]\n", plain,
                            factor->setting->name, level);
        g_autoptr(GError) err = NULL;
        g_autoptr(Matrix) matrix = matrix_parse(text, "t", false, &err);
        g_autoptr(Design) design = NULL;

        if (!matrix) { /* two cells, one of them excluded */
            assert_int_equal(drawn.product, 2);
            continue;
        }
        design = plan_design(matrix);
        for (guint j = 0; j < design->cells->len; j++) {
            const Cell *cell = design->cells->pdata[j];
            const char *has = design_level(design, cell, factor->setting);

            assert_int_equal(cell->state == CELL_EXCLUDED,
                             g_strcmp0(has, level) == 0);
            assert_int_equal(cell->state == CELL_EXCLUDED, cell->why != NULL);
        }
        assert_int_equal(plan_count(design, CELL_CELL, CELL_EXCLUDED),
                         drawn.product / factor->levels->len);
        assert_int_equal(plan_count(design, CELL_CELL, CELL_PLANNED) +
                             plan_count(design, CELL_CELL, CELL_EXCLUDED),
                         drawn.product);
        assert_permutation(design, i);
        tested++;
    }
    assert_true(tested > 150);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(excluded_never_planned),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
