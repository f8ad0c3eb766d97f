/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys workloads and primary of a matrix, checked against the catalogue.
 */
#include <string.h>
#include "base/units.h"
#include "plan/matrix-parse.h"

/* The parameter that says how much of the pre-filled work file is used. */
#define WORK_PARAM "file"
/* ext4's metadata and journal, its reserve for root, the payload and what
 * db.txn writes beside the work file stay inside a quarter of the disk. */
#define WORK_SHARE(bytes) ((bytes) / 4 * 3)
#define MEBIBYTE (G_GUINT64_CONSTANT(1) << 20)

/* Kinds of workload that are not rows of the catalogue. */
static const struct {
    const char *prefix, *instead;
} later[] = {
    {"fio", "use the fs workloads"},
    {"exec.", "use the workloads that `vsweep workloads` lists"},
};

static const char *const *
workload_names(void)
{
    static GPtrArray *names;

    if (!names) {
        names = g_ptr_array_new();
        for (const WorkloadInfo *info = NULL; (info = catalogue_next(info));)
            g_ptr_array_add(names, (gpointer) info->name);
        g_ptr_array_add(names, NULL);
    }
    return (const char *const *) names->pdata;
}

/* ------------------------------------------------------------- parameters */

/* A size in bytes or a duration in nanoseconds. */
static bool
param_number(const ParamInfo *param, const char *text, guint64 *ret_number,
             GError **err)
{
    gint64 ns = 0;

    if (param->type == PARAM_SIZE)
        return units_parse_size(text, ret_number, err);
    if (!units_parse_duration(text, &ns, err))
        return false;
    *ret_number = (guint64) ns;
    return true;
}

static bool
check_choice(const ParamInfo *param, const char *text, GError **err)
{
    g_auto(GStrv) words = g_strsplit(param->choices, " ", -1);
    g_autofree char *all = g_strjoinv(", ", words);

    if (g_strv_contains((const char *const *) words, text))
        return true;
    return vs_usage(err, "'%s' is not one of %s", text, all);
}

/* Bounds of counts are plain numbers, and named in the complaint by units. */
static bool
check_number(const ParamInfo *param, const char *text, GError **err)
{
    return units_parse_count(text, g_ascii_strtoull(param->min, NULL, 10),
                             g_ascii_strtoull(param->max, NULL, 10),
                             &(guint64){0}, err);
}

static bool
check_param(const ParamInfo *param, const char *text, GError **err)
{
    guint64 number = 0, min = 0, max = 0;

    if (param->type == PARAM_CHOICE)
        return check_choice(param, text, err);
    if (param->type == PARAM_COUNT)
        return check_number(param, text, err);
    if (!param_number(param, text, &number, err) ||
        !param_number(param, param->min, &min, err) ||
        !param_number(param, param->max, &max, err))
        return false;
    if (number < min || number > max)
        return vs_usage(err, "'%s' is not from %s to %s", text, param->min,
                        param->max);
    return true;
}

static void
complain_param(Parse *parse, const WorkloadInfo *info, const YamlNode *key)
{
    g_autoptr(GPtrArray) known = g_ptr_array_new();

    for (const ParamInfo *param = info->params; param->name; param++)
        g_ptr_array_add(known, (gpointer) param->name);
    g_ptr_array_add(known, NULL);
    parse_unknown(parse, key, info->name, "parameter",
                  (const char *const *) known->pdata);
}

static void
parse_param(Parse *parse, WorkloadUse *use, const YamlNode *key,
            const YamlNode *value)
{
    const ParamInfo *param = catalogue_param(use->info, key->text);
    g_autofree char *title = NULL;
    g_autoptr(GError) error = NULL;
    const char *text = NULL;
    gsize index = 0;

    if (!param) {
        complain_param(parse, use->info, key);
        return;
    }
    title = g_strdup_printf("%s of %s", param->name, use->info->name);
    text = parse_text(parse, title, value);
    if (!text)
        return;
    if (!check_param(param, text, &error)) {
        yaml_problems_add(parse->problems, value, "%s: %s", title,
                          error->message);
        return;
    }
    index = (gsize) (param - use->info->params);
    use->values[index] = g_strdup(text);
    use->given[index] = true;
}

static void
fill_defaults(WorkloadUse *use, bool quick)
{
    for (guint i = 0; use->info->params[i].name; i++) {
        const ParamInfo *param = &use->info->params[i];

        if (!use->values[i])
            use->values[i] = g_strdup(quick ? param->quick : param->normal);
    }
}

/* -------------------------------------------------------------- workloads */

static guint64
work_bytes(const WorkloadUse *use)
{
    const ParamInfo *param = catalogue_param(use->info, WORK_PARAM);
    guint64 bytes = 0;

    if (param && param->type == PARAM_SIZE)
        units_parse_size(use->values[param - use->info->params], &bytes, NULL);
    return bytes;
}

guint64
matrix_work_bytes(const Matrix *matrix)
{
    guint64 bytes = 0;

    for (guint i = 0; i < matrix->workloads->len; i++)
        bytes = MAX(bytes, work_bytes(matrix->workloads->pdata[i]));
    return bytes;
}

/* The smallest disk for a work file, in MiB. */
static guint64
disk_needed(guint64 work)
{
    return (work / 3 * 4 + MEBIBYTE + 3) / MEBIBYTE;
}

static void
check_work_file(Parse *parse, const WorkloadUse *use, const YamlNode *where)
{
    guint64 room = WORK_SHARE(parse->matrix->disk_bytes);
    guint64 bytes = work_bytes(use);
    g_autofree char *wants = NULL;

    if (bytes <= room)
        return;
    wants = units_format_size(bytes);
    yaml_problems_add(parse->problems, where,
                      "%s: a work file of %s does not fit into guest.disk "
                      "with a quarter of it left free: give guest.disk at "
                      "least %" G_GUINT64_FORMAT "M, or a smaller file",
                      use->info->name, wants, disk_needed(bytes));
}

static const WorkloadInfo *
find_workload(Parse *parse, const YamlNode *name)
{
    const WorkloadInfo *info = catalogue_workload(name->text);

    if (info)
        return info;
    parse->workloads_bad = true;
    for (gsize i = 0; i < G_N_ELEMENTS(later); i++)
        if (g_str_has_prefix(name->text, later[i].prefix)) {
            yaml_problems_add(parse->problems, name,
                              "%s is not available yet in this version; %s",
                              name->text, later[i].instead);
            return NULL;
        }
    parse_unknown(parse, name, NULL, "workload", workload_names());
    return NULL;
}

static bool
is_listed(const Matrix *matrix, const WorkloadInfo *info)
{
    for (guint i = 0; i < matrix->workloads->len; i++) {
        const WorkloadUse *use = matrix->workloads->pdata[i];

        if (use->info == info)
            return true;
    }
    return false;
}

/* `params` is NULL or the mapping of parameters. */
static void
add_workload(Parse *parse, const YamlNode *name, const YamlNode *params)
{
    const WorkloadInfo *info = find_workload(parse, name);
    const YamlNode *file = yaml_get(params, WORK_PARAM);
    WorkloadUse *use = NULL;

    if (!info)
        return;
    if (is_listed(parse->matrix, info)) {
        yaml_problems_add(parse->problems, name,
                          "%s is listed already: its figures could not be "
                          "told apart; keep one of the two",
                          info->name);
        return;
    }
    use = g_new0(WorkloadUse, 1);
    use->info = info;
    g_ptr_array_add(parse->matrix->workloads, use);
    for (guint i = 0; params && i < params->keys->len; i++)
        parse_param(parse, use, parse_key_node(params, i),
                    params->values->pdata[i]);
    fill_defaults(use, parse->matrix->quick);
    check_work_file(parse, use, file ? file : name);
}

static void
parse_workload(Parse *parse, const YamlNode *entry)
{
    const YamlNode *params = NULL;

    if (entry->type != YAML_MAPPING) {
        if (parse_text(parse, "workload", entry))
            add_workload(parse, entry, NULL);
        return;
    }
    if (entry->keys->len != 1) {
        yaml_problems_add(parse->problems, entry,
                          "a workload is its name alone, or one key and its "
                          "parameters: write - fs.fsync: {size: 4k}");
        return;
    }
    params = entry->values->pdata[0];
    if (params->type == YAML_SCALAR && params->plain && !*params->text)
        params = NULL; /* "- fs.fsync:" */
    else if (!catalogue_workload(parse_key_node(entry, 0)->text))
        params = NULL; /* the name is complained about, nothing else */
    else if (!parse_is_mapping(parse, parse_key_node(entry, 0)->text, params,
                               "{time: 5s}"))
        return;
    add_workload(parse, parse_key_node(entry, 0), params);
}

void
parse_workloads(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    if (!parse_is_list(parse, row->title, value, "[fs.fsync, db.txn]"))
        return;
    for (guint i = 0; i < parse_list_length(value); i++)
        parse_workload(parse, parse_list_entry(value, i));
}

/* ---------------------------------------------------------------- primary */

/* NULL-terminated ids of the metrics that the workloads yield. */
static GPtrArray *
metric_ids(const Matrix *matrix)
{
    GPtrArray *ids = g_ptr_array_new();

    for (guint i = 0; i < matrix->workloads->len; i++) {
        const WorkloadUse *use = matrix->workloads->pdata[i];

        for (const MetricInfo *metric = use->info->metrics; metric->id;
             metric++)
            g_ptr_array_add(ids, (gpointer) metric->id);
    }
    g_ptr_array_add(ids, NULL);
    return ids;
}

static void
parse_metric(Parse *parse, const YamlNode *node)
{
    const char *id = parse_text(parse, "primary", node);
    const WorkloadInfo *info = NULL;
    const MetricInfo *metric = id ? catalogue_metric(id, &info) : NULL;
    g_autoptr(GPtrArray) ids = NULL;

    if (!id)
        return;
    if (!metric) {
        ids = metric_ids(parse->matrix);
        if (ids->len > 1) /* else no workload is left to choose from */
            parse_unknown(parse, node, "primary", "metric",
                          (const char *const *) ids->pdata);
    } else if (!is_listed(parse->matrix, info)) {
        if (parse->workloads_bad)
            return;
        yaml_problems_add(parse->problems, node,
                          "primary: no workload of this matrix yields %s: add "
                          "%s to workloads",
                          id, info->name);
    } else if (g_ptr_array_find(parse->matrix->primary, metric, NULL)) {
        yaml_problems_add(parse->problems, node,
                          "primary: %s is listed already: remove one of the "
                          "two",
                          id);
    } else {
        g_ptr_array_add(parse->matrix->primary, (gpointer) metric);
    }
}

void
parse_primary(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    if (!parse_is_list(parse, row->title, value, "[fs.fsync.p50]"))
        return;
    for (guint i = 0; i < parse_list_length(value); i++)
        parse_metric(parse, parse_list_entry(value, i));
}

/* One per workload (METHOD 0.13): the catalogue's, else its first. */
void
parse_default_primary(Parse *parse)
{
    for (guint i = 0; i < parse->matrix->workloads->len; i++) {
        const WorkloadUse *use = parse->matrix->workloads->pdata[i];
        const MetricInfo *chosen = use->info->metrics;

        for (const MetricInfo *metric = use->info->metrics; metric->id;
             metric++)
            if (metric->primary) {
                chosen = metric;
                break;
            }
        g_ptr_array_add(parse->matrix->primary, (gpointer) chosen);
    }
}
