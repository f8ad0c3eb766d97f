/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control groups of our own: found on fake hosts, made and removed on this one
 * where it lets us.
 */
#include "host-util.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "host/cgroup.h"
#include "skip.h"

#define LIMIT (G_GUINT64_CONSTANT(64) << 20)

static guint
version_of(const char *path, const char *text)
{
    char *root = root_new();
    guint version = 0;

    if (path)
        root_write(root, path, text);
    version = cgroup_version(root, NULL);
    root_free(root);
    return version;
}

static void
versions(void **state)
{
    (void) state;
    assert_int_equal(
        version_of("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1\n"), 1);
    assert_int_equal(
        version_of("/sys/fs/cgroup/cgroup.subtree_control", "cpu memory\n"), 2);
    /* A controller that is not handed down limits nothing. */
    assert_int_equal(
        version_of("/sys/fs/cgroup/cgroup.subtree_control", "cpu pids\n"), 0);
    assert_int_equal(
        version_of("/sys/fs/cgroup/cgroup.subtree_control", "memory2\n"), 0);
    assert_int_equal(version_of(NULL, NULL), 0);
}

static void
no_controller(void **state)
{
    char *root = root_new();
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_null(cgroup_new(root, LIMIT, &err));
    assert_string_equal(err->message, "memory cannot be limited: no memory "
                                      "controller in /sys/fs/cgroup");
    root_free(root);
}

/* Starts a process that enters the group and waits to be killed. */
static pid_t
inhabitant(const Cgroup *cgroup)
{
    int ready[2] = {-1, -1};
    char word = 0;
    pid_t pid = 0;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int fd = open(cgroup_door(cgroup), O_WRONLY);

        if (fd < 0 || write(fd, "0", 1) != 1 || write(ready[1], "r", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &word, 1), 1);
    close(ready[0]);
    return pid;
}

static void
reap(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The directory behind the group's door.  Caller frees. */
static char *
directory_of(const Cgroup *cgroup)
{
    return g_path_get_dirname(cgroup_door(cgroup));
}

static Cgroup *
group_or_skip(void)
{
    const char *why = NULL;
    g_autoptr(GError) err = NULL;
    Cgroup *cgroup = NULL;

    if (cgroup_version("", &why) == 0)
        skip_because("%s", why);
    cgroup = cgroup_new("", LIMIT, &err);
    if (!cgroup)
        skip_because("%s", err->message);
    return cgroup;
}

static void
limits_and_goes(void **state)
{
    g_autoptr(Cgroup) cgroup = group_or_skip();
    g_autofree char *directory = directory_of(cgroup);
    pid_t pid = inhabitant(cgroup);

    (void) state;
    assert_true(g_str_has_prefix(cgroup_name(cgroup), "cgroup v"));
    assert_int_equal(cgroup_limit_of(cgroup, pid), LIMIT);
    assert_int_equal(cgroup_limit_of(cgroup, getpid()), 0);
    reap(pid);
    g_clear_pointer(&cgroup, cgroup_free);
    assert_int_not_equal(access(directory, F_OK), 0);
}

/* Of a vsweep that was killed: its group and what runs in it are cleaned up,
 * and nobody else's. */
static void
clean(void **state)
{
    g_autoptr(Cgroup) ours = group_or_skip();
    g_autoptr(GPtrArray) report = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *directory = directory_of(ours);
    g_autofree char *orphan = NULL;
    pid_t pid = fork();

    (void) state;
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(cgroup_new("", LIMIT, NULL) ? 0 : 1);
    orphan = g_strdup_printf("%.*s/vsweep-%d",
                             (int) (strrchr(directory, '/') - directory),
                             directory, (int) pid);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(access(orphan, F_OK), 0);
    assert_true(cgroup_clean("", report, NULL));
    assert_int_not_equal(access(orphan, F_OK), 0);
    assert_int_equal(access(directory, F_OK), 0);
    assert_true(report->len >= 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),
        cmocka_unit_test(no_controller),
        cmocka_unit_test(limits_and_goes),
        cmocka_unit_test(clean),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
