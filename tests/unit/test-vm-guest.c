/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guests that run: every way in which one ends, and talks, for real. */
#include "vm-machine.h"
#include <glob.h>
#include "base/child.h"
#include "vm/accel-proof.h"
#include "vm/accel.h"
#include "vm/channel.h"
#include "vm/proof-cache.h"

static char *runtime, *kernel, *initrd;
static Connect *connection;

/* The newest kernel that can be read and has modules; NULL: none. */
static char *
find_kernel(void)
{
    glob_t found = {0};
    char *newest = NULL;

    glob("/boot/vmlinuz-*", 0, NULL, &found);
    for (gsize i = 0; i < found.gl_pathc; i++) {
        const char *version = strchr(found.gl_pathv[i], '-') + 1;
        g_autofree char *modules =
            g_build_filename("/lib/modules", version, NULL);

        if (access(found.gl_pathv[i], R_OK) < 0 || access(modules, R_OK) < 0)
            continue;
        g_free(newest);
        newest = g_strdup(found.gl_pathv[i]);
    }
    globfree(&found);
    return newest;
}

static const char *
lacking(void)
{
    static const char *const tools[] = {"busybox", "cpio", "modprobe", NULL};
    static char *missing;

    if (vm_lacking())
        return vm_lacking();
    kernel = find_kernel();
    if (!kernel)
        return "no kernel in /boot that can be read";
    for (int i = 0; tools[i]; i++) {
        g_autofree char *path = g_find_program_in_path(tools[i]);

        if (!path)
            return missing = g_strdup_printf("no %s", tools[i]);
    }
    return NULL;
}

static int
open_all(void **state)
{
    g_autoptr(GError) err = NULL;
    const char *version = strchr(kernel, '-') + 1;

    (void) state;
    runtime = vm_environment();
    initrd = g_build_filename(runtime, "initrd", NULL);
    assert_true(
        child_run((const char *const[]){VS_SOURCE_DIR "/tests/unit/vm-guest.sh",
                                        version, initrd, NULL},
                  NULL, &err));
    assert_true(watchdog_start(NULL));
    connection = connect_open(NULL, &err);
    if (!connection)
        print_message("# %s\n", err->message);
    assert_non_null(connection);
    return 0;
}

static int
close_all(void **state)
{
    (void) state;
    connect_close(connection);
    watchdog_stop();
    file_remove(runtime, NULL);
    g_free(runtime);
    g_free(initrd);
    g_free(kernel);
    return 0;
}

/* Caller frees. */
static char *
guest_domain(const char *name, const char *cmdline, const char *on_crash)
{
    return g_strdup_printf(
        "<domain type='qemu'><name>%s</name><memory unit='MiB'>128</memory>"
        "<vcpu>1</vcpu><os><type arch='x86_64' machine='q35'>hvm</type>"
        "<kernel>%s</kernel><initrd>%s</initrd>"
        "<cmdline>quiet cryptomgr.notests panic=-1 %s</cmdline></os>"
        "<features><acpi/></features>"
        "<on_reboot>destroy</on_reboot><on_crash>%s</on_crash><devices>"
        "<controller type='usb' model='none'/><memballoon model='none'/>"
        "<channel type='unix'><target type='virtio' name='org.vsweep.0'/>"
        "</channel><panic model='isa'/></devices></domain>",
        name, kernel, initrd, cmdline, on_crash);
}

typedef struct Guest {
    Machine *machine;
    Channel *channel;
} Guest;

static ChannelEvent
next(const Guest *guest, char **ret_line)
{
    return channel_next(guest->channel, vm_soon(), ret_line);
}

static void
expect_line(const Guest *guest, const char *wanted)
{
    g_autofree char *line = NULL;

    assert_int_equal(next(guest, &line), CHANNEL_LINE);
    assert_string_equal(line, wanted);
}

static void
expect(const Guest *guest, ChannelEvent wanted)
{
    g_autofree char *line = NULL;

    assert_int_equal(next(guest, &line), wanted);
}

static Guest
boot(const char *tag, const char *on_crash)
{
    g_autofree char *name = vm_name(tag);
    g_autofree char *xml = guest_domain(name, "", on_crash);
    Guest guest = {.machine = vm_create(connection, name, xml)};

    assert_non_null(guest.machine);
    guest.channel = channel_open_machine(guest.machine, NULL);
    assert_non_null(guest.channel);
    assert_true(machine_resume(guest.machine, NULL));
    expect_line(&guest, "{\"type\": \"ready\", \"v\": 1}");
    return guest;
}

static void
end(Guest *guest, MachineState wanted)
{
    struct rusage usage = {0};

    channel_close(guest->channel);
    assert_int_equal(machine_end(guest->machine, &usage), wanted);
    assert_true(usage.ru_utime.tv_sec > 0 || usage.ru_utime.tv_usec > 0);
    machine_free(guest->machine);
    watchdog_disarm();
}

static void
talks_and_powers_off(void **state)
{
    Guest guest = boot("off", "destroy");

    (void) state;
    assert_true(channel_send(guest.channel, "echo hello"));
    expect_line(&guest, "hello");
    assert_true(channel_send(guest.channel, "flood 2000"));
    for (int i = 1; i <= 2000; i++) {
        g_autofree char *number = g_strdup_printf("%d", i);

        expect_line(&guest, number);
    }
    assert_true(channel_send(guest.channel, "binary"));
    expect(&guest, CHANNEL_RUBBISH);
    assert_int_equal(machine_state(guest.machine), MACHINE_RUNNING);
    end(&guest, MACHINE_DESTROYED);
}

/* What was said before the end is delivered before the end. */
static void
says_bye(void **state)
{
    Guest guest = boot("bye", "destroy");

    (void) state;
    assert_true(channel_send(guest.channel, "off"));
    expect_line(&guest, "bye");
    expect(&guest, CHANNEL_STOPPED);
    expect(&guest, CHANNEL_STOPPED);
    assert_int_equal(machine_state(guest.machine), MACHINE_OFF);
    assert_false(channel_send(guest.channel, "echo anybody there"));
    end(&guest, MACHINE_OFF);
}

static void
is_awaited(void **state)
{
    Guest guest = boot("wait", "destroy");

    (void) state;
    assert_false(machine_wait_off(guest.machine, clock_raw_ns()));
    assert_true(channel_send(guest.channel, "off"));
    assert_true(machine_wait_off(guest.machine, vm_soon()));
    end(&guest, MACHINE_OFF);
}

/* on_reboot is destroy: to libvirt and to us it has powered off. */
static void
ends_by_a_reboot(void **state)
{
    Guest guest = boot("reboot", "destroy");

    (void) state;
    assert_true(channel_send(guest.channel, "reboot"));
    expect(&guest, CHANNEL_STOPPED);
    end(&guest, MACHINE_OFF);
}

static void
panic_with(const char *on_crash)
{
    Guest guest = boot("panic", on_crash);

    assert_true(channel_send(guest.channel, "panic"));
    expect(&guest, CHANNEL_STOPPED);
    assert_int_equal(machine_state(guest.machine), MACHINE_PANIC);
    assert_false(machine_wait_off(guest.machine, vm_soon()));
    end(&guest, MACHINE_PANIC);
}

static void
panics(void **state)
{
    (void) state;
    panic_with("destroy");
    panic_with("preserve");
}

/* Nobody listens: the guest waits, and our memory does not grow. */
static void
floods(void **state)
{
    Guest guest = boot("flood", "destroy");
    long pages[2] = {0};

    (void) state;
    assert_true(channel_send(guest.channel, "endless word"));
    for (int i = 0; i < 2; i++) {
        g_autofree char *statm = file_read_line("/proc/self/statm");

        pages[i] = atol(strchr(statm, ' '));
        for (int turn = 0; i == 0 && turn < 5; turn++)
            machine_wait_off(guest.machine,
                             clock_raw_ns() + 200 * CLOCK_NS_PER_MS);
    }
    assert_true(pages[1] - pages[0] < 1024);
    for (int i = 0; i < 1000; i++)
        expect_line(&guest, "word");
    end(&guest, MACHINE_DESTROYED);
}

static void
proves_an_accelerator(void **state)
{
    g_autofree char *good = guest_domain("vsweep-test-proof", "", "destroy");
    g_autofree char *silent =
        guest_domain("vsweep-test-proof", "rdinit=/bin/poweroff", "destroy");
    g_autofree char *bad = vm_domain("vsweep-test-proof", "<toaster/>", NULL);
    const char *const one[] = {good, NULL};
    const char *const failing[][3] = {{good, bad, NULL}, {silent, NULL}};
    char *why = NULL;
    bool proved = false;

    (void) state;
    assert_true(
        accel_proof(connection, one, VM_PATIENCE_NS, &proved, &why, NULL));
    print_message("# %s\n", why);
    assert_true(proved);
    g_free(why);
    for (gsize i = 0; i < G_N_ELEMENTS(failing); i++) {
        assert_true(accel_proof(connection, failing[i], VM_PATIENCE_NS, &proved,
                                &why, NULL));
        print_message("# %s\n", why);
        assert_false(proved);
        g_free(why);
    }
}

/* Whatever this host has. */
static void
decides(void **state)
{
    g_autofree char *tcg = guest_domain("vsweep-test-kvm", "", "destroy");
    g_auto(GStrv) parts = g_strsplit(tcg, "type='qemu'", 2);
    g_autofree char *xml = g_strjoinv("type='kvm'", parts);
    const char *const xmls[] = {xml, NULL};
    g_autoptr(GError) err = NULL;
    Accel accel = {0}, again = {0};

    (void) state;
    assert_true(
        accel_decide(connection, ACCEL_TCG, xmls, "test", &accel, NULL));
    assert_false(accel.kvm);
    accel_clear(&accel);
    assert_true(
        accel_decide(connection, ACCEL_AUTO, xmls, "test", &accel, NULL));
    assert_true(
        accel_decide(connection, ACCEL_AUTO, xmls, "test", &again, NULL));
    print_message("# kvm %d: %s\n", accel.kvm, accel.why);
    assert_int_equal(again.kvm, accel.kvm);
    assert_string_equal(again.why, accel.why);
    if (access("/dev/kvm", F_OK) < 0)
        assert_string_equal(accel.why, "no /dev/kvm");
    accel_clear(&again);
    if (!accel.kvm) {
        assert_false(
            accel_decide(connection, ACCEL_KVM, xmls, "test", &again, &err));
        assert_int_equal(err->code, VS_ERROR_UNFIT);
        assert_non_null(strstr(err->message, accel.why));
    }
    accel_clear(&accel);
}

static void
remembers_a_proof(void **state)
{
    g_autofree char *cache = g_build_filename(runtime, "cache-of-proofs", NULL);
    g_autofree char *file = g_build_filename(cache, "kvm-proof", NULL);
    char *why = NULL;
    bool kvm = false;

    (void) state;
    g_setenv("VSWEEP_CACHE_DIR", cache, TRUE);
    assert_false(proof_cache_load("one", &kvm, &why));
    proof_cache_save("one", true, "it ran");
    proof_cache_save("two [\n", false, "it = did \"not\"");
    assert_true(proof_cache_load("one", &kvm, &why));
    assert_true(kvm);
    assert_string_equal(why, "it ran");
    g_free(why);
    assert_true(proof_cache_load("two [\n", &kvm, &why));
    assert_false(kvm);
    assert_string_equal(why, "it = did \"not\"");
    g_free(why);
    /* Another boot of the host. */
    assert_true(file_write(file, "[host]\nboot=old\n", -1, NULL));
    assert_false(proof_cache_load("one", &kvm, &why));
}

static void
parses_what_is_wanted(void **state)
{
    g_autoptr(GError) err = NULL;
    AccelWanted wanted = ACCEL_AUTO;

    (void) state;
    assert_true(accel_parse("kvm", &wanted, NULL));
    assert_int_equal(wanted, ACCEL_KVM);
    assert_false(accel_parse("xen", &wanted, &err));
    assert_int_equal(err->code, VS_ERROR_USAGE);
    assert_int_equal(wanted, ACCEL_KVM);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(talks_and_powers_off),
        cmocka_unit_test(says_bye),
        cmocka_unit_test(is_awaited),
        cmocka_unit_test(ends_by_a_reboot),
        cmocka_unit_test(panics),
        cmocka_unit_test(floods),
        cmocka_unit_test(proves_an_accelerator),
        cmocka_unit_test(decides),
        cmocka_unit_test(parses_what_is_wanted),
        cmocka_unit_test(remembers_a_proof),
    };
    const char *reason = lacking();

    if (reason) {
        printf("1..0 # SKIP %s\n", reason);
        return 0;
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, open_all, close_all);
}
