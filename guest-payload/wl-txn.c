/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * db.txn: SQLite, one row per transaction, synchronous=FULL, in the rollback
 * journal or the write-ahead log.  A fixed number of transactions; each is
 * timed.  SQLite allocates inside a transaction; that belongs to it.
 *
 * Every row is a function of the run's seed and its number, so check reads
 * the table through a fresh connection and compares all of it.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest-payload/blocks.h"
#include "guest-payload/workload.h"

extern const Workload wl_txn;

#define BODY_BYTES 96  /* of a row: about forty rows fill a page */
#define WARM_UP_ROWS 5 /* one unmeasured iteration; they stay in the table */

/* In the order of the parameter's choices. */
static const char *const journal_modes[] = {"delete", "wal"};
static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};

typedef struct Txn {
    char path[PATH_MAX];
    sqlite3 *db;
    sqlite3_stmt *insert;
    int64_t next; /* number of the next row */
    Hist hist;
} Txn;

static bool
db_failed(const Txn *state, const char *what, Fail *fail)
{
    int system = state->db ? sqlite3_system_errno(state->db) : 0;
    const char *text = state->db ? sqlite3_errmsg(state->db) : "no memory";

    fail_set(fail, 0, "db.txn: %s: %s", what, text);
    fail->errnum = system;
    return false;
}

static void
close_db(Txn *state)
{
    sqlite3_finalize(state->insert);
    sqlite3_close(state->db);
    state->insert = NULL;
    state->db = NULL;
}

static void
remove_files(const Txn *state)
{
    char path[PATH_MAX + 16];

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", state->path, suffixes[i]);
        unlink(path);
    }
}

/* SQLite answers with the mode it uses, which must be the one asked for. */
static bool
set_journal(Txn *state, const char *mode, Fail *fail)
{
    char sql[64];
    sqlite3_stmt *pragma = NULL;

    snprintf(sql, sizeof(sql), "PRAGMA journal_mode=%s", mode);
    bool ok =
        sqlite3_prepare_v2(state->db, sql, -1, &pragma, NULL) == SQLITE_OK &&
        sqlite3_step(pragma) == SQLITE_ROW &&
        strcmp((const char *) sqlite3_column_text(pragma, 0), mode) == 0;
    sqlite3_finalize(pragma);
    return ok || db_failed(state, "cannot set the journal mode", fail);
}

static bool
setup(Run *run, Fail *fail)
{
    uint64_t journal = params_get(&run->params, "journal");
    Txn *state = calloc(1, sizeof(*state));

    if (!state)
        return fail_set(fail, ENOMEM, "cannot set up db.txn");
    run->state = state;
    snprintf(state->path, sizeof(state->path), "%.*s/txn.db", PATH_MAX - 16,
             run->dir);
    remove_files(state);
    if (sqlite3_open_v2(state->path, &state->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                        NULL) != SQLITE_OK)
        return db_failed(state, state->path, fail);
    if (!set_journal(state, journal_modes[journal], fail))
        return false;
    if (sqlite3_exec(state->db,
                     "PRAGMA synchronous=FULL;"
                     "CREATE TABLE txn (id INTEGER PRIMARY KEY, key INTEGER,"
                     " body BLOB)",
                     NULL, NULL, NULL) != SQLITE_OK)
        return db_failed(state, "cannot make the table", fail);
    if (sqlite3_prepare_v2(state->db, "INSERT INTO txn VALUES (?, ?, ?)", -1,
                           &state->insert, NULL) != SQLITE_OK)
        return db_failed(state, "cannot prepare", fail);
    return true;
}

/* The content of row `number`. */
static int64_t
make_row(uint64_t seed, int64_t number, unsigned char body[BODY_BYTES])
{
    uint64_t state = seed + (uint64_t) number;
    int64_t key = (int64_t) splitmix64(&state);

    random_fill(state, body, BODY_BYTES);
    return key;
}

/* One transaction: the statement is its own. */
static bool
insert_row(Txn *state, uint64_t seed)
{
    unsigned char body[BODY_BYTES];
    int64_t key = make_row(seed, state->next, body);

    sqlite3_bind_int64(state->insert, 1, state->next);
    sqlite3_bind_int64(state->insert, 2, key);
    sqlite3_bind_blob(state->insert, 3, body, BODY_BYTES, SQLITE_STATIC);
    bool ok = sqlite3_step(state->insert) == SQLITE_DONE;
    if (sqlite3_reset(state->insert) != SQLITE_OK)
        ok = false;
    state->next += ok;
    return ok;
}

static bool
warm_up(Run *run, Fail *fail)
{
    Txn *state = run->state;

    for (int i = 0; i < WARM_UP_ROWS; i++)
        if (!insert_row(state, run->seed))
            return db_failed(state, "cannot insert", fail);
    return true;
}

static bool
insert_rows(Run *run, uint64_t rows)
{
    Txn *state = run->state;
    int64_t now = run->t0;

    while (rows-- && !stop_requested()) {
        if (!insert_row(state, run->seed))
            return false;
        int64_t after = raw_ns();
        hist_add(&state->hist, (uint64_t) (after - now));
        now = after;
    }
    return true;
}

static bool
measure(Run *run, Fail *fail)
{
    Txn *state = run->state;

    if (!window_open(run, "run", false, fail))
        return false;
    if (!insert_rows(run, params_get(&run->params, "rows")))
        return db_failed(state, "cannot insert", fail);
    if (!window_close(run, (int64_t) state->hist.n, fail))
        return false;
    result_sample(run, "db.txn.rate", window_rate(run, (double) state->hist.n),
                  (int64_t) state->hist.n);
    result_hist(run, "db.txn.lat", &state->hist);
    return true;
}

static bool
row_matches(sqlite3_stmt *select, uint64_t seed, int64_t number)
{
    unsigned char body[BODY_BYTES];
    int64_t key = make_row(seed, number, body);

    return sqlite3_column_int64(select, 0) == number &&
           sqlite3_column_int64(select, 1) == key &&
           sqlite3_column_bytes(select, 2) == BODY_BYTES &&
           memcmp(sqlite3_column_blob(select, 2), body, BODY_BYTES) == 0;
}

static bool
compare_rows(const Txn *state, sqlite3_stmt *select, uint64_t seed,
             int64_t want, Fail *fail)
{
    int64_t number = 0;
    int code;

    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
        if (!row_matches(select, seed, number))
            return fail_set(fail, EILSEQ,
                            "db.txn: row %lld is not what was "
                            "inserted",
                            (long long) number);
        number++;
    }
    if (code != SQLITE_DONE)
        return db_failed(state, "cannot read the table", fail);
    if (number != want)
        return fail_set(fail, EILSEQ,
                        "db.txn: the table has %lld rows, %lld "
                        "were inserted",
                        (long long) number, (long long) want);
    return true;
}

static bool
check(Run *run, Fail *fail)
{
    Txn *state = run->state;
    int64_t want = (int64_t) params_get(&run->params, "rows") + WARM_UP_ROWS;
    sqlite3_stmt *select = NULL;

    close_db(state);
    if (sqlite3_open_v2(state->path, &state->db, SQLITE_OPEN_READWRITE, NULL) !=
            SQLITE_OK ||
        sqlite3_prepare_v2(state->db,
                           "SELECT id, key, body FROM txn ORDER BY id", -1,
                           &select, NULL) != SQLITE_OK)
        return db_failed(state, "cannot read the table", fail);
    bool ok = compare_rows(state, select, run->seed, want, fail);
    sqlite3_finalize(select);
    return ok;
}

static void
teardown(Run *run)
{
    Txn *state = run->state;

    if (!state)
        return;
    close_db(state);
    if (state->path[0])
        remove_files(state);
    free(state);
}

const Workload wl_txn = {
    .name = "db.txn",
    .setup = setup,
    .warm_up = warm_up,
    .run = measure,
    .check = check,
    .teardown = teardown,
};
