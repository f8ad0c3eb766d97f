/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A killed writer and a full disk: whole attempts, every one that was
 * reported as written, and nothing else.
 */
#include "data-util.h"

#include <signal.h>
#include <sys/wait.h>
#include "base/random.h"

/* Writers killed; each at another moment. */
#define KILLS 6
/* Lines of an attempt: enough for a kill to fall into a transaction. */
#define MANY_LINES 3000

static Attempt *
large_attempt(guint salt)
{
    Attempt *attempt = full_attempt(1, 0, salt);

    for (guint i = FULL_LINES; i < MANY_LINES; i++)
        g_ptr_array_add(attempt->lines,
                        g_strdup_printf("{\"type\":\"note\",\"n\":%u}", i));
    g_free(attempt->console);
    attempt->console = g_strnfill(50000, (char) ('a' + salt % 26));
    return attempt;
}

/* Writes attempts until it is killed; a byte on `fd` for each. */
static void G_GNUC_NORETURN
write_for_ever(const char *path, int fd)
{
    g_autoptr(Store) store = store_open(path, true, NULL);

    for (guint salt = 0; store; salt++) {
        g_autoptr(Attempt) attempt = large_attempt(salt);
        gint64 id = 0;
        if (!store_put_attempt(store, attempt, &id, NULL) ||
            write(fd, "", 1) != 1)
            break;
    }
    _exit(1); /* only the parent's SIGKILL is a good end */
}

/* Reads up to `count` bytes, which stand for attempts; how many came. */
static guint
read_acknowledged(int fd, guint count)
{
    char byte;
    guint got = 0;

    while (got < count && read(fd, &byte, 1) == 1)
        got++;
    return got;
}

/* Starts a writer, kills it `pause_us` after its second attempt; returns how
 * many attempts it reported. */
static guint
kill_a_writer(const char *path, guint pause_us)
{
    int fds[2], status = 0;

    assert_int_equal(pipe(fds), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        close(fds[0]);
        write_for_ever(path, fds[1]);
    }
    assert_true(pid > 0);
    close(fds[1]);
    guint written = read_acknowledged(fds[0], 2);
    g_usleep(pause_us);
    kill(pid, SIGKILL);
    written += read_acknowledged(fds[0], G_MAXUINT);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    close(fds[0]);
    return written;
}

static void
check_whole(Store *store, const StoreRun *run)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Attempt) attempt = store_attempt(store, run->id, &err);
    must(attempt);

    assert_int_equal(attempt->lines->len, MANY_LINES);
    assert_int_equal(attempt->values->len, FULL_VALUES);
    const AttemptHist *hist = attempt->hists->pdata[0];
    assert_int_equal(hist->bins->len, FULL_BINS);
    assert_int_equal(strlen(attempt->console), 50000);
}

static void
killed_writers(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    guint before = 0;
    Random random;
    must(store);
    g_clear_pointer(&store, store_close);

    random_init(&random, 7);
    for (guint i = 0; i < KILLS; i++) {
        const guint pause = (guint) random_bounded(&random, 20000);
        const guint written = kill_a_writer(place->db, pause);
        g_autoptr(Store) reader = store_open(place->db, false, &err);
        must(reader);
        g_autoptr(GPtrArray) runs = store_runs(reader, &err);
        must(runs);
        /* All that were reported, and at most the one in between. */
        assert_in_range(runs->len, before + written, before + written + 1);
        for (guint j = before; j < runs->len; j++)
            check_whole(reader, runs->pdata[j]);
        before = runs->len;
    }
    sql_sound(place->db);
}

/* Attempts with new texts until the disk is full. */
static guint
fill_up(Store *store, GError **err)
{
    for (guint i = 0; i < 200; i++) {
        g_autoptr(Attempt) attempt = large_attempt(i);
        gint64 id = -1;
        attempt->console[0] = (char) ('A' + i % 26);
        if (!store_put_attempt(store, attempt, &id, err)) {
            assert_int_equal(id, -1);
            return i;
        }
    }
    fail_msg("a disk of 2 MiB held 200 attempts");
    return 0;
}

static void
full_disk(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;

    own_mount(place, "size=2m");
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);

    const guint written = fill_up(store, &err);
    assert_true(written > 0);
    assert_non_null(strstr(err->message, "cannot write"));
    assert_non_null(strstr(err->message, place->db));
    assert_non_null(strstr(err->message, "full"));
    g_clear_error(&err);

    /* Room again: the same connection goes on. */
    assert_int_equal(mount(NULL, place->dir, NULL, MS_REMOUNT, "size=16m"), 0);
    g_autoptr(Attempt) attempt = large_attempt(0);
    gint64 id = 0;
    must(store_put_attempt(store, attempt, &id, &err));
    g_autoptr(GPtrArray) runs = store_runs(store, &err);
    must(runs);
    assert_int_equal(runs->len, written + 1);
    for (guint i = 0; i < runs->len; i++)
        check_whole(store, runs->pdata[i]);
    g_clear_pointer(&store, store_close);
    sql_sound(place->db);
    umount2(place->dir, MNT_DETACH);
}

/* Closed while the disk is full, as a sweep that gives up does. */
static void
full_disk_and_the_end(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;

    own_mount(place, "size=2m");
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);

    const guint written = fill_up(store, &err);
    g_clear_error(&err);
    g_clear_pointer(&store, store_close);
    store = store_open(place->db, false, &err);
    must(store);
    g_autoptr(GPtrArray) runs = store_runs(store, &err);
    must(runs);
    assert_int_equal(runs->len, written);
    g_clear_pointer(&store, store_close);
    sql_sound(place->db);
    umount2(place->dir, MNT_DETACH);
}

static void
no_room_to_begin(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;

    own_mount(place, "size=40k");

    assert_null(store_create(place->db, &err));
    assert_non_null(strstr(err->message, "full"));
    assert_int_not_equal(access(place->db, F_OK), 0); /* nothing left */
    umount2(place->dir, MNT_DETACH);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(killed_writers),
        TEST(full_disk),
        TEST(full_disk_and_the_end),
        TEST(no_room_to_begin),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
