/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counters of a fake host: each source, its absence, and whose CPU time
 * is foreign.
 */
#include "host-util.h"

#include "host/counters.h"

#define QEMU 4000

static void
check(GHashTable *counters, const char *name, gint64 want)
{
    const gint64 *got = g_hash_table_lookup(counters, name);

    if (!got)
        fail_msg("no %s", name);
    if (*got != want)
        fail_msg("%s: got %" G_GINT64_FORMAT ", want %" G_GINT64_FORMAT, name,
                 *got, want);
}

static void
check_absent(GHashTable *counters, const char *name)
{
    if (g_hash_table_contains(counters, name))
        fail_msg("%s is there", name);
}

static GHashTable *
read_root(const char *root, const char *device, pid_t pid)
{
    GHashTable *counters = counters_new();

    counters_read(root, device, pid, counters);
    return counters;
}

static void
test_empty_root(void **state)
{
    char *root = root_new();
    g_autoptr(GHashTable) counters = read_root(root, "vda", 17);

    (void) state;
    assert_int_equal(g_hash_table_size(counters), 0);
    root_free(root);
}

static void
test_adds_and_replaces(void **state)
{
    char *root = root_new();
    g_autoptr(GHashTable) counters = counters_new();

    (void) state;
    g_hash_table_insert(counters, g_strdup("block.0.rd.reqs"),
                        g_new0(gint64, 1));
    root_write(root, "/proc/vmstat", "pswpin 5\npswpout 7\n");
    counters_read(root, NULL, 0, counters);
    root_write(root, "/proc/vmstat", "pswpin_zero 99\npswpin 6\npswpout 7\n");
    counters_read(root, NULL, 0, counters);
    check(counters, "block.0.rd.reqs", 0);
    check(counters, "vm.pswpin", 6);
    check(counters, "vm.pswpout", 7);
    assert_int_equal(g_hash_table_size(counters), 3);
    root_free(root);
}

static void
test_cpu(void **state)
{
    char *root = root_new();

    (void) state;
    root_write(root, "/proc/stat",
               "cpu  8940 1 10148 170903 585 2 296 33 4 5\n"
               "cpu0 3496 0 4068 87759 30 0 76 0 0 0\nintr 1 2 3\n");
    g_autoptr(GHashTable) counters = read_root(root, NULL, 0);
    check(counters, "cpu.user", 8940);
    check(counters, "cpu.nice", 1);
    check(counters, "cpu.system", 10148);
    check(counters, "cpu.idle", 170903);
    check(counters, "cpu.iowait", 585);
    check(counters, "cpu.irq", 2);
    check(counters, "cpu.softirq", 296);
    check(counters, "cpu.steal", 33);
    assert_int_equal(g_hash_table_size(counters), 8);
    root_write(root, "/proc/stat", "cpu  1 2 3 4\ncpu0 9 9 9 9 9 9 9 9\n");
    g_autoptr(GHashTable) old = read_root(root, NULL, 0);
    check(old, "cpu.idle", 4);
    check_absent(old, "cpu.steal");
    root_free(root);
}

static void
test_device(void **state)
{
    static const char text[] =
        "   30696     6668  2086618     8714    31457     9749  1999800  "
        "   9019        3    11376    20827     9602       69   676320   "
        "  1708     4372     1384\n";
    char *root = root_new();

    (void) state;
    root_write(root, "/sys/block/vda/stat", text);
    g_autoptr(GHashTable) counters = read_root(root, "vda", 0);
    check(counters, "dev.rd.reqs", 30696);
    check(counters, "dev.rd.sectors", 2086618);
    check(counters, "dev.rd.ms", 8714);
    check(counters, "dev.wr.reqs", 31457);
    check(counters, "dev.wr.sectors", 1999800);
    check(counters, "dev.wr.ms", 9019);
    check(counters, "dev.fl.reqs", 4372);
    check(counters, "dev.fl.ms", 1384);
    check(counters, "dev.in_flight_ms", 11376);
    assert_int_equal(g_hash_table_size(counters), 9);
    g_autoptr(GHashTable) none = read_root(root, NULL, 0);
    assert_int_equal(g_hash_table_size(none), 0);
    root_free(root);
}

/* 11 fields up to Linux 4.17, 15 up to 5.4. */
static void
test_device_without_flushes(void **state)
{
    char *root = root_new();

    (void) state;
    root_write(root, "/sys/block/sda/stat", "1 2 3 4 5 6 7 8 9 10 11\n");
    root_write(root, "/sys/block/sdb/stat",
               "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n");
    const char *const devices[] = {"sda", "sdb"};
    for (guint i = 0; i < G_N_ELEMENTS(devices); i++) {
        g_autoptr(GHashTable) counters = read_root(root, devices[i], 0);
        check(counters, "dev.rd.reqs", 1);
        check(counters, "dev.in_flight_ms", 10);
        check_absent(counters, "dev.fl.reqs");
        check_absent(counters, "dev.fl.ms");
    }
    root_free(root);
}

static void
write_process(const char *root, int pid, int ppid, const char *comm, int utime,
              int stime, int cutime, int cstime)
{
    g_autofree char *below = g_strdup_printf("/proc/%d/stat", pid);
    g_autofree char *text = g_strdup_printf(
        "%d (%s) S %d 1 1 0 -1 4194304 100 200 3 4 %d %d %d %d 20 0 1 0 5 6\n",
        pid, comm, ppid, utime, stime, cutime, cstime);

    root_write(root, below, text);
}

static void
test_foreign(void **state)
{
    char *root = root_new();
    int self = (int) getpid();

    (void) state;
    write_process(root, 1, 0, "systemd", 1, 2, 0, 0);
    write_process(root, 2, 0, "kthreadd", 1000, 0, 0, 0);
    write_process(root, 3, 2, "kworker/0:1", 1000, 0, 0, 0);
    /* Ours: this process, its child and grandchild, QEMU and its helper. */
    write_process(root, self, 1, "vsweep", 1000, 0, 1000, 0);
    write_process(root, self + 1, self, "qemu-img", 1000, 0, 0, 0);
    write_process(root, self + 2, self + 1, "sh", 1000, 0, 0, 0);
    write_process(root, QEMU, 1, "qemu-system-x86", 1000, 1000, 0, 0);
    write_process(root, QEMU + 1, QEMU, "passt", 1000, 0, 0, 0);
    /* Theirs: the second has waited for children; the third has a name that
     * is a trap. */
    write_process(root, 500, 1, "postgres", 10, 20, 0, 0);
    write_process(root, 501, 1, "make", 0, 0, 300, 400);
    write_process(root, 502, 500, "a) S 2 (b", 4000, 0, 0, 0);
    g_autoptr(GHashTable) counters = read_root(root, NULL, QEMU);
    check(counters, "foreign.ticks", 3 + 30 + 700 + 4000);
    check(counters, "proc.utime_ticks", 1000);
    check(counters, "proc.stime_ticks", 1000);
    g_autoptr(GHashTable) alone = read_root(root, NULL, 0);
    check(alone, "foreign.ticks", 3 + 30 + 700 + 4000 + 3000);
    check_absent(alone, "proc.utime_ticks");
    root_free(root);
}

static void
test_odd_processes(void **state)
{
    char *root = root_new();

    (void) state;
    /* Two that name each other as parent, rubbish, and one that has just
     * gone. */
    write_process(root, 600, 601, "a", 1, 0, 0, 0);
    write_process(root, 601, 600, "b", 2, 0, 0, 0);
    root_write(root, "/proc/602/stat", "602 (short) S 1\n");
    root_write(root, "/proc/603/stat", "");
    root_directory(root, "/proc/604");
    root_write(root, "/proc/uptime", "1 2\n");
    g_autoptr(GHashTable) counters = read_root(root, NULL, 604);
    check(counters, "foreign.ticks", 3);
    check_absent(counters, "proc.utime_ticks");
    check_absent(counters, "proc.run_ns");
    root_free(root);
}

static void
test_threads(void **state)
{
    char *root = root_new();

    (void) state;
    write_process(root, QEMU, 1, "qemu", 50, 60, 0, 0);
    root_write(root, "/proc/4000/task/4000/schedstat", "1000 20 3\n");
    root_write(root, "/proc/4000/task/4001/schedstat",
               "5000000000000 120000000 9\n");
    root_write(root, "/proc/4000/task/4002/schedstat", "");
    root_directory(root, "/proc/4000/task/4003");
    g_autoptr(GHashTable) counters = read_root(root, NULL, QEMU);
    check(counters, "proc.utime_ticks", 50);
    check(counters, "proc.stime_ticks", 60);
    check(counters, "proc.run_ns", 5000000001000);
    check(counters, "proc.run_delay_ns", 120000020);
    root_free(root);
}

static void
test_throttle(void **state)
{
    char *root = root_new();

    (void) state;
    root_directory(root, "/sys/devices/system/cpu/cpu0");
    g_autoptr(GHashTable) none = read_root(root, NULL, 0);
    check_absent(none, "thermal.throttle");
#define THROTTLE(cpu, kind) \
    "/sys/devices/system/cpu/" cpu "/thermal_throttle/" kind "_throttle_count"
    root_write(root, THROTTLE("cpu0", "core"), "3\n");
    root_write(root, THROTTLE("cpu0", "package"), "10\n");
    root_write(root, THROTTLE("cpu11", "core"), "200\n");
    root_write(root, THROTTLE("cpufreq", "core"), "9999\n");
    g_autoptr(GHashTable) counters = read_root(root, NULL, 0);
    check(counters, "thermal.throttle", 213);
    root_free(root);
}

static void
test_pressure(void **state)
{
    char *root = root_new();

    (void) state;
    root_write(root, "/proc/pressure/cpu",
               "some avg10=28.31 avg60=18.37 avg300=5.01 total=26431906\n"
               "full avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
    root_write(root, "/proc/pressure/memory",
               "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    root_write(root, "/proc/pressure/io", "");
    g_autoptr(GHashTable) counters = read_root(root, NULL, 0);
    check(counters, "psi.cpu.us", 26431906);
    check(counters, "psi.memory.us", 0);
    check_absent(counters, "psi.io.us");
    root_free(root);
}

/* This machine has at least a processor and other processes than this. */
static void
test_real_root(void **state)
{
    g_autoptr(GHashTable) before = read_root("", NULL, getpid());
    g_autoptr(GHashTable) after = read_root("", NULL, getpid());
    const char *const rising[] = {"cpu.user", "cpu.idle", "proc.utime_ticks"};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(rising); i++) {
        const gint64 *first = g_hash_table_lookup(before, rising[i]);
        const gint64 *second = g_hash_table_lookup(after, rising[i]);
        assert_non_null(first);
        assert_non_null(second);
        assert_true(*first >= 0 && *second >= *first);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_root),
        cmocka_unit_test(test_adds_and_replaces),
        cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_device_without_flushes),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_odd_processes),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_throttle),
        cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_real_root),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
