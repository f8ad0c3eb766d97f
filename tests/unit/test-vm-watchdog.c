/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watchdog, with real QEMU processes (paused, without a machine). */
#include "vm-util.h"
#include <stdio.h>
#include "vm/watchdog.h"

#define PAST (clock_raw_ns() - CLOCK_NS_PER_S)

/* The watchdog of the process `parent`; 0: none. */
static pid_t
find_watchdog(pid_t parent)
{
    g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
    const char *entry = NULL;

    while ((entry = g_dir_read_name(proc))) {
        g_autofree char *path = g_build_filename("/proc", entry, "stat", NULL);
        g_autofree char *stat = NULL;
        const char *found = NULL;

        if (!g_ascii_isdigit(*entry) ||
            !g_file_get_contents(path, &stat, NULL, NULL))
            continue;
        found = strstr(stat, "(vsweep-watchdog) ");
        if (found && atoi(found + strlen("(vsweep-watchdog) S ")) == parent)
            return atoi(entry);
    }
    return 0;
}

static int
start(void **state)
{
    (void) state;
    assert_true(watchdog_start(NULL));
    assert_true(vm_until(find_watchdog(getpid()) > 0));
    return 0;
}

static int
stop(void **state)
{
    (void) state;
    watchdog_stop();
    return 0;
}

static void
kills_at_deadline(void **state)
{
    g_autofree char *name = vm_name("late"), *other_name = vm_name("other");
    pid_t qemu = vm_spawn_qemu(name), other = vm_spawn_qemu(other_name);
    int status = 0;

    (void) state;
    watchdog_arm(name, clock_raw_ns() + 100 * CLOCK_NS_PER_MS);
    status = vm_wait(qemu);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_true(vm_until(watchdog_fired()));
    assert_true(vm_alive(other));
    vm_kill(other);
    watchdog_disarm();
    assert_true(watchdog_fired());
    watchdog_arm(name, 0);
    assert_false(watchdog_fired());
}

static void
kills_a_stopped_one(void **state)
{
    g_autofree char *name = vm_name("stuck");
    pid_t qemu = vm_spawn_qemu(name);

    (void) state;
    kill(qemu, SIGSTOP);
    watchdog_arm(name, PAST);
    assert_true(WIFSIGNALED(vm_wait(qemu)));
}

static void
kills_one_that_comes_late(void **state)
{
    g_autofree char *name = vm_name("born-late");
    pid_t qemu = 0;

    (void) state;
    watchdog_arm(name, PAST);
    assert_false(watchdog_fired());
    qemu = vm_spawn(VM_QEMU, VM_QEMU, name);
    assert_true(WIFSIGNALED(vm_wait(qemu)));
    assert_true(vm_until(watchdog_fired()));
}

static void
leaves_alone_when_disarmed(void **state)
{
    g_autofree char *name = vm_name("free");
    pid_t qemu = vm_spawn_qemu(name);

    (void) state;
    watchdog_arm(name, clock_raw_ns() + 300 * CLOCK_NS_PER_MS);
    watchdog_disarm();
    g_usleep(VM_QUIET_NS / 1000);
    assert_true(vm_alive(qemu));
    assert_false(watchdog_fired());
    vm_kill(qemu);
}

static void
call_has_a_limit_of_its_own(void **state)
{
    g_autofree char *name = vm_name("call");
    pid_t qemu = vm_spawn_qemu(name);

    (void) state;
    watchdog_arm(name, 0);
    watchdog_call_begin(VM_QUIET_NS / 2);
    watchdog_call_end();
    g_usleep(VM_QUIET_NS / 1000);
    assert_true(vm_alive(qemu));
    watchdog_call_begin(1);
    assert_true(WIFSIGNALED(vm_wait(qemu)));
    assert_true(vm_until(watchdog_fired()));
}

/* Its arguments and argv[0] say QEMU, its executable does not. */
static void
spares_what_is_no_qemu(void **state)
{
    g_autofree char *name = vm_name("fake");
    g_autofree char *script = g_strdup_printf("sleep 600 & wait");
    g_autofree char *guest = g_strdup_printf("guest=%s", name);
    pid_t fake = fork();

    (void) state;
    if (fake == 0) {
        setsid();
        execl("/bin/sh", "qemu-system-x86_64", "-c", script, "sh", "-name",
              guest, NULL);
        _exit(127);
    }
    watchdog_arm(name, PAST);
    g_usleep(VM_QUIET_NS / 1000);
    assert_true(vm_alive(fake));
    assert_false(watchdog_fired());
    kill(-fake, SIGKILL);
    vm_kill(fake);
}

static void
ignores_signals_and_holds_nothing(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    g_autofree char *name = vm_name("deaf");
    pid_t qemu = vm_spawn_qemu(name), dog = find_watchdog(getpid());
    g_autofree char *fds = g_strdup_printf("/proc/%d/fd", (int) dog);
    g_autoptr(GDir) dir = g_dir_open(fds, 0, NULL);
    int files = 0;

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
        kill(dog, signals[i]);
    assert_int_not_equal(getsid(dog), getsid(0));
    while (g_dir_read_name(dir))
        files++;
    assert_int_equal(files, 4); /* three times /dev/null and the socket */
    watchdog_arm(name, PAST);
    assert_true(WIFSIGNALED(vm_wait(qemu)));
}

/* vsweep is a child here; it is killed, or it ends without a word. */
static void
die_with_vsweep(int signal)
{
    g_autofree char *name = vm_name("orphan");
    pid_t qemu = vm_spawn_qemu(name), dog = 0, vsweep = fork();

    if (vsweep == 0) {
        watchdog_stop(); /* our parent's, as far as this process knows */
        if (!watchdog_start(NULL))
            _exit(1);
        watchdog_arm(name, 0);
        if (signal == 0)
            _exit(0);
        for (;;)
            pause();
    }
    if (signal) {
        assert_true(vm_until((dog = find_watchdog(vsweep)) > 0));
        assert_true(vm_alive(qemu));
        kill(vsweep, signal);
    }
    vm_wait(vsweep);
    assert_true(WIFSIGNALED(vm_wait(qemu)));
    assert_true(vm_until(dog == 0 || kill(dog, 0) < 0));
}

static void
dies_with_vsweep(void **state)
{
    (void) state;
    die_with_vsweep(SIGKILL);
    die_with_vsweep(0);
}

static void
stop_spares_the_armed(void **state)
{
    g_autofree char *name = vm_name("kept");
    pid_t qemu = vm_spawn_qemu(name), dog = find_watchdog(getpid());

    (void) state;
    watchdog_arm(name, 0);
    watchdog_stop();
    assert_int_equal(kill(dog, 0), -1);
    assert_true(vm_alive(qemu));
    vm_kill(qemu);
}

static void
does_nothing_unless_started(void **state)
{
    (void) state;
    watchdog_arm("vsweep-test", PAST);
    watchdog_call_begin(1);
    watchdog_call_end();
    assert_false(watchdog_fired());
    watchdog_disarm();
    watchdog_stop();
}

/* The arguments as the kernel gives them. */
#define ARGV(text) text, sizeof(text) - 1

static void
reads_arguments(void **state)
{
    g_autofree char *guest =
        qemu_argv_guest(ARGV("qemu\0-S\0-name\0guest=a,,b,debug\0"));
    g_autofree char *json = qemu_argv_root(
        ARGV("qemu\0-object\0{\"file\":\"/run/v s/lib/qemu/domain-1-a/k\"}\0"));
    g_autofree char *old = qemu_argv_root(
        ARGV("qemu\0-object\0secret,file=/run/x/lib/qemu/domain-1-a/k\0"));

    (void) state;
    assert_string_equal(guest, "a,b");
    assert_string_equal(json, "/run/v s");
    assert_string_equal(old, "/run/x");
    assert_null(qemu_argv_guest(ARGV("qemu\0-name\0")));
    assert_null(qemu_argv_guest(ARGV("qemu\0-name\0a\0")));
    assert_null(qemu_argv_root(
        ARGV("qemu\0{\"file\":\"/var/lib/libvirt/qemu/domain-1-a/k\"}\0")));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_arguments),
        cmocka_unit_test(does_nothing_unless_started),
        TEST(kills_at_deadline),
        TEST(kills_a_stopped_one),
        TEST(kills_one_that_comes_late),
        TEST(leaves_alone_when_disarmed),
        TEST(call_has_a_limit_of_its_own),
        TEST(spares_what_is_no_qemu),
        TEST(ignores_signals_and_holds_nothing),
        TEST(dies_with_vsweep),
        TEST(stop_spares_the_armed),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
