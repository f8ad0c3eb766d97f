/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each gate just inside and just outside its limit; the rows of E15.
 */
#include "host-util.h"

#include <jansson.h>

#include "host/counters.h"
#include "host/validity.h"

#define S G_GINT64_CONSTANT(1000000000)
#define MS G_GINT64_CONSTANT(1000000)

/* A window of which nothing can be said but that it was fine. */
typedef struct Fixture {
    GHashTable *before, *after;
    Window window;
} Fixture;

static int
setup(void **state)
{
    Fixture *fixture = g_new0(Fixture, 1);

    /* Limits in ticks below are for 100 a second, as everywhere on Linux. */
    assert_int_equal(sysconf(_SC_CLK_TCK), 100);
    fixture->before = counters_new();
    fixture->after = counters_new();
    fixture->window = (Window){.before = fixture->before,
                               .after = fixture->after,
                               .host_t0 = 100 * S,
                               .host_t1 = 110 * S,
                               .guest_t0 = 5 * S,
                               .guest_t1 = 15 * S,
                               .vcpus = 2,
                               .ncpu = 4,
                               .kvm = true};
    *state = fixture;
    return 0;
}

static int
teardown(void **state)
{
    Fixture *fixture = *state;

    g_hash_table_destroy(fixture->before);
    g_hash_table_destroy(fixture->after);
    g_free(fixture);
    return 0;
}

static void
set(Fixture *fixture, const char *name, gint64 delta)
{
    gint64 start = 1000, end = start + delta;

    g_hash_table_replace(fixture->before, g_strdup(name),
                         g_memdup2(&start, sizeof(start)));
    g_hash_table_replace(fixture->after, g_strdup(name),
                         g_memdup2(&end, sizeof(end)));
}

static void
check(const Fixture *fixture, const char *want)
{
    g_autofree char *got = validity_check(&fixture->window);

    if (g_strcmp0(got, want) != 0)
        fail_msg("got '%s', want '%s'", got ? got : "pass",
                 want ? want : "pass");
}

/* No counters at all, but the clock's. */
static void
test_nothing_known(void **state)
{
    check(*state, NULL);
}

static void
test_steal(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "proc.run_delay_ns", 200 * MS);
    check(fixture, NULL);
    set(fixture, "proc.run_delay_ns", 201 * MS);
    check(fixture, "steal: 1.005 % of 2 vCPUs (limit 1 %)");
    fixture->window.kvm = false;
    check(fixture, NULL);
    set(fixture, "proc.run_delay_ns", 1220 * MS);
    check(fixture, "steal: 6.1 % of 2 vCPUs (limit 5 %)");
    fixture->window.vcpus = 1;
    check(fixture, "steal: 12.2 % of 1 vCPU (limit 5 %)");
}

static void
test_steal_of_vcpus_rules(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "proc.run_delay_ns", 5 * S);
    set(fixture, "vcpu.0.delay", 190 * MS);
    check(fixture, "steal: 25 % of 2 vCPUs (limit 1 %)");
    set(fixture, "vcpu.1.delay", 10 * MS);
    check(fixture, NULL);
    set(fixture, "vcpu.1.delay", 110 * MS);
    check(fixture, "steal: 1.5 % of 2 vCPUs (limit 1 %)");
}

static void
test_steal_is_no_gate(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "proc.run_delay_ns", 9 * S);
    fixture->window.overcommit = true;
    check(fixture, NULL);
    fixture->window.overcommit = false;
    fixture->window.vcpus = 0;
    check(fixture, NULL);
}

static void
test_host_steal(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "cpu.steal", 20);
    check(fixture, NULL);
    set(fixture, "cpu.steal", 25);
    check(fixture, "host_steal: 0.625 % of 4 CPUs (limit 0.5 %)");
}

static void
test_foreign_cpu(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "foreign.ticks", 80);
    check(fixture, NULL);
    set(fixture, "foreign.ticks", 124);
    check(fixture, "foreign_cpu: 3.1 % of 4 CPUs (limit 2 %)");
    /* In 0.1 s of one CPU 2 % is a fifth of a tick: two ticks rule. */
    fixture->window.ncpu = 1;
    fixture->window.host_t1 = fixture->window.host_t0 + 100 * MS;
    fixture->window.guest_t1 = fixture->window.guest_t0 + 100 * MS;
    set(fixture, "foreign.ticks", 2);
    check(fixture, NULL);
    set(fixture, "foreign.ticks", 3);
    check(fixture, "foreign_cpu: 30 % of 1 CPU (limit 20 %)");
}

static void
test_swap(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "vm.pswpin", 0);
    set(fixture, "vm.pswpout", 0);
    check(fixture, NULL);
    set(fixture, "vm.pswpout", 12);
    check(fixture, "swap: 0 pages in, 12 out (limit 0)");
    set(fixture, "vm.pswpin", 1);
    check(fixture, "swap: 1 pages in, 12 out (limit 0)");
}

static void
test_throttle(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "thermal.throttle", 0);
    check(fixture, NULL);
    set(fixture, "thermal.throttle", 3);
    check(fixture, "throttle: 3 thermal throttle events (limit 0)");
}

static void
test_clock(void **state)
{
    Fixture *fixture = *state;

    fixture->window.guest_t1 += 30 * MS; /* 0.1 % of 10 s + 20 ms */
    check(fixture, NULL);
    fixture->window.guest_t1 += 1 * MS;
    check(fixture, "clock: guest and host differ by 31 ms over 10 s "
                   "(limit 30 ms)");
    fixture->window.guest_t1 -= 62 * MS;
    check(fixture, "clock: guest and host differ by 31 ms over 10 s "
                   "(limit 30 ms)");
}

/* A guest may say what it likes. */
static void
test_absurd_clocks(void **state)
{
    Fixture *fixture = *state;
    const gint64 absurd[][2] = {
        {0, 0},
        {G_MININT64, G_MAXINT64},
        {G_MAXINT64, G_MININT64},
    };

    for (guint i = 0; i < G_N_ELEMENTS(absurd); i++) {
        fixture->window.guest_t0 = absurd[i][0];
        fixture->window.guest_t1 = absurd[i][1];
        g_autofree char *got = validity_check(&fixture->window);
        assert_non_null(got);
        assert_true(g_str_has_prefix(got, "clock: "));
    }
    fixture->window.host_t1 = fixture->window.host_t0;
    check(fixture, "clock: the window has no length on the host");
}

/* A sum over processes falls when one of them ends. */
static void
test_counter_that_fell(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "foreign.ticks", -500);
    set(fixture, "proc.run_delay_ns", -500);
    check(fixture, NULL);
}

static void
test_counter_at_one_end_only(void **state)
{
    Fixture *fixture = *state;

    set(fixture, "foreign.ticks", 5000);
    g_hash_table_remove(fixture->before, "foreign.ticks");
    check(fixture, NULL);
}

static double
number(const json_t *row, const char *name)
{
    const json_t *member = json_object_get(row, name);

    assert_true(json_is_number(member));
    return json_number_value(member);
}

/* Runs one row of E15 and compares pass or breach of that gate. */
static void
check_e15(Fixture *fixture, const json_t *row, const char *gate)
{
    g_autofree char *got = validity_check(&fixture->window);
    g_autofree char *start = g_strconcat(gate, ": ", NULL);
    bool valid = json_is_true(json_object_get(row, "valid"));

    assert_int_equal(valid, got == NULL);
    assert_true(valid || g_str_has_prefix(got, start));
}

static void
set_length(Window *window, double host_s, double guest_s)
{
    window->host_t1 = window->host_t0 + (gint64) (host_s * 1e9);
    window->guest_t1 = window->guest_t0 + (gint64) (guest_s * 1e9);
}

static void
test_e15(void **state)
{
    Fixture *fixture = *state;
    json_t *root = json_load_file(
        VS_SOURCE_DIR "/tests/data/oracles/e15_expected.json", 0, NULL);
    assert_non_null(root);

    const json_t *row = json_object_get(root, "steal");
    const json_t *delays = json_object_get(row, "run_delay_ns");
    fixture->window.vcpus = (guint) number(row, "vcpus");
    set_length(&fixture->window, number(row, "window_s"),
               number(row, "window_s"));
    set(fixture, "vcpu.0.delay", json_integer_value(json_array_get(delays, 0)));
    set(fixture, "vcpu.1.delay", json_integer_value(json_array_get(delays, 1)));
    check_e15(fixture, row, "steal");

    row = json_object_get(root, "foreign_cpu");
    fixture->window.ncpu = (guint) number(row, "ncpu");
    double foreign_s = number(row, "host_busy_s") - number(row, "domain_s") -
                       number(row, "vsweep_s");
    set(fixture, "foreign.ticks", (gint64) (foreign_s * 100 + .5));
    check_e15(fixture, row, "foreign_cpu");

    row = json_object_get(root, "clock");
    set_length(&fixture->window, number(row, "host_s"), number(row, "guest_s"));
    check_e15(fixture, row, "clock");
    check(fixture, "clock: guest and host differ by 60 ms over 30.05 s "
                   "(limit 50.05 ms)");
    json_decref(root);
}

#define WITH_WINDOW(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_WINDOW(test_nothing_known),
        WITH_WINDOW(test_steal),
        WITH_WINDOW(test_steal_of_vcpus_rules),
        WITH_WINDOW(test_steal_is_no_gate),
        WITH_WINDOW(test_host_steal),
        WITH_WINDOW(test_foreign_cpu),
        WITH_WINDOW(test_swap),
        WITH_WINDOW(test_throttle),
        WITH_WINDOW(test_clock),
        WITH_WINDOW(test_absurd_clocks),
        WITH_WINDOW(test_counter_that_fell),
        WITH_WINDOW(test_counter_at_one_end_only),
        WITH_WINDOW(test_e15),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
