/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The database as a file: making, opening, closing; and the facts and times
 * of the whole sweep.
 *
 * While vsweep writes, the database is in WAL mode, so that status and report
 * can read beside it.  When it closes, the file goes back to a rollback
 * journal: a finished sweep is one plain file that can be copied, archived
 * and read from a directory nobody may write to.
 */
#include "data/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <glib/gstdio.h>
#include "base/log.h"
#include "data/store-sql.h"

/* "vswp": tells file(1) and other programs, and us, whose database it is. */
#define APPLICATION_ID 0x76737770
/* Of schema.sql.  A change of it is a new number. */
#define SCHEMA_VERSION 1
/* How long to wait for another process's transaction; ours take less than
 * 100 ms, so 10 s means that something is wrong. */
#define BUSY_MS 10000

/* src/data/schema.sql, linked in by the Makefile. */
extern const char _binary_src_data_schema_sql_start[];
extern const char _binary_src_data_schema_sql_end[];

static Store *
open_connection(const char *path, const char *name, int flags, GError **err)
{
    g_autoptr(Store) store = g_new0(Store, 1);

    store->path = g_strdup(path);
    store->write = (flags & SQLITE_OPEN_READWRITE) != 0;
    if (sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_EXRESCODE,
                        NULL) != SQLITE_OK) {
        store_fail(store, store->write, err);
        return NULL;
    }
    /* A database from elsewhere must not run what it brings along. */
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    return g_steal_pointer(&store);
}

/* FULL: what is committed survives a power cut, also in WAL mode. */
static bool
prepare_to_write(Store *store, GError **err)
{
    return store_exec(store,
                      "PRAGMA journal_mode = WAL;"
                      "PRAGMA synchronous = FULL;"
                      "PRAGMA foreign_keys = ON",
                      err);
}

static bool
read_pragma(Store *store, const char *sql, gint64 *ret_value, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(store, sql, err);
    bool row = false;

    if (!stmt || !store_next(store, stmt, &row, err))
        return false;
    *ret_value = sqlite3_column_int64(stmt, 0);
    return true;
}

static bool
check_identity(Store *store, GError **err)
{
    gint64 application = 0, version = 0;

    if (!read_pragma(store, "PRAGMA application_id", &application, err) ||
        !read_pragma(store, "PRAGMA user_version", &version, err))
        return false;
    if (application != APPLICATION_ID)
        return vs_fail(err,
                       "'%s' is not a database of vsweep (its application id "
                       "is %#x, not %#x)",
                       store->path, (guint) application, APPLICATION_ID);
    if (version > SCHEMA_VERSION)
        return vs_fail(err,
                       "'%s' was written by a newer vsweep (format %d, this "
                       "one knows %d); use that one",
                       store->path, (int) version, SCHEMA_VERSION);
    if (version < SCHEMA_VERSION)
        return vs_fail(err,
                       "'%s' was written by an older vsweep (format %d, this "
                       "one knows %d); use that one",
                       store->path, (int) version, SCHEMA_VERSION);
    return true;
}

/* ------------------------------------------------------------------ making */

static bool
write_schema(Store *store, GError **err)
{
    const char *start = _binary_src_data_schema_sql_start;
    /* The linker's two ends of one text. */
    /* cppcheck-suppress comparePointers */
    const gsize length = (gsize) (_binary_src_data_schema_sql_end - start);
    g_autofree char *schema = g_strndup(start, length);
    g_autofree char *identity =
        g_strdup_printf("PRAGMA application_id = %d; PRAGMA user_version = %d",
                        APPLICATION_ID, SCHEMA_VERSION);

    if (!store_begin(store, err))
        return false;
    const bool ok =
        store_exec(store, schema, err) && store_exec(store, identity, err);
    return store_end(store, ok, err);
}

/* Claims the name, so that of two sweeps one loses here. */
static bool
claim_path(const char *path, GError **err)
{
    const int fd = g_open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);

    if (fd < 0)
        return vs_fail_errno(err, errno, "cannot create '%s'", path);
    close(fd);
    return true;
}

Store *
store_create(const char *path, GError **err)
{
    if (!claim_path(path, err))
        return NULL;
    g_autoptr(Store) store =
        open_connection(path, path, SQLITE_OPEN_READWRITE, err);
    if (!store || !prepare_to_write(store, err) || !write_schema(store, err)) {
        g_clear_pointer(&store, store_close);
        g_unlink(path);
        return NULL;
    }
    return g_steal_pointer(&store);
}

/* ----------------------------------------------------------------- opening */

/* Whether committed attempts may be in a log beside the database. */
static bool
has_log(const char *path)
{
    g_autofree char *log = g_strconcat(path, "-wal", NULL);
    struct stat st;

    return stat(log, &st) == 0 && st.st_size > 0;
}

/* A database in WAL mode needs files beside it even to be read.  Where they
 * cannot be made, SQLite can be told that nobody will change the file, which
 * is true: whoever writes it has made them. */
static Store *
open_unchanging(const char *path, GError **err)
{
    g_autofree char *escaped = g_uri_escape_string(path, "/", FALSE);
    g_autofree char *uri = g_strdup_printf("file:%s?immutable=1", escaped);

    if (has_log(path)) {
        vs_fail(err,
                "cannot read '%s': a killed sweep left '%s-wal' and the "
                "directory cannot be written; copy both to one that can",
                path, path);
        return NULL;
    }
    return open_connection(path, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                           err);
}

static Store *
open_to_read(const char *path, GError **err)
{
    g_autoptr(Store) store =
        open_connection(path, path, SQLITE_OPEN_READONLY, err);
    gint64 ignored = 0;

    if (!store)
        return NULL;
    if (read_pragma(store, "PRAGMA user_version", &ignored, NULL))
        return g_steal_pointer(&store);
    const int code = sqlite3_errcode(store->db) & 0xff;
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY) {
        store_fail(store, false, err);
        return NULL;
    }
    return open_unchanging(path, err);
}

static Store *
open_to_write(const char *path, GError **err)
{
    g_autoptr(Store) store =
        open_connection(path, path, SQLITE_OPEN_READWRITE, err);

    if (!store)
        return NULL;
    /* SQLite falls back to reading by itself. */
    if (sqlite3_db_readonly(store->db, "main") == 1) {
        vs_fail_errno(err, EACCES, "cannot write '%s'", path);
        return NULL;
    }
    return g_steal_pointer(&store);
}

Store *
store_open(const char *path, bool write, GError **err)
{
    struct stat st;

    if (stat(path, &st) < 0) {
        vs_fail_errno(err, errno, "cannot open results '%s'", path);
        return NULL;
    }
    if (!S_ISREG(st.st_mode)) {
        vs_fail(err, "cannot open results '%s': not a file", path);
        return NULL;
    }
    g_autoptr(Store) store =
        write ? open_to_write(path, err) : open_to_read(path, err);
    /* Identity first: another program's file is not to be touched. */
    if (!store || !check_identity(store, err) ||
        (write && !prepare_to_write(store, err)))
        return NULL;
    return g_steal_pointer(&store);
}

void
store_close(Store *store)
{
    if (!store)
        return;
    /* Where a reader is still there this fails at once and without harm: the
     * database stays in WAL mode. */
    if (store->write) {
        sqlite3_busy_timeout(store->db, 0);
        sqlite3_exec(store->db, "PRAGMA journal_mode = DELETE", NULL, NULL,
                     NULL);
    }
    sqlite3_close(store->db);
    g_free(store->path);
    g_free(store);
}

/* ------------------------------------------------------------------- facts */

bool
store_set(Store *store, const char *key, const char *value, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt =
        store_prepare(store,
                      "INSERT INTO fact (key, value) VALUES (?, ?)"
                      " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                      err);

    if (!stmt)
        return false;
    store_bind_text(stmt, 1, key);
    store_bind_text(stmt, 2, value);
    return store_run(store, stmt, err);
}

bool
store_set_all(Store *store, GHashTable *facts, GError **err)
{
    GHashTableIter iter = {0};
    gpointer key = NULL, value = NULL;
    bool ok = true;

    if (!store_begin(store, err))
        return false;
    g_hash_table_iter_init(&iter, facts);
    while (ok && g_hash_table_iter_next(&iter, &key, &value))
        ok = store_set(store, key, value, err);
    return store_end(store, ok, err);
}

/* Adds the facts a statement yields (key, value) to a table. */
static bool
collect_facts(Store *store, sqlite3_stmt *stmt, GHashTable *facts, GError **err)
{
    bool row = false;

    while (store_next(store, stmt, &row, err)) {
        if (!row)
            return true;
        g_hash_table_insert(facts, store_text(stmt, 0), store_text(stmt, 1));
    }
    return false;
}

GHashTable *
store_facts(Store *store)
{
    GHashTable *facts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(sqlite3_stmt) stmt =
        store_prepare(store, "SELECT key, value FROM fact", &error);

    if (!stmt || !collect_facts(store, stmt, facts, &error))
        log_warning("%s", error->message);
    return facts;
}

char *
store_get(Store *store, const char *key)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sqlite3_stmt) stmt =
        store_prepare(store, "SELECT value FROM fact WHERE key = ?", &error);
    bool row = false;

    if (stmt)
        store_bind_text(stmt, 1, key);
    if (!stmt || !store_next(store, stmt, &row, &error)) {
        log_warning("%s", error->message);
        return NULL;
    }
    return row ? store_text(stmt, 0) : NULL;
}
