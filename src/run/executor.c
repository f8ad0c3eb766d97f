/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every executor has in common: see executor.h. */
#include "run/executor.h"

Attempt *
executor_attempt(Executor *executor, const Cell *cell, const Slot *slot)
{
    return executor->methods->attempt(executor, cell, slot);
}

gint64
executor_now(const Executor *executor)
{
    return executor->methods->now(executor);
}

GHashTable *
executor_facts(const Executor *executor)
{
    GHashTable *facts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    g_hash_table_replace(facts, g_strdup("accel"), g_strdup(executor->accel));
    g_hash_table_replace(facts, g_strdup("accel.why"),
                         g_strdup(executor->accel_why));
    g_hash_table_replace(facts, g_strdup("version.vsweep"),
                         g_strdup(VS_VERSION));
    executor->methods->facts(executor, facts);
    return facts;
}

void
executor_free(Executor *executor)
{
    if (!executor)
        return;
    g_free(executor->accel_why);
    g_free(executor->key);
    executor->methods->free(executor);
}
