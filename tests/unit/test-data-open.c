/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose database it is, and reading it while it is written, when it is at
 * rest, and where nobody may write.
 */
#include "data-util.h"

#include <glib/gstdio.h>

static void
refuse(const char *path, bool write, const char *says)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_open(path, write, &err);

    if (store)
        fail_msg("%s was opened", path);
    if (!strstr(err->message, says) || !strstr(err->message, path))
        fail_msg("'%s' does not say '%s'", err->message, says);
}

static void
create_needs_a_new_file(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autofree char *elsewhere = g_build_filename(place->dir, "no", "db", NULL);
    must(file_write(place->db, "precious", -1, &err));

    assert_null(store_create(place->db, &err));
    assert_non_null(strstr(err->message, "exists"));
    g_clear_error(&err);
    g_autofree char *still = file_read(place->db, 100, NULL, &err);
    assert_string_equal(still, "precious");
    assert_null(store_create(elsewhere, &err));
    assert_non_null(strstr(err->message, elsewhere));
}

static void
other_files_are_refused(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autofree char *text = g_strnfill(5000, 'x');

    for (int write = 0; write <= 1; write++) {
        refuse(place->db, write, "No such file");
        refuse(place->dir, write, "not a file");
    }
    must(file_write(place->db, text, -1, &err));
    refuse(place->db, false, "not a database");
    refuse(place->db, true, "not a database");
    must(file_write(place->db, "", 0, &err));
    refuse(place->db, false, "not a database of vsweep");
}

/* Refused, named, and not changed. */
static void
foreign_database(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    const int fd = g_creat(place->db, 0600);

    close(fd);
    sql_do(place->db, "PRAGMA application_id = 252006673"); /* fossil */
    g_autofree char *mode = sql_text(place->db, "PRAGMA journal_mode");
    g_autofree char *before = file_sha256(place->db, &err);
    refuse(place->db, false, "0xf055111");
    refuse(place->db, true, "0xf055111");
    g_autofree char *after = file_sha256(place->db, &err);
    assert_string_equal(before, after);
    sql_says(place->db, "PRAGMA journal_mode", mode);
}

static void
other_versions(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_create(place->db, &err);
    must(store);

    g_clear_pointer(&store, store_close);
    sql_do(place->db, "PRAGMA user_version = 2");
    refuse(place->db, false, "newer vsweep (format 2, this one knows 1)");
    refuse(place->db, true, "newer vsweep");
    sql_do(place->db, "PRAGMA user_version = 0");
    refuse(place->db, false, "older vsweep");
}

/* -------------------------------------------------------- while and after */

static bool
is_there(const Place *place, const char *suffix)
{
    g_autofree char *path = g_strconcat(place->db, suffix, NULL);

    return access(path, F_OK) == 0;
}

/* A reader sees what is committed and blocks nobody. */
static void
read_while_it_is_written(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) writer = store_with_cells(place->db, &err);
    must(writer);
    g_autoptr(Store) reader = store_open(place->db, false, &err);
    must(reader);

    for (guint block = 1; block <= 5; block++) {
        g_autoptr(Attempt) attempt = full_attempt(block, 0, block);
        gint64 id = 0;
        must(store_put_attempt(writer, attempt, &id, &err));
        g_autoptr(GPtrArray) runs = store_runs(reader, &err);
        must(runs);
        assert_int_equal(runs->len, block);
    }
    assert_false(store_set(reader, "seed", "1", &err));
    assert_non_null(strstr(err->message, "cannot write"));
}

static void
at_rest_it_is_one_file(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);

    assert_true(is_there(place, "-wal")); /* while it is open */
    g_clear_pointer(&store, store_close);
    assert_false(is_there(place, "-wal") || is_there(place, "-shm"));
    store = store_open(place->db, false, &err);
    must(store);
    g_autoptr(GPtrArray) cells = store_cells(store, &err);
    must(cells);
    g_clear_pointer(&store, store_close);
    /* Nor does a reader leave anything. */
    assert_false(is_there(place, "-wal") || is_there(place, "-shm"));
}

static void
resumed_store_is_safe_again(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);

    g_clear_pointer(&store, store_close);
    store = store_open(place->db, true, &err);
    must(store);
    sql_says(place->db, "PRAGMA journal_mode", "wal");
    g_autoptr(Attempt) stray = full_attempt(1, 7, 0); /* no such cell */
    gint64 id = 0;
    assert_false(store_put_attempt(store, stray, &id, &err));
    assert_non_null(strstr(err->message, "FOREIGN KEY"));
}

static void
second_writer_waits_its_turn(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;
    g_autoptr(Store) first = store_with_cells(place->db, &err);
    must(first);
    g_autoptr(Store) second = store_open(place->db, true, &err);
    must(second);

    must(store_set(first, "a", "1", &err));
    must(store_set(second, "b", "2", &err));
    must(store_set(first, "c", "3", &err));
    g_clear_pointer(&first, store_close); /* the other one is still there */
    must(store_set(second, "d", "4", &err));
    g_autoptr(GHashTable) facts = store_facts(second);
    assert_int_equal(g_hash_table_size(facts), 4);
}

/* ---------------------------------------------------- read-only directory */

static void
set_writable(const Place *place, bool writable)
{
    const unsigned long flags = MS_REMOUNT | (writable ? 0 : MS_RDONLY);

    assert_int_equal(mount(NULL, place->dir, NULL, flags, NULL), 0);
}

static void
read_in_a_read_only_directory(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;

    own_mount(place, "size=16m");
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);
    g_clear_pointer(&store, store_close);

    set_writable(place, false);
    store = store_open(place->db, false, &err);
    must(store);
    g_autoptr(GPtrArray) cells = store_cells(store, &err);
    must(cells);
    assert_int_equal(cells->len, 3);
    g_clear_pointer(&store, store_close);
    refuse(place->db, true, "cannot write");
    umount2(place->dir, MNT_DETACH);
}

/* In WAL mode without a log, as after a copy of the file alone. */
static void
wal_database_in_a_read_only_directory(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;

    own_mount(place, "size=16m");
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    must(store);
    g_clear_pointer(&store, store_close);
    sql_do(place->db, "PRAGMA journal_mode = WAL");
    assert_false(is_there(place, "-wal"));

    set_writable(place, false);
    store = store_open(place->db, false, &err);
    must(store);
    g_autoptr(GPtrArray) cells = store_cells(store, &err);
    must(cells);
    assert_int_equal(cells->len, 3);
    g_clear_pointer(&store, store_close);
    umount2(place->dir, MNT_DETACH);
}

/* With a log but without its index nobody can read it there; it must not be
 * read without what is in the log. */
static void
log_in_a_read_only_directory(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) err = NULL;

    own_mount(place, "size=16m");
    g_autoptr(Store) store = store_with_cells(place->db, &err);
    g_autofree char *wal = g_strconcat(place->db, "-wal", NULL);
    g_autofree char *kept = NULL;
    gsize length = 0;
    must(store);
    must(kept = file_read(wal, 1 << 24, &length, &err));
    g_clear_pointer(&store, store_close);
    sql_do(place->db, "PRAGMA journal_mode = WAL");
    must(file_write(wal, kept, (gssize) length, &err));

    set_writable(place, false);
    assert_false(is_there(place, "-shm"));
    refuse(place->db, false, "copy both");
    umount2(place->dir, MNT_DETACH);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(create_needs_a_new_file),
        TEST(other_files_are_refused),
        TEST(foreign_database),
        TEST(other_versions),
        TEST(read_while_it_is_written),
        TEST(at_rest_it_is_one_file),
        TEST(resumed_store_is_safe_again),
        TEST(second_writer_waits_its_turn),
        TEST(read_in_a_read_only_directory),
        TEST(wal_database_in_a_read_only_directory),
        TEST(log_in_a_read_only_directory),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
