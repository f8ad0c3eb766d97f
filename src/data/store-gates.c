/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many measured windows were disturbed, by the validity gate that failed.
 * A breach that voided its attempt is that attempt's reason; here are those
 * that were noted only.
 */
#include "data/store-sql.h"

/* A breach reads "steal: 6.1 % of 2 vCPUs (limit 5 %)". */
static const char select_gates[] =
    "SELECT iif(instr(w.breach, ':') > 0,"
    "           substr(w.breach, 1, instr(w.breach, ':') - 1),"
    "           w.breach) AS gate, count(*) AS windows"
    " FROM window AS w JOIN attempt AS a ON a.id = w.attempt"
    " WHERE a.discarded IS NULL AND a.outcome = 'ok'"
    " GROUP BY gate ORDER BY gate IS NULL, windows DESC, gate";

void
store_gate_free(StoreGate *gate)
{
    if (!gate)
        return;
    g_free(gate->id);
    g_free(gate);
}

GPtrArray *
store_gates(Store *store, GError **err)
{
    g_autoptr(sqlite3_stmt) stmt = store_prepare(store, select_gates, err);
    g_autoptr(GPtrArray) gates =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_gate_free);
    bool row = false;

    if (!stmt)
        return NULL;
    for (;;) {
        if (!store_next(store, stmt, &row, err))
            return NULL;
        if (!row)
            break;
        StoreGate *gate = g_new0(StoreGate, 1);
        gate->id = store_text(stmt, 0);
        gate->windows = (guint) sqlite3_column_int64(stmt, 1);
        g_ptr_array_add(gates, gate);
    }
    return g_steal_pointer(&gates);
}
