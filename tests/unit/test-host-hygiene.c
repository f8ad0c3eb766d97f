/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The quiet test on fake hosts: quiet, and noisy in each way there is.
 */
#include "host-util.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/signals.h"
#include "host/hygiene.h"

#define QUIET_MEMINFO "MemTotal: 1000 kB\nDirty:  96 kB\nWriteback: 0 kB\n"
#define IDLE_STAT "1 2 3 4 5 6 7 8 0 10 11 12 13 14 15 16 17\n"

/* Room for a few quick samples of 0.1 s. */
#define SOME_TIME (500 * CLOCK_NS_PER_MS)

static bool
wait_quiet(const char *root, const char *device)
{
    bool quiet = false;

    hygiene_wait_quiet(root, device, true, SOME_TIME, &quiet);
    return quiet;
}

static void
test_quiet(void **state)
{
    char *root = root_new();

    (void) state;
    root_write(root, "/proc/meminfo", QUIET_MEMINFO);
    root_write(root, "/sys/block/vda/stat", IDLE_STAT);
    assert_true(wait_quiet(root, "vda"));
    assert_true(wait_quiet(root, NULL));
    root_free(root);
}

static void
test_nothing_to_read(void **state)
{
    char *root = root_new();

    (void) state;
    assert_true(wait_quiet(root, "vda"));
    root_free(root);
}

static void
test_dirty(void **state)
{
    char *root = root_new();

    (void) state;
    root_write(root, "/proc/meminfo", "Dirty: 4000 kB\nWriteback: 96 kB\n");
    assert_true(wait_quiet(root, NULL));
    root_write(root, "/proc/meminfo",
               "Dirty: 4000 kB\nWriteback: 97 kB\n"
               "WritebackTmp: 0 kB\n");
    assert_false(wait_quiet(root, NULL));
    root_free(root);
}

static void
test_in_flight(void **state)
{
    char *root = root_new();

    (void) state;
    root_write(root, "/sys/block/vda/stat", "1 2 3 4 5 6 7 8 1 10 11\n");
    assert_false(wait_quiet(root, "vda"));
    assert_true(wait_quiet(root, NULL));
    root_free(root);
}

/* A device whose busy time moves on at every look: a FIFO that a child feeds
 * with ever larger numbers. */
static pid_t
feed_busy_device(const char *fifo)
{
    pid_t child = fork();

    if (child != 0)
        return child;
    for (int busy_ms = 0;; busy_ms += 5000) {
        int fd = open(fifo, O_WRONLY);
        dprintf(fd, "1 2 3 4 5 6 7 8 0 %d 11\n", busy_ms);
        close(fd);
        /* The reader must see the end before the next text begins. */
        usleep(10000);
    }
}

static void
test_busy(void **state)
{
    char *root = root_new();
    g_autofree char *fifo = root_path(root, "/sys/block/vda/stat");

    (void) state;
    assert_int_equal(mkfifo(fifo, 0600), 0);
    pid_t child = feed_busy_device(fifo);
    assert_true(child > 0);
    assert_false(wait_quiet(root, "vda"));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    root_free(root);
}

/* No time for a sample: nothing is waited for and nothing claimed. */
static void
test_no_time(void **state)
{
    char *root = root_new();
    bool quiet = true;

    (void) state;
    hygiene_wait_quiet(root, NULL, false, 0, &quiet);
    assert_false(quiet);
    root_free(root);
}

/* Last, since the flag stays up: a signal ends a wait that has an hour. */
static void
test_signal_ends_the_wait(void **state)
{
    char *root = root_new();
    bool quiet = true;

    (void) state;
    root_write(root, "/proc/meminfo", "Dirty: 100000 kB\nWriteback: 0 kB\n");
    signals_install();
    raise(SIGTERM);
    assert_true(signals_pending());
    hygiene_wait_quiet(root, NULL, false, 3600 * CLOCK_NS_PER_S, &quiet);
    assert_false(quiet);
    root_free(root);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_nothing_to_read),
        cmocka_unit_test(test_dirty),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_signal_ends_the_wait),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
