/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Domains of the embedded driver from creation to every kind of end. */
#include "vm-machine.h"
#include "vm/channel.h"

static char *runtime;
static Connect *connection;

static int
open_all(void **state)
{
    g_autoptr(GError) err = NULL;

    (void) state;
    runtime = vm_environment();
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
    return 0;
}

static void
describes_itself(void **state)
{
    g_autofree char *uri = g_strconcat("qemu:///embed?root=", runtime, NULL);

    (void) state;
    assert_string_equal(connect_uri(connection), uri);
    assert_true(connect_embedded(connection));
    assert_string_equal(connect_confinement(connection),
                        "none (embedded driver)");
    assert_true(
        g_str_has_prefix(connect_libvirt_version(connection), "libvirt "));
    assert_true(g_str_has_prefix(connect_qemu_version(connection), "QEMU "));
    assert_null(connect_blocked_directory(connection, "/root/x"));
}

static void
checks_documents(void **state)
{
    g_autofree char *good = vm_domain("vsweep-test", NULL, NULL);
    g_autofree char *no_bus =
        vm_domain("vsweep-test",
                  "<disk type='file' device='disk'><source file='/x'/>"
                  "<target dev='hda' bus='ide'/></disk>",
                  NULL);
    g_autofree char *no_value =
        vm_domain("vsweep-test", NULL, "<on_poweroff>dance</on_poweroff>");
    const char *const bad[] = {no_bus, no_value, "<domain", "<network/>"};
    g_autoptr(GError) err = NULL;
    char *argv = NULL, *why = NULL;

    (void) state;
    assert_true(connect_check_xml(connection, good, &argv, &why, &err));
    assert_non_null(strstr(argv, "qemu-system"));
    assert_null(why);
    g_free(argv);
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        why = NULL;
        assert_false(connect_check_xml(connection, bad[i], NULL, &why, &err));
        assert_null(err);
        assert_non_null(why);
        print_message("# %s\n", why);
        g_free(why);
    }
}

static gint64
counter(GHashTable *counters, const char *name)
{
    const gint64 *value = g_hash_table_lookup(counters, name);

    assert_non_null(value);
    return *value;
}

static void
ask_everything(Machine *machine, const char *name)
{
    g_autoptr(GHashTable) counters =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autofree char *xml = machine_live_xml(machine);
    g_autofree char *argv = machine_argv(machine);
    g_autofree char *reply = NULL;

    assert_non_null(strstr(xml, name));
    assert_non_null(strstr(argv, "\n-name\nguest="));
    assert_true(
        machine_qmp(machine, "{\"execute\":\"query-status\"}", &reply, NULL));
    assert_non_null(strstr(reply, "\"prelaunch\""));
    assert_true(machine_stats(machine, counters));
    assert_int_equal(counter(counters, "block.0.rd.reqs"), 0);
    assert_int_equal(counter(counters, "block.0.fl.times"), 0);
    assert_int_equal(counter(counters, "vcpu.current"), 1);
    counter(counters, "vcpu.0.delay");
    counter(counters, "state.state");
}

static void
answers_questions(void **state)
{
    g_autofree char *name = vm_name("ask");
    g_autofree char *image = g_build_filename(runtime, "image", NULL);
    g_autofree char *disk =
        g_strdup_printf("<disk type='file' device='disk'>"
                        "<driver name='qemu' type='raw'/>"
                        "<source file='%s'/>"
                        "<target dev='vda' bus='virtio'/></disk>",
                        image);
    g_autofree char *xml = vm_domain(name, disk, NULL);
    g_autofree char *zeros = g_malloc0(1 << 20);
    g_autofree char *reply = NULL, *log = NULL;
    g_autoptr(Machine) machine = NULL;
    struct rusage usage = {0};
    pid_t pid = 0;

    (void) state;
    assert_true(file_write(image, zeros, 1 << 20, NULL));
    machine = vm_create(connection, name, xml);
    assert_non_null(machine);
    assert_string_equal(machine_name(machine), name);
    assert_int_equal(machine_state(machine), MACHINE_RUNNING);
    pid = machine_pid(machine);
    assert_int_equal(pid, watchdog_find_qemu(name));
    ask_everything(machine, name);
    assert_true(machine_resume(machine, NULL));
    assert_true(
        machine_qmp(machine, "{\"execute\":\"query-status\"}", &reply, NULL));
    assert_non_null(strstr(reply, "\"running\""));
    log = machine_qemu_log(machine, 100);
    assert_true(*log != '\0');
    assert_int_equal(machine_end(machine, &usage), MACHINE_DESTROYED);
    assert_true(usage.ru_maxrss > 0);
    assert_int_equal(kill(pid, 0), -1); /* not even a zombie */
    assert_int_equal(machine_end(machine, NULL), MACHINE_DESTROYED);
    assert_null(machine_live_xml(machine));
}

/* The same name at once again, and never resumed. */
static void
can_be_repeated(void **state)
{
    g_autofree char *name = vm_name("again");
    g_autofree char *xml = vm_domain(name, NULL, NULL);

    (void) state;
    for (int i = 0; i < 2; i++) {
        g_autoptr(Machine) machine = vm_create(connection, name, xml);

        assert_non_null(machine);
    }
    assert_int_equal(watchdog_find_qemu(name), 0);
}

static void
expect_refusal(const char *xml, const char *words)
{
    g_autoptr(GError) err = NULL;

    assert_null(machine_create(connection, xml, &err));
    print_message("# %s\n", err->message);
    assert_non_null(strstr(err->message, words));
}

static void
says_why_it_is_refused(void **state)
{
    g_autofree char *name = vm_name("refused");
    g_autofree char *qemu =
        vm_domain(name, NULL,
                  "<qemu:commandline><qemu:arg value='-device'/>"
                  "<qemu:arg value='flying-carpet'/></qemu:commandline>");
    g_autofree char *schema = vm_domain(name, "<toaster/>", NULL);
    g_autofree char *image =
        vm_domain(name,
                  "<disk type='file' device='disk'>"
                  "<source file='/nonexistent/image'/>"
                  "<target dev='vda' bus='virtio'/></disk>",
                  NULL);

    (void) state;
    watchdog_arm(name, vm_soon());
    expect_refusal(qemu, "flying-carpet");
    expect_refusal(schema, "schema");
    expect_refusal(image, "/nonexistent/image");
    assert_int_equal(watchdog_find_qemu(name), 0);
    assert_false(watchdog_fired());
}

/* Somebody sends `signal` to QEMU; what the caller of channel_next() sees. */
static void
die_by(const char *tag, int signal)
{
    g_autofree char *name = vm_name(tag);
    g_autofree char *xml = vm_domain(name, NULL, NULL);
    g_autoptr(Machine) machine = vm_create(connection, name, xml);
    g_autoptr(Channel) channel = NULL;
    struct rusage usage = {0};
    char *line = NULL;

    assert_non_null(machine);
    channel = channel_open_machine(machine, NULL);
    assert_non_null(channel);
    assert_true(machine_resume(machine, NULL));
    kill(machine_pid(machine), signal);
    assert_int_equal(channel_next(channel, vm_soon(), &line), CHANNEL_STOPPED);
    assert_int_equal(machine_state(machine), MACHINE_DIED);
    assert_false(machine_wait_off(machine, vm_soon()));
    assert_int_equal(machine_end(machine, &usage), MACHINE_DIED);
    assert_true(usage.ru_maxrss > 0);
}

static void
notices_a_killed_qemu(void **state)
{
    (void) state;
    die_by("killed", SIGKILL);
    die_by("aborted", SIGABRT);
    die_by("terminated", SIGTERM);
}

/* libvirt blocks in the middle of a question; only the watchdog helps. */
static void
survives_a_stuck_qemu(void **state)
{
    g_autofree char *name = vm_name("stuck");
    g_autofree char *xml = vm_domain(name, NULL, NULL);
    g_autoptr(Machine) machine = vm_create(connection, name, xml);
    g_autoptr(GHashTable) counters =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    (void) state;
    assert_non_null(machine);
    kill(machine_pid(machine), SIGSTOP);
    watchdog_arm(name, clock_raw_ns() + VM_QUIET_NS);
    for (int i = 0; i < 2; i++) /* cached answers come even so */
        machine_stats(machine, counters);
    machine_qmp(machine, "{\"execute\":\"query-status\"}", NULL, NULL);
    assert_true(watchdog_fired());
    assert_false(machine_stats(machine, counters));
    assert_false(machine_wait_off(machine, vm_soon()));
    assert_int_equal(machine_end(machine, NULL), MACHINE_DIED);
}

static void
destroys_a_stuck_qemu(void **state)
{
    g_autofree char *name = vm_name("frozen");
    g_autofree char *xml = vm_domain(name, NULL, NULL);
    g_autoptr(Machine) machine = vm_create(connection, name, xml);

    (void) state;
    assert_non_null(machine);
    kill(machine_pid(machine), SIGSTOP);
    assert_int_equal(machine_end(machine, NULL), MACHINE_DESTROYED);
    assert_false(watchdog_fired());
}

/* Counts what is left below the runtime directory with our name in it. */
static int
count_left(const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *entry = NULL;
    int left = 0;

    while (dir && (entry = g_dir_read_name(dir))) {
        g_autofree char *full = g_build_filename(path, entry, NULL);

        if (strstr(entry, "vsweep-test-")) {
            print_message("# left: %s\n", full);
            left++;
        }
        if (!g_file_test(full, G_FILE_TEST_IS_SYMLINK))
            left += count_left(full);
    }
    return left;
}

static void
leaves_nothing(void **state)
{
    (void) state;
    assert_int_equal(count_left(runtime), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_itself),
        cmocka_unit_test(checks_documents),
        cmocka_unit_test(answers_questions),
        cmocka_unit_test(can_be_repeated),
        cmocka_unit_test(says_why_it_is_refused),
        cmocka_unit_test(notices_a_killed_qemu),
        cmocka_unit_test(survives_a_stuck_qemu),
        cmocka_unit_test(destroys_a_stuck_qemu),
        cmocka_unit_test(leaves_nothing),
    };
    const char *lacking = vm_lacking();

    if (lacking) {
        printf("1..0 # SKIP %s\n", lacking);
        return 0;
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, open_all, close_all);
}
