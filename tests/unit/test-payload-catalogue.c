/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue of workloads: that its rows hang together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>
#include "base/units.h"
#include "guest-payload/catalogue.h"

#define EACH_WORKLOAD(w) \
    for (const WorkloadInfo *w = NULL; (w = catalogue_next(w));)

static void
test_order(void **state)
{
    static const char *const names[] = {
        "fs.fsync",    "fs.dsync",     "fs.seqwrite",   "fs.seqread",
        "fs.randread", "fs.randwrite", "fs.append",     "fs.rewrite",
        "fs.seek",     "fs.meta",      "fs.firstwrite", "db.txn",
        "cpu.int",     "cpu.fp",       "cpu.rsa",       "cpu.hash",
        "cpu.aead",    "cpu.syscall",  "cpu.clock",     "cpu.exit",
        "cpu.ctx",     "cpu.timer",    "mem.bw",        "mem.lat",
        "mem.tlb",     "mem.fault",
    };
    size_t count = 0;

    (void) state;
    EACH_WORKLOAD(w)
    {
        assert_true(count < G_N_ELEMENTS(names));
        assert_string_equal(w->name, names[count++]);
        assert_non_null(w->summary);
        assert_ptr_equal(catalogue_workload(w->name), w);
    }
    assert_int_equal(count, G_N_ELEMENTS(names));
    assert_null(catalogue_workload("fs.nothing"));
}

static void
test_metrics(void **state)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    (void) state;
    EACH_WORKLOAD(w)
    {
        int primary = 0, count = 0;
        g_autofree char *prefix = g_strconcat(w->name, ".", NULL);
        for (const MetricInfo *m = w->metrics; m->id; m++, count++) {
            const WorkloadInfo *owner = NULL;
            assert_true(g_str_has_prefix(m->id, prefix));
            assert_true(g_hash_table_add(seen, (gpointer) m->id));
            assert_ptr_equal(catalogue_metric(m->id, &owner), m);
            assert_ptr_equal(owner, w);
            assert_true(m->unit && *m->unit);
            assert_true(m->delta > 0 && m->delta < 1);
            assert_true(m->percentile >= 0 && m->percentile < 100);
            primary += m->primary;
        }
        assert_in_range(count, 1, CATALOGUE_METRICS_MAX - 1);
        assert_int_equal(primary, 1);
    }
    assert_null(catalogue_metric("fs.fsync.nothing", NULL));
}

/* A percentile is named after its number, so that nobody reads one for the
 * other. */
static void
test_percentiles(void **state)
{
    int count = 0;

    (void) state;
    EACH_WORKLOAD(w)
    {
        for (const MetricInfo *m = w->metrics; m->id; m++) {
            if (m->percentile <= 0)
                continue;
            g_autofree char *last = g_strdup_printf(".p%g", m->percentile);
            assert_true(g_str_has_suffix(m->id, last));
            assert_int_equal(m->better, BETTER_LOWER);
            assert_string_equal(m->unit, "us");
            count++;
        }
    }
    assert_int_equal(count, 13);
}

static void
parse(const ParamInfo *param, const char *text, guint64 *ret)
{
    gint64 ns = 0;

    switch (param->type) {
    case PARAM_SIZE:
        assert_true(units_parse_size(text, ret, NULL));
        break;
    case PARAM_DURATION:
        assert_true(units_parse_duration(text, &ns, NULL));
        *ret = (guint64) ns;
        break;
    default:
        assert_true(units_parse_count(text, 0, G_MAXINT64, ret, NULL));
    }
}

static void
check_bounds(const ParamInfo *param)
{
    guint64 min, max, normal, quick;

    parse(param, param->min, &min);
    parse(param, param->max, &max);
    parse(param, param->normal, &normal);
    parse(param, param->quick, &quick);
    assert_true(min < max);
    /* At 0 a workload chooses by what the machine is. */
    assert_true(min <= quick && quick <= max && min <= normal && normal <= max);
    assert_true(quick <= normal || normal == 0);
}

static void
check_choices(const ParamInfo *param)
{
    g_auto(GStrv) words = g_strsplit(param->choices, " ", -1);
    const char *const *list = (const char *const *) words;

    assert_true(g_strv_length(words) >= 2);
    assert_true(g_strv_contains(list, param->normal));
    assert_true(g_strv_contains(list, param->quick));
}

static void
test_params(void **state)
{
    (void) state;
    EACH_WORKLOAD(w)
    {
        int count = 0;
        for (const ParamInfo *p = w->params; p->name; p++, count++) {
            assert_ptr_equal(catalogue_param(w, p->name), p);
            assert_non_null(p->help);
            if (p->type == PARAM_CHOICE)
                check_choices(p);
            else
                check_bounds(p);
        }
        assert_in_range(count, 1, CATALOGUE_PARAMS_MAX - 1);
        assert_null(catalogue_param(w, "nothing"));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_percentiles),
        cmocka_unit_test(test_params),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
