/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A vsweep that is killed while a guest runs, another that comes beside it and
 * the next one after it; and a vsweep of a plain user.  This program is those
 * vsweeps too: it runs itself with a role in the environment.
 */
#include "vm-machine.h"
#include <fcntl.h>
#include "vm/embed.h"
#include "vm/leftovers.h"
#include "skip.h"

#define ROLE "VSWEEP_TEST_ROLE"
#define NOBODY 65534

/* ------------------------------------------------------------ the roles */

/* Creates a domain, says so on standard output and waits to be killed. */
static int
hold(void)
{
    g_autoptr(GError) err = NULL;
    g_autofree char *name = vm_name("left"), *xml = NULL;
    Connect *connect = NULL;
    Machine *machine = NULL;

    /* "unguarded": as if the watchdog had been killed with it. */
    if (strcmp(g_getenv(ROLE), "hold") == 0 && !watchdog_start(&err))
        return 1;
    connect = connect_open(NULL, &err);
    xml = vm_domain(name, NULL, NULL);
    machine = connect ? vm_create(connect, name, xml) : NULL;
    if (!machine)
        return 1;
    printf("%d %s\n", (int) machine_pid(machine), name);
    fflush(stdout);
    for (;;)
        pause();
}

/* Opens, boots and ends one domain; says "fine" or what went wrong. */
static int
try_out(void)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Connect) connect = connect_open(NULL, &err);
    g_autofree char *name = vm_name("user");
    g_autofree char *xml = vm_domain(name, NULL, NULL);
    g_autoptr(Machine) machine =
        connect ? machine_create(connect, xml, &err) : NULL;
    struct rusage usage = {0};

    if (!machine || !machine_resume(machine, &err)) {
        printf("%s\n", err->message);
        return 0;
    }
    machine_end(machine, &usage);
    printf("%s\n", usage.ru_maxrss > 0 ? "fine" : "not our child");
    return 0;
}

/* ------------------------------------------------------------- the tests */

typedef struct Held {
    pid_t vsweep, qemu;
    char *name;
} Held;

static bool as_nobody;

/* Starts this program in a role; *ret_out is its standard output. */
static pid_t
start_role(const char *role, int *ret_out)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    const char *const user[] = {
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", self,
        NULL};
    g_auto(GStrv) env = g_environ_setenv(g_get_environ(), ROLE, role, TRUE);
    pid_t pid = 0;

    assert_true(g_spawn_async_with_pipes(
        NULL, (char **) (as_nobody ? user : user + 4), env,
        G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, NULL, NULL, &pid, NULL,
        ret_out, NULL, NULL));
    return pid;
}

/* The first line of its output.  Caller frees. */
static char *
hear(int out)
{
    char text[1000] = "";

    assert_true(read(out, text, sizeof(text) - 1) > 0);
    close(out);
    return g_strchomp(g_strdup(text));
}

/* What it has to say, and its end.  Caller frees. */
static char *
ask_role(const char *role)
{
    int out = -1;
    pid_t pid = start_role(role, &out);
    char *said = hear(out);

    vm_wait(pid);
    return said;
}

static Held
start_holder(const char *role)
{
    int out = -1;
    Held held = {.vsweep = start_role(role, &out)};
    g_autofree char *said = hear(out);

    held.qemu = atoi(said);
    held.name = g_strdup(strchr(said, ' ') + 1);
    assert_int_equal(qemu_process_find(held.name), held.qemu);
    return held;
}

static void
end_holder(Held *held)
{
    vm_kill(held->vsweep);
    g_clear_pointer(&held->name, g_free);
}

/* Files with `name` in theirs, below `path`. */
static int
count_files(const char *path, const char *name)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *entry = NULL;
    int count = 0;

    while (dir && (entry = g_dir_read_name(dir))) {
        g_autofree char *full = g_build_filename(path, entry, NULL);

        count += strstr(entry, name) != NULL;
        if (!g_file_test(full, G_FILE_TEST_IS_SYMLINK))
            count += count_files(full, name);
    }
    return count;
}

static int
set_up(void **state)
{
    *state = vm_environment();
    return 0;
}

static int
tear_down(void **state)
{
    as_nobody = false;
    g_unsetenv("LIBVIRT_DEFAULT_URI");
    file_remove(*state, NULL);
    g_free(*state);
    return 0;
}

static bool
mentions(const GPtrArray *report, const char *words)
{
    for (guint i = 0; i < report->len; i++)
        if (strstr(report->pdata[i], words))
            return true;
    return false;
}

static void
keeps_out_the_second(void **state)
{
    const char *root = *state;
    Held held = start_holder("hold");
    g_autofree char *pid = g_strdup_printf("pid %d", (int) held.vsweep);
    g_autofree char *said = ask_role("try");
    g_autoptr(GError) err = NULL;
    g_autoptr(GPtrArray) report = g_ptr_array_new_with_free_func(g_free);

    print_message("# %s\n", said);
    assert_non_null(strstr(said, pid));
    assert_int_equal(embed_holder(root), held.vsweep);
    assert_false(leftovers_clean_root(root, report, &err));
    assert_non_null(strstr(err->message, pid));
    assert_true(leftovers_clean_root(NULL, report, NULL));
    assert_false(mentions(report, held.name));
    assert_int_equal(qemu_process_find(held.name), held.qemu);
    end_holder(&held);
}

/* The watchdog takes QEMU along. */
static void
is_killed_with_its_watchdog(void **state)
{
    Held held = start_holder("hold");

    (void) state;
    vm_kill(held.vsweep);
    assert_true(vm_until(qemu_process_find(held.name) == 0));
    g_free(held.name);
}

static void
is_cleaned_by_hand(void **state)
{
    const char *root = *state;
    g_autoptr(GPtrArray) report = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *mine = g_build_filename(root, "run/qemu/mine.xml", NULL);
    g_autofree char *temporary = g_build_filename(root, "vsweep-x.tmp", NULL);
    Held held = start_holder("unguarded");

    vm_kill(held.vsweep);
    assert_true(file_write(mine, "x", 1, NULL));
    assert_true(file_write(temporary, "x", 1, NULL));
    assert_int_equal(qemu_process_find(held.name), held.qemu);
    assert_true(count_files(root, held.name) > 0);
    assert_int_equal(embed_holder(root), 0);
    assert_true(leftovers_clean_root(root, report, NULL));
    for (guint i = 0; i < report->len; i++)
        print_message("# %s\n", (char *) report->pdata[i]);
    assert_true(mentions(report, held.name));
    assert_int_equal(qemu_process_find(held.name), 0);
    assert_int_equal(count_files(root, "vsweep-"), 0);
    assert_int_equal(access(mine, F_OK), 0);
    g_ptr_array_set_size(report, 0);
    assert_true(leftovers_clean_root(root, report, NULL));
    assert_int_equal(report->len, 0);
    g_free(held.name);
}

static void
is_cleaned_without_its_root(void **state)
{
    g_autoptr(GPtrArray) report = g_ptr_array_new_with_free_func(g_free);
    Held held = start_holder("unguarded");

    vm_kill(held.vsweep);
    assert_true(leftovers_clean_root(NULL, report, NULL));
    assert_true(mentions(report, held.name));
    assert_int_equal(qemu_process_find(held.name), 0);
    assert_int_equal(count_files(*state, held.name), 0);
    g_free(held.name);
}

/* Of the same root: what the first left does not stand in its way. */
static void
is_followed_by_the_next(void **state)
{
    g_autofree char *said = NULL;
    Held held = start_holder("unguarded");

    (void) state;
    kill(held.qemu, SIGSTOP); /* the worst case */
    vm_kill(held.vsweep);
    said = ask_role("try");
    assert_string_equal(said, "fine");
    assert_int_equal(qemu_process_find(held.name), 0);
    g_free(held.name);
}

/* libvirt's cgroup directories are called after the hash of the root. */
static void
leaves_no_cgroup(void **state)
{
    g_autofree char *hash =
        g_compute_checksum_for_string(G_CHECKSUM_SHA256, *state, -1);
    g_autofree char *name = g_strdup_printf("qemu-embed-%.8s-", hash);
    g_autoptr(GPtrArray) report = g_ptr_array_new_with_free_func(g_free);
    Held held = start_holder("unguarded");
    int before = count_files("/sys/fs/cgroup", name);

    print_message("# %d cgroup directories\n", before);
    vm_kill(held.vsweep);
    assert_true(leftovers_clean_root(*state, report, NULL));
    assert_int_equal(count_files("/sys/fs/cgroup", name), 0);
    assert_int_equal(mentions(report, name), before > 0);
    g_free(held.name);
}

static void
says_what_to_install(void **state)
{
    g_autofree char *said = NULL;

    (void) state;
    g_setenv("LIBVIRT_DRIVER_DIR", "/nonexistent", TRUE);
    said = ask_role("try");
    g_unsetenv("LIBVIRT_DRIVER_DIR");
    print_message("# %s\n", said);
    assert_non_null(strstr(said, "libvirt-daemon-driver-qemu"));
}

static void
names_an_absent_daemon(void **state)
{
    g_autofree char *said = NULL;

    (void) state;
    g_setenv("LIBVIRT_DEFAULT_URI",
             "qemu+unix:///system?socket=/nonexistent/socket", TRUE);
    said = ask_role("try");
    g_unsetenv("LIBVIRT_DEFAULT_URI");
    print_message("# %s\n", said);
    assert_non_null(strstr(said, "no libvirt daemon answers"));
}

static void
refuses_other_hypervisors(void **state)
{
    static const char *const uris[] = {"test:///default", "xen:///system",
                                       "qemu+ssh://host/system"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(uris); i++) {
        g_autoptr(GError) err = NULL;

        assert_null(connect_open(uris[i], &err));
        assert_int_equal(err->code, VS_ERROR_USAGE);
    }
}

/* From here on roles run as a plain user with directories of its own, which
 * tear_down() takes back. */
static void
become_plain_user(char *runtime)
{
    g_autofree char *cache = g_build_filename(runtime, "c", NULL);

    assert_int_equal(chown(runtime, NOBODY, NOBODY), 0);
    g_setenv("XDG_RUNTIME_DIR", runtime, TRUE);
    g_setenv("XDG_CACHE_HOME", cache, TRUE);
    g_setenv("XDG_CONFIG_HOME", cache, TRUE);
    g_unsetenv("VSWEEP_CACHE_DIR");
    g_unsetenv("VSWEEP_RUNTIME_DIR");
    as_nobody = true;
}

static void
works_for_a_plain_user(void **state)
{
    g_autofree char *said = NULL;

    if (geteuid() != 0)
        skip_because("only root can become another user; the other tests ran "
                     "as a plain user");
    become_plain_user(*state);
    said = ask_role("try");
    assert_string_equal(said, "fine");
}

/* libvirt starts them by itself for qemu:///session. */
static void
end_daemons(const char *runtime)
{
    static const char *const names[] = {"libvirtd.pid", "virtlogd.pid"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path =
            g_build_filename(runtime, "libvirt", names[i], NULL);
        g_autofree char *pid = file_read_line(path);

        if (pid && kill(atoi(pid), SIGTERM) == 0)
            assert_true(vm_until(kill(atoi(pid), 0) < 0));
    }
}

/* A daemon knows everybody's domains: those of a living vsweep are left
 * alone, those of a dead one are taken away by the next. */
static void
works_with_a_daemon(void **state)
{
    g_autofree char *first = NULL, *second = NULL;
    Held held = {0};

    if (geteuid() != 0 || access("/usr/sbin/libvirtd", X_OK) < 0)
        skip_because("needs root, to become a user without a daemon, and "
                     "libvirtd");
    become_plain_user(*state);
    g_setenv("LIBVIRT_DEFAULT_URI", "qemu:///session", TRUE);
    held = start_holder("unguarded");
    first = ask_role("try");
    assert_string_equal(first, "not our child");
    assert_int_equal(qemu_process_find(held.name), held.qemu);
    vm_kill(held.vsweep);
    second = ask_role("try");
    assert_string_equal(second, "not our child");
    assert_int_equal(qemu_process_find(held.name), 0);
    end_daemons(*state);
    g_free(held.name);
}

#define TEST(function) \
    cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_out_the_second),      TEST(is_killed_with_its_watchdog),
        TEST(is_cleaned_by_hand),        TEST(is_cleaned_without_its_root),
        TEST(is_followed_by_the_next),   TEST(leaves_no_cgroup),
        TEST(says_what_to_install),      TEST(names_an_absent_daemon),
        TEST(refuses_other_hypervisors), TEST(works_for_a_plain_user),
        TEST(works_with_a_daemon),
    };
    const char *role = g_getenv(ROLE);

    if (role)
        return strcmp(role, "try") == 0 ? try_out() : hold();
    if (vm_lacking()) {
        printf("1..0 # SKIP %s\n", vm_lacking());
        return 0;
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
