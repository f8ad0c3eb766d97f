/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The facts of a fake host, and what the fingerprint depends on.
 */
#include "host-util.h"

#include <sys/stat.h>

#include "host/facts.h"

#define CPU "/sys/devices/system/cpu"

static const char *const files[][2] = {
    {"/proc/cpuinfo", "processor\t: 0\nmodel\t\t: 85\n"
                      "model name\t: Fine CPU @ 2 GHz\nmicrocode\t: 0x2b\n"
                      "flags\t\t: fpu aes hypervisor\n\nprocessor\t: 1\n"
                      "model name\t: Other\n"},
    {"/proc/meminfo", "MemTotal:       24683620 kB\nSwapTotal: 0 kB\n"},
    {"/proc/cmdline", "root=/dev/vda quiet \xff\n"},
    {"/proc/sys/kernel/osrelease", "6.18.44\n"},
    {"/proc/sys/kernel/random/boot_id", "0a1b-2c\n"},
    {"/sys/devices/system/clocksource/clocksource0/current_clocksource",
     "tsc\n"},
    {CPU "/online", "0-3,8,10-11\n"},
    {CPU "/cpu0/cpufreq/scaling_governor", "powersave\n"},
    {CPU "/intel_pstate/no_turbo", "1\n"},
    {CPU "/cpufreq/boost", "1\n"},
    {CPU "/smt/active", "1\n"},
    {CPU "/vulnerabilities/spectre_v2", "Mitigation: IBRS\n"},
    {CPU "/vulnerabilities/meltdown", "Not affected\n"},
    {"/sys/devices/system/node/online", "0-1\n"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
    {"/sys/kernel/mm/ksm/run", "0\n"},
    {"/sys/module/kvm/parameters/halt_poll_ns", "200000\n"},
    {"/dev/kvm", ""},
    {"/etc/os-release", "NAME=Debian\nPRETTY_NAME=\"Debian 12\"\n"},
    {"/sys/block/vda/device/model", "Quick SSD       \n"},
    {"/sys/block/vda/queue/scheduler", "none [mq-deadline] bfq\n"},
    {"/sys/block/vda/queue/write_cache", "write back\n"},
    {"/sys/block/vda/queue/rotational", "0\n"},
};

static const char *const facts_wanted[][2] = {
    {"cpu.model", "Fine CPU @ 2 GHz"},
    {"cpu.microcode", "0x2b"},
    {"cpu.count", "7"},
    {"cpu.hypervisor", "yes"},
    {"cpu.governor", "powersave"},
    {"cpu.turbo", "off"},
    {"cpu.smt", "on"},
    {"kernel", "6.18.44"},
    {"cmdline", "root=/dev/vda quiet \xef\xbf\xbd"},
    {"boot_id", "0a1b-2c"},
    {"mem.total_kb", "24683620"},
    {"thp", "madvise"},
    {"ksm", "0"},
    {"swap_kb", "0"},
    {"clocksource", "tsc"},
    {"vulnerabilities", "meltdown: Not affected; spectre_v2: Mitigation: IBRS"},
    {"numa.nodes", "2"},
    {"kvm.device", "present"},
    {"kvm.halt_poll_ns", "200000"},
    {"os", "Debian 12"},
    {"device.model", "Quick SSD"},
    {"device.scheduler", "mq-deadline"},
    {"device.write_cache", "write back"},
    {"device.rotational", "0"},
};

static char *
full_root(void)
{
    char *root = root_new();

    for (guint i = 0; i < G_N_ELEMENTS(files); i++)
        root_write(root, files[i][0], files[i][1]);
    return root;
}

static void
check(GHashTable *facts, const char *name, const char *want)
{
    const char *got = g_hash_table_lookup(facts, name);

    if (g_strcmp0(got, want) != 0)
        fail_msg("%s: got '%s', want '%s'", name, got ? got : "nothing",
                 want ? want : "nothing");
}

static void
test_all(void **state)
{
    char *root = full_root();
    g_autoptr(GHashTable) facts = facts_read(root, "vda");

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(facts_wanted); i++)
        check(facts, facts_wanted[i][0], facts_wanted[i][1]);
    g_autofree char *digest = g_compute_checksum_for_string(
        G_CHECKSUM_SHA256, "fpu aes hypervisor", -1);
    check(facts, "cpu.flags_sha256", digest);
    assert_int_equal(g_hash_table_size(facts), G_N_ELEMENTS(facts_wanted) + 1);
    root_free(root);
}

static void
test_without_device(void **state)
{
    char *root = full_root();
    g_autoptr(GHashTable) facts = facts_read(root, NULL);

    (void) state;
    check(facts, "device.model", NULL);
    assert_int_equal(g_hash_table_size(facts),
                     G_N_ELEMENTS(facts_wanted) + 1 - 4);
    root_free(root);
}

/* Nothing can be read, but that there is no /dev/kvm. */
static void
test_empty_root(void **state)
{
    char *root = root_new();
    g_autoptr(GHashTable) facts = facts_read(root, "vda");

    (void) state;
    check(facts, "kvm.device", "absent");
    assert_int_equal(g_hash_table_size(facts), 1);
    root_free(root);
}

static void
test_other_spellings(void **state)
{
    char *root = root_new();

    (void) state;
    root_write(root, CPU "/cpufreq/boost", "1\n");
    root_write(root, CPU "/online", "0\n");
    root_write(root, CPU "/smt/active", "0\n");
    root_write(root, "/proc/cpuinfo", "processor : 0\nFeatures : fp asimd\n");
    root_write(root, "/etc/os-release", "PRETTY_NAME=Tiny\n");
    root_write(root, "/sys/block/vda/queue/scheduler", "none\n");
    g_autoptr(GHashTable) facts = facts_read(root, "vda");
    g_autofree char *digest =
        g_compute_checksum_for_string(G_CHECKSUM_SHA256, "fp asimd", -1);
    check(facts, "cpu.turbo", "on");
    check(facts, "cpu.count", "1");
    check(facts, "cpu.smt", "off");
    check(facts, "cpu.flags_sha256", digest);
    check(facts, "cpu.hypervisor", NULL);
    check(facts, "os", "Tiny");
    check(facts, "device.scheduler", "none");
    root_free(root);
}

static void
test_bare_metal(void **state)
{
    char *root = root_new();

    (void) state;
    root_write(root, "/proc/cpuinfo", "flags : fpu hypervisors aes\n");
    g_autoptr(GHashTable) facts = facts_read(root, NULL);
    check(facts, "cpu.hypervisor", "no");
    root_free(root);
}

static char *
fingerprint_of(const char *root)
{
    g_autoptr(GHashTable) facts = facts_read(root, "vda");

    return facts_fingerprint(facts);
}

static void
test_fingerprint(void **state)
{
    char *root = full_root();
    g_autofree char *first = fingerprint_of(root);

    (void) state;
    assert_int_equal(strlen(first), 64);
    root_write(root, "/proc/sys/kernel/random/boot_id", "another\n");
    g_autofree char *rebooted = fingerprint_of(root);
    assert_string_equal(rebooted, first);
    root_write(root, CPU "/cpu0/cpufreq/scaling_governor", "performance\n");
    g_autofree char *tuned = fingerprint_of(root);
    assert_string_not_equal(tuned, first);
    root_free(root);
}

/* The digest is of text that anybody can write down. */
static void
test_fingerprint_text(void **state)
{
    g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);

    (void) state;
    g_hash_table_insert(facts, (char *) "thp", (char *) "never");
    g_hash_table_insert(facts, (char *) "boot_id", (char *) "x");
    g_hash_table_insert(facts, (char *) "kernel", (char *) "6.1");
    g_autofree char *got = facts_fingerprint(facts);
    g_autofree char *want = g_compute_checksum_for_string(
        G_CHECKSUM_SHA256, "kernel=6.1\nthp=never\n", -1);
    assert_string_equal(got, want);
}

static void
test_real_root(void **state)
{
    g_autoptr(GHashTable) facts = facts_read("", NULL);
    const char *const always[] = {"kernel", "boot_id", "mem.total_kb",
                                  "cpu.count"};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(always); i++)
        assert_non_null(g_hash_table_lookup(facts, always[i]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_without_device),
        cmocka_unit_test(test_empty_root),
        cmocka_unit_test(test_other_spellings),
        cmocka_unit_test(test_bare_metal),
        cmocka_unit_test(test_fingerprint),
        cmocka_unit_test(test_fingerprint_text),
        cmocka_unit_test(test_real_root),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
