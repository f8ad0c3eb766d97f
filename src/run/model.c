/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models: the file as a whole, numbers and metrics.  See model.h. */
#include <math.h>
#include <string.h>
#include "base/file.h"
#include "base/units.h"
#include "run/model-parse.h"
#include "run/results.h"

/* What a metric yields of which the model says nothing, in its unit. */
#define DEFAULT_VALUE 1000.0

bool
model_parse_ratio(Parse *parse, const char *title, const YamlNode *node,
                  double max, double *ret_ratio)
{
    const char *text = parse_text(parse, title, node);
    g_autoptr(GError) error = NULL;
    double ratio = 0;

    if (!text)
        return false;
    if (!units_parse_ratio(text, &ratio, &error)) {
        yaml_problems_add(parse->problems, node, "%s: %s", title,
                          error->message);
        return false;
    }
    if (!(ratio >= 0 && ratio <= max)) {
        yaml_problems_add(parse->problems, node,
                          "%s: '%s' is not between 0%% and %g%%", title, text,
                          100 * max);
        return false;
    }
    *ret_ratio = ratio;
    return true;
}

static const MetricInfo *
find_metric(const char *id)
{
    if (strcmp(id, results_boot.metrics[0].id) == 0)
        return &results_boot.metrics[0];
    return catalogue_metric(id, NULL);
}

const MetricInfo *
model_parse_metric(Parse *parse, const char *title, const YamlNode *node)
{
    const char *id = parse_text(parse, title, node);
    const MetricInfo *metric = id ? find_metric(id) : NULL;
    g_autoptr(GPtrArray) known = g_ptr_array_new();

    if (!id || metric)
        return metric;
    for (const WorkloadInfo *w = NULL; (w = catalogue_next(w));)
        for (const MetricInfo *m = w->metrics; m->id; m++)
            g_ptr_array_add(known, (gpointer) m->id);
    g_ptr_array_add(known, (gpointer) results_boot.metrics[0].id);
    g_ptr_array_add(known, NULL);
    parse_unknown(parse, node, title, "metric",
                  (const char *const *) known->pdata);
    return NULL;
}

/* "500us", "500 us" or "500" for a metric in us. */
static bool
parse_metric_value(const char *text, const char *unit, double *ret_value)
{
    char *end = NULL;
    double value = g_ascii_strtod(text, &end);

    if (end == text || !isfinite(value) || value <= 0)
        return false;
    while (*end == ' ')
        end++;
    if (*end && strcmp(end, unit) != 0)
        return false;
    *ret_value = value;
    return true;
}

static void
parse_metrics(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    Model *model = ((ModelParse *) parse)->model;

    if (!parse_is_mapping(parse, row->title, value, "{fs.fsync.p50: 500us}"))
        return;
    for (guint i = 0; i < value->keys->len; i++) {
        const YamlNode *node = value->values->pdata[i];
        ModelMetric given = {
            .metric =
                model_parse_metric(parse, row->title, parse_key_node(value, i)),
        };
        const char *text =
            given.metric ? parse_text(parse, given.metric->id, node) : NULL;

        if (!text)
            continue;
        if (parse_metric_value(text, given.metric->unit, &given.value))
            g_array_append_val(model->metrics, given);
        else
            yaml_problems_add(parse->problems, node,
                              "%s: '%s' is not a value above 0 in %s",
                              given.metric->id, text, given.metric->unit);
    }
}

static void
parse_noise(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    model_parse_ratio(parse, row->title, value, 1,
                      &((ModelParse *) parse)->model->noise);
}

static void
parse_block(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    model_parse_ratio(parse, row->title, value, 1,
                      &((ModelParse *) parse)->model->block);
}

static void
parse_drift(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    model_parse_ratio(parse, row->title, value, 1,
                      &((ModelParse *) parse)->model->drift);
}

static void
parse_distribution(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const Choice shapes[] = {
        {"normal", DRAW_NORMAL, NULL},
        {"t3", DRAW_T3, NULL},
        {"lognormal", DRAW_LOGNORMAL, NULL},
        {"bimodal", DRAW_BIMODAL, NULL},
        {0},
    };
    int shape = DRAW_NORMAL;

    if (parse_choice(parse, row->title, value, shapes, &shape))
        ((ModelParse *) parse)->model->shape = (DrawShape) shape;
}

static const KeyRow model_keys[] = {
    {"noise", "noise", parse_noise, NULL},
    {"distribution", "distribution", parse_distribution, NULL},
    {"block", "block", parse_block, NULL},
    {"drift", "drift", parse_drift, NULL},
    {"metrics", "metrics", parse_metrics, NULL},
    {"effects", "effects", model_parse_effects, NULL},
    {"steal", "steal", model_parse_steal, NULL},
    {"clock_skew", "clock_skew", model_parse_clock_skew, NULL},
    {"fail", "fail", model_parse_fail, NULL},
    {"unsupported", "unsupported", model_parse_unsupported, NULL},
    {0},
};

static GPtrArray *
rules_new(void)
{
    return g_ptr_array_new_with_free_func((GDestroyNotify) model_rule_free);
}

static Model *
model_new(const char *text, const char *path)
{
    Model *model = g_new0(Model, 1);

    model->path = g_strdup(path);
    model->text = g_strdup(text);
    model->metrics = g_array_new(FALSE, FALSE, sizeof(ModelMetric));
    model->effects = rules_new();
    model->steal = rules_new();
    model->clock_skew = rules_new();
    model->fail = rules_new();
    model->unsupported = rules_new();
    return model;
}

/* `text` may hold NUL bytes, which are complained about. */
static Model *
parse_bytes(const char *text, gsize length, const char *path, GError **err)
{
    g_autoptr(YamlProblems) problems = yaml_problems_new(path);
    g_autoptr(YamlNode) root = yaml_parse(text, length, problems);
    g_autoptr(Model) model = model_new(text, path);
    ModelParse parse = {.base = {.problems = problems, .root = root},
                        .model = model};

    if (root && root->type != YAML_MAPPING)
        yaml_problems_add(problems, root,
                          "a model file is a mapping: write its keys one a "
                          "line, such as noise: 2%%");
    else if (root)
        parse_keys(&parse.base, NULL, root, model_keys);
    return yaml_problems_check(problems, err) ? g_steal_pointer(&model) : NULL;
}

Model *
model_parse(const char *text, const char *path, GError **err)
{
    return parse_bytes(text, strlen(text), path, err);
}

Model *
model_load(const char *path, GError **err)
{
    gsize length = 0;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = file_read(path, YAML_BYTES_MAX, &length, &error);

    if (text)
        return parse_bytes(text, length, path, err);
    vs_usage(err, "%s", error->message);
    return NULL;
}

double
model_value(const Model *model, const MetricInfo *metric)
{
    for (guint i = 0; i < model->metrics->len; i++) {
        const ModelMetric *given =
            &g_array_index(model->metrics, ModelMetric, i);

        if (given->metric == metric)
            return given->value;
    }
    return DEFAULT_VALUE;
}

void
model_free(Model *model)
{
    if (!model)
        return;
    g_free(model->path);
    g_free(model->text);
    g_array_unref(model->metrics);
    g_ptr_array_unref(model->effects);
    g_ptr_array_unref(model->steal);
    g_ptr_array_unref(model->clock_skew);
    g_ptr_array_unref(model->fail);
    g_ptr_array_unref(model->unsupported);
    g_free(model);
}
