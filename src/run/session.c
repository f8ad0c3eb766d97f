/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the database keeps about a sweep: see session.h. */
#include <string.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/units.h"
#include "run/session.h"

char *
session_key(const Design *design, const Executor *executor,
            const SweepOptions *options)
{
    const Matrix *matrix = design->matrix;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree char *domain =
        file_read(matrix->domain_path, G_MAXINT32, NULL, NULL);
    g_autofree char *seed =
        options->seed_given
            ? g_strdup_printf("%" G_GUINT64_FORMAT, options->seed)
            : g_strdup("");
    /* --blocks: a number of blocks is chosen before a sweep, not within. */
    g_autofree char *blocks =
        g_strdup_printf("%u-%u", design->blocks_min, design->blocks_max);
    const char *const parts[] = {matrix->text,
                                 domain ? domain : "",
                                 matrix->quick ? "quick" : "",
                                 options->only ? options->only : "",
                                 executor->key,
                                 blocks,
                                 seed};

    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
        g_checksum_update(sum, (const guchar *) parts[i],
                          (gssize) strlen(parts[i]) + 1);
    return g_strdup(g_checksum_get_string(sum));
}

static const char *
yes_no(bool yes)
{
    return yes ? "yes" : "no";
}

static char *
baseline_text(const Matrix *matrix)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];

        g_string_append_printf(
            text, "%s%s=%s", i ? " " : "", factor->setting->name,
            (const char *) factor->levels->pdata[factor->baseline]);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static char *
primary_text(const Matrix *matrix)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < matrix->primary->len; i++) {
        const MetricInfo *metric = matrix->primary->pdata[i];

        g_string_append_printf(text, "%s%s", i ? " " : "", metric->id);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static char *
workloads_text(const Matrix *matrix)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < matrix->workloads->len; i++) {
        const WorkloadUse *use = matrix->workloads->pdata[i];

        g_string_append_printf(text, "%s%s", i ? " " : "", use->info->name);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static StoreCell *
store_cell(const Design *design, const Cell *cell)
{
    StoreCell *row = g_new0(StoreCell, 1);

    row->index = cell->index;
    row->name = g_strdup(cell->name);
    row->kind = g_strdup(cell_kind_name(cell->kind));
    row->state = g_strdup(cell_state_name(cell->state));
    row->why = g_strdup(cell->why);
    row->baseline = cell->baseline;
    row->settings = g_ptr_array_new_with_free_func(g_free);
    row->levels = g_ptr_array_new_with_free_func(g_free);
    for (const Setting *s = setting_table; s->name; s++) {
        if (!cell_is_guest(cell))
            break;
        g_ptr_array_add(row->settings, g_strdup(s->name));
        g_ptr_array_add(row->levels, g_strdup(design_level(design, cell, s)));
    }
    return row;
}

static bool
put_cells(Store *store, const Design *design, GError **err)
{
    g_autoptr(GPtrArray) cells =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_cell_free);

    for (guint i = 0; i < design->cells->len; i++)
        g_ptr_array_add(cells, store_cell(design, design->cells->pdata[i]));
    return store_put_design(store, cells, err);
}

static bool
put_factors(Store *store, const Matrix *matrix, GError **err)
{
    g_autoptr(GPtrArray) rows =
        g_ptr_array_new_with_free_func((GDestroyNotify) store_factor_free);

    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];
        StoreFactor *row = g_new0(StoreFactor, 1);

        row->setting = g_strdup(factor->setting->name);
        row->levels = g_ptr_array_new_with_free_func(g_free);
        for (guint l = 0; l < factor->levels->len; l++)
            g_ptr_array_add(row->levels, g_strdup(factor->levels->pdata[l]));
        row->baseline = factor->baseline;
        g_ptr_array_add(rows, row);
    }
    return store_put_factors(store, rows, err);
}

static const char *
hygiene_name(Hygiene hygiene)
{
    static const char *const names[] = {"quick", "normal", "strict"};

    return names[hygiene];
}

bool
session_write(Store *store, const Design *design, const Executor *executor,
              const SweepOptions *options, GError **err)
{
    const Matrix *matrix = design->matrix;
    const Cell *best = design_best(design);
    g_autoptr(GHashTable) facts = executor_facts(executor);
    g_autofree char *key = session_key(design, executor, options);
    g_autofree char *seed =
        g_strdup_printf("%" G_GUINT64_FORMAT, options->seed);
    g_autofree char *least = g_strdup_printf("%u", design->blocks_min);
    g_autofree char *most = g_strdup_printf("%u", design->blocks_max);
    g_autofree char *precision =
        matrix->precision > 0 ? g_strdup_printf("%g", matrix->precision) : NULL;
    g_autofree char *budget =
        options->budget_ns ? units_format_duration(options->budget_ns) : NULL;
    g_autofree char *baseline = baseline_text(matrix);
    g_autofree char *primary = primary_text(matrix);
    g_autofree char *workloads = workloads_text(matrix);
    g_autofree char *created = clock_wall_iso();
    g_autofree char *uncrossed = matrix->uncrossed->settings->len
                                     ? matrix_rule_text(matrix->uncrossed)
                                     : NULL;
    const struct {
        const char *key, *value;
    } rows[] = {
        {"sweep.key", key},
        {"matrix.path", matrix->path},
        {"matrix.text", matrix->text},
        {"matrix.name", matrix->name},
        {"question", matrix->question},
        {"seed", seed},
        {"quick", yes_no(matrix->quick)},
        {"only", options->only},
        {"design", design_kind_name(design->kind)},
        {"design.uncrossed", uncrossed},
        {"blocks.min", least},
        {"blocks.max", most},
        {"blocks.planned", most},
        {"precision", precision},
        {"budget", budget},
        {"baseline", baseline},
        {"baseline.given", yes_no(matrix->baseline_given)},
        {"best", best ? best->name : NULL},
        {"primary", primary},
        {"workloads", workloads},
        {"hygiene", hygiene_name(matrix->hygiene)},
        {"allow_unsafe", yes_no(matrix->allow_unsafe)},
        {"created", created},
        {"status", "running"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].value)
            g_hash_table_replace(facts, g_strdup(rows[i].key),
                                 g_strdup(rows[i].value));
    return store_set_all(store, facts, err) && put_cells(store, design, err) &&
           put_factors(store, matrix, err);
}

bool
session_restore(Store *store, Design *design, GError **err)
{
    g_autoptr(GPtrArray) cells = store_cells(store, err);
    g_autofree char *best = store_get(store, "best");
    g_autofree CellRecord *records = NULL;
    bool changed = false;

    if (!cells)
        return false;
    records = g_new0(CellRecord, cells->len + 1);
    for (guint i = 0; i < cells->len; i++) {
        const StoreCell *cell = cells->pdata[i];

        records[i] = (CellRecord){
            .name = cell->name,
            .kind = cell->kind,
            .state = cell->state,
            .why = cell->why,
            .baseline = cell->baseline,
            .best = g_strcmp0(cell->name, best) == 0,
            .settings = cell->settings,
            .levels = cell->levels,
        };
    }
    if (!design_restore(design, records, cells->len, &changed, err)) {
        g_prefix_error(err, "this sweep cannot be resumed; start anew with "
                            "--new: ");
        return false;
    }
    if (changed)
        log_note("going on with the cells that the sweep began with: this "
                 "version of vsweep would choose others");
    return true;
}

bool
session_check(Store *store, const Executor *executor, bool *ret_same,
              GError **err)
{
    g_autoptr(GHashTable) now = executor_facts(executor);
    g_autofree char *before = store_get(store, "session");
    bool same = g_strcmp0(g_hash_table_lookup(now, "session"), before) == 0;

    if (!same && !store_set_all(store, now, err))
        return false;
    *ret_same = same;
    return store_set(store, "status", "running", err);
}
