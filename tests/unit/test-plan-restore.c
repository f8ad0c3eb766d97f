/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep that goes on keeps the cells it began with. */
#include "plan-util.h"

#define MATRIX                                            \
    "guest: {memory: 512M}\n"                             \
    "design: pairwise\n"                                  \
    "matrix:\n"                                           \
    "  disk.format: [raw, qcow2]\n"                       \
    "  disk.cache: [none, writeback, unsafe]\n"           \
    "  disk.io: [threads, native]\n"                      \
    "host: ladder\n"                                      \
    "best: {disk.format: qcow2, disk.cache: writeback}\n" \
    "include: [{disk.prealloc: 'off', label: thin}]\n" WORKLOADS

/* What results.db keeps of the cells. */
static GArray *
records_of(const Design *design)
{
    GArray *records = g_array_new(FALSE, TRUE, sizeof(CellRecord));

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];
        GPtrArray *settings = g_ptr_array_new();
        GPtrArray *levels = g_ptr_array_new();
        const CellRecord record = {
            .name = cell->name,
            .kind = cell_kind_name(cell->kind),
            .state = cell_state_name(cell->state),
            .why = cell->why,
            .baseline = cell->baseline,
            .best = cell->best,
            .settings = settings,
            .levels = levels,
        };

        for (const Setting *s = setting_table; s->name; s++) {
            if (!cell_is_guest(cell))
                break;
            g_ptr_array_add(settings, (gpointer) s->name);
            g_ptr_array_add(levels, (gpointer) design_level(design, cell, s));
        }
        g_array_append_val(records, record);
    }
    return records;
}

static void
records_free(GArray *records)
{
    for (guint i = 0; i < records->len; i++) {
        const CellRecord *record = &g_array_index(records, CellRecord, i);

        g_ptr_array_unref((GPtrArray *) record->settings);
        g_ptr_array_unref((GPtrArray *) record->levels);
    }
    g_array_unref(records);
}

static bool
restore(Design *design, const GArray *records, bool *ret_changed, GError **err)
{
    return design_restore(design, (const CellRecord *) records->data,
                          records->len, ret_changed, err);
}

/* The same plan again: nothing is touched, not even what libvirt said. */
static void
same(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(MATRIX, false);
    g_autoptr(Design) before = plan_design(matrix);
    g_autoptr(Design) now = plan_design(matrix);
    GArray *records = records_of(before);
    Cell *cell = now->cells->pdata[1];
    bool changed = true;

    (void) state;
    cell->state = CELL_UNSUPPORTED;
    assert_true(restore(now, records, &changed, NULL));
    assert_false(changed);
    assert_ptr_equal(now->cells->pdata[1], cell);
    records_free(records);
}

/* A planner that makes other cells: those that were kept come back, with
 * states, labels and further settings. */
static void
other(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(MATRIX, false);
    g_autoptr(Design) before = plan_design(matrix);
    g_autoptr(Design) now = plan_design(matrix);
    GArray *records = records_of(before);
    const Cell *thin = NULL;
    bool changed = false;

    (void) state;
    /* As if today's planner found another order and one row less. */
    g_ptr_array_remove_index(now->cells, 1);
    assert_true(restore(now, records, &changed, NULL));
    assert_true(changed);
    assert_int_equal(now->cells->len, before->cells->len);
    for (guint i = 0; i < before->cells->len; i++) {
        const Cell *a = before->cells->pdata[i], *b = now->cells->pdata[i];

        assert_int_equal(b->index, i);
        assert_string_equal(b->name, a->name);
        assert_int_equal(b->kind, a->kind);
        assert_int_equal(b->state, a->state);
        assert_int_equal(b->baseline, a->baseline);
        assert_int_equal(b->best, a->best);
        for (const Setting *s = setting_table; s->name; s++)
            assert_int_equal(
                g_strcmp0(design_level(before, a, s), design_level(now, b, s)),
                0);
    }
    thin = design_cell(now, "thin");
    assert_non_null(thin->extra);
    assert_int_equal(thin->extra->settings->len, 1);
    assert_int_equal(now->comparisons, before->comparisons);
    records_free(records);
}

/* What this version cannot measure is refused by name. */
static void
unknown(void **state)
{
    static const struct {
        const char *setting, *level, *message;
    } cases[] = {
        {"disk.cache", "lightning", "disk.cache=lightning"},
        {"disk.colour", "red", "disk.colour"},
    };
    g_autoptr(Matrix) matrix = plan_matrix(MATRIX, false);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Design) design = plan_design(matrix);
        GArray *records = records_of(design);
        const CellRecord *record = &g_array_index(records, CellRecord, 1);
        g_autoptr(GError) err = NULL;
        bool changed = false;
        guint place = 0;

        for (guint j = 0; j < record->settings->len; j++)
            if (strcmp(record->settings->pdata[j], "disk.cache") == 0)
                place = j;
        if (i == 1)
            place = record->settings->len - 1;
        record->settings->pdata[place] = (gpointer) cases[i].setting;
        record->levels->pdata[place] = (gpointer) cases[i].level;
        assert_false(restore(design, records, &changed, &err));
        assert_non_null(strstr(err->message, cases[i].message));
        records_free(records);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same),
        cmocka_unit_test(other),
        cmocka_unit_test(unknown),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
