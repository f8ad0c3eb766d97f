/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * results.db: one SQLite file per sweep with everything about it (STRICT
 * tables, foreign keys, WAL, application_id, user_version; src/data/schema.sql
 * is the definition).  One transaction per attempt, so a killed run leaves
 * whole attempts only.
 */
#pragma once

#include <glib.h>
#include "base/error.h"
#include "data/attempt.h"

typedef struct Store Store;

/* Makes a new database; fails when the file exists. */
Store *store_create(const char *path, GError **err);
/* Opens one, for reading only unless `write`; another program's database or
 * another version's is refused by name. */
Store *store_open(const char *path, bool write, GError **err);
void store_close(Store *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Store, store_close)

/* Facts of the sweep: matrix.path, matrix.text, matrix.name, question, seed,
 * quick, design, design.uncrossed, blocks.min, blocks.max, blocks.planned,
 * blocks.added (after the sweep had ended), precision, budget, baseline, best
 * (a cell's name), created, status (running, finished, interrupted),
 * stop_reason (precision, max_blocks, time_budget, user, error), uri,
 * confinement, accel, accel.why, storage, payload.sha256, kernel, versions
 * (version.*), host facts (host.*), fingerprint ... */
bool store_set(Store *store, const char *key, const char *value, GError **err);
/* All facts of a table (name -> text) in one transaction. */
bool store_set_all(Store *store, GHashTable *facts, GError **err);
/* NULL when not set.  Caller frees. */
char *store_get(Store *store, const char *key);
/* Every fact: name -> text, owned by the table. */
GHashTable *store_facts(Store *store);

/* A cell of the design, as planned. */
typedef struct StoreCell {
    guint index;
    char *name, *kind, *state, *why; /* why may be NULL */
    bool baseline;
    GPtrArray *settings, *levels; /* char *: every setting it was given */
} StoreCell;

void store_cell_free(StoreCell *cell);
/* One transaction; factors in order with their levels (for reports). */
bool store_put_design(Store *store, const GPtrArray *cells, GError **err);
/* StoreCell *, in index order.  Free with g_ptr_array_unref. */
GPtrArray *store_cells(Store *store, GError **err);
bool store_set_cell_state(Store *store, guint index, const char *state,
                          const char *why, GError **err);

/* A swept setting: its levels in order, the baseline's index; secondary rows
 * such as primary metrics and workloads are facts. */
typedef struct StoreFactor {
    char *setting;
    GPtrArray *levels; /* char * */
    guint baseline;
} StoreFactor;
void store_factor_free(StoreFactor *factor);
bool store_put_factors(Store *store, const GPtrArray *factors, GError **err);
GPtrArray *store_factors(Store *store, GError **err);

/* Writes a whole attempt in one transaction; *ret_id is its row. */
bool store_put_attempt(Store *store, const Attempt *attempt, gint64 *ret_id,
                       GError **err);

/* What resuming needs: the attempts so far, without their contents. */
typedef struct StoreRun {
    gint64 id;
    guint block, pos, try, cell;
    Outcome outcome;
    char *reason;   /* or NULL */
    bool discarded; /* the block belongs to another session */
    gint64 part_ns[PART_MAX];
    gint64 boot_ns; /* resume to READY; 0: never */
    gint64 span_ns; /* begin to end */
} StoreRun;
void store_run_free(StoreRun *run);
/* StoreRun *, in order of id. */
GPtrArray *store_runs(Store *store, GError **err);
/* Marks all attempts of a block as discarded (reason "session"). */
bool store_discard_block(Store *store, guint block, GError **err);

/* Numbers for analysis: every value of attempts that are not discarded. */
typedef struct StoreValue {
    gint64 attempt;
    guint block, pos, try, cell;
    Outcome outcome;
    char *workload, *metric, *unit;
    bool higher_better;
    double value;
    gint64 n;
    bool valid;   /* the attempt is ok and the value valid */
    char *reason; /* or NULL */
} StoreValue;
void store_value_free(StoreValue *value);
GPtrArray *store_values(Store *store, GError **err);

/* Measured windows of the attempts that count (ok and not discarded), by the
 * validity gate that failed in them.  There it was noted only, or its attempt
 * would not be ok. */
typedef struct StoreGate {
    char *id; /* "steal"; NULL: no gate failed */
    guint windows;
} StoreGate;
void store_gate_free(StoreGate *gate);
/* StoreGate *, the most frequent first, windows without a breach last. */
GPtrArray *store_gates(Store *store, GError **err);

/* A whole attempt again, for `vsweep show`. NULL when there is none. */
Attempt *store_attempt(Store *store, gint64 id, GError **err);
/* Adds nanoseconds to a part of the sweep's own time (prepare, other). */
bool store_add_time(Store *store, Part part, gint64 ns, GError **err);
/* Sums over sweep and attempts, by part. */
bool store_times(Store *store, gint64 ret_ns[PART_MAX], GError **err);
