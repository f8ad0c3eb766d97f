/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of a model: what holds for which cells.  Every key of a rule that
 * is not one of its own is a setting with its level.
 */
#include <math.h>
#include <string.h>
#include "run/model-parse.h"
#include "run/results.h"

/* A hundred times slower or faster; more is a slip of the finger. */
#define EFFECT_MAX 100.0
/* Of stolen time: the window would have no end. */
#define SHARE_MAX 0.99

void
model_rule_free(ModelRule *rule)
{
    if (!rule)
        return;
    rule_free(rule->where);
    g_free(rule->cell);
    g_free(rule->words);
    g_free(rule);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(ModelRule, model_rule_free)

static ModelRule *
rule_of(Parse *parse)
{
    return ((ModelParse *) parse)->rule;
}

/* ------------------------------------------------------ a rule's own keys */

static void
parse_cell(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    rule_of(parse)->cell = g_strdup(parse_text(parse, row->title, value));
}

static void
parse_workload(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    const char *name = parse_text(parse, row->title, value);
    const WorkloadInfo *info = name ? catalogue_workload(name) : NULL;
    g_autoptr(GPtrArray) known = g_ptr_array_new();

    if (name && strcmp(name, results_boot.name) == 0)
        info = &results_boot;
    rule_of(parse)->workload = info;
    if (!name || info)
        return;
    while ((info = catalogue_next(info)))
        g_ptr_array_add(known, (gpointer) info->name);
    g_ptr_array_add(known, (gpointer) results_boot.name);
    g_ptr_array_add(known, NULL);
    parse_unknown(parse, value, row->title, "workload",
                  (const char *const *) known->pdata);
}

static void
parse_metric(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    rule_of(parse)->metric = model_parse_metric(parse, row->title, value);
}

static void
parse_slower(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    double ratio = 0;

    if (model_parse_ratio(parse, row->title, value, EFFECT_MAX, &ratio))
        rule_of(parse)->amount -= log1p(ratio);
}

static void
parse_faster(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    double ratio = 0;

    if (model_parse_ratio(parse, row->title, value, EFFECT_MAX, &ratio))
        rule_of(parse)->amount += log1p(ratio);
}

static void
parse_chance(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    model_parse_ratio(parse, row->title, value, 1, &rule_of(parse)->chance);
}

static void
parse_share(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    model_parse_ratio(parse, row->title, value, SHARE_MAX,
                      &rule_of(parse)->amount);
}

static void
parse_rate(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    model_parse_ratio(parse, row->title, value, 1, &rule_of(parse)->amount);
}

static void
parse_words(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    rule_of(parse)->words = g_strdup(parse_text(parse, row->title, value));
}

/* Not what a run is without a failure, what the gates find, or a signal. */
static bool
is_failure(Outcome outcome)
{
    return outcome != OUTCOME_OK && outcome != OUTCOME_INVALID &&
           outcome != OUTCOME_INTERRUPTED;
}

static void
parse_outcome(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    const char *name = parse_text(parse, row->title, value);
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    Outcome outcome = OUTCOME_OK;

    if (!name)
        return;
    if (outcome_parse(name, &outcome) && is_failure(outcome)) {
        rule_of(parse)->outcome = outcome;
        return;
    }
    for (Outcome o = 0; o < OUTCOME_MAX; o++)
        if (is_failure(o))
            g_ptr_array_add(known, (gpointer) outcome_name(o));
    g_ptr_array_add(known, NULL);
    parse_unknown(parse, value, row->title, "outcome",
                  (const char *const *) known->pdata);
}

/* ---------------------------------------------------------------- a rule */

/* A kind of rules: its own keys, of which one must be there. */
typedef struct RuleKind {
    const KeyRow *own;
    const char *needed[3]; /* one of these; ends at NULL */
    const char *example;
} RuleKind;

static void
parse_condition(Parse *parse, const KeyRow *row, const RuleKind *kind,
                const YamlNode *key, const YamlNode *value)
{
    const Setting *setting = setting_find(key->text);
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    bool empty = value->type == YAML_SCALAR && !value->plain && !*value->text;
    const char *level = NULL;

    if (!setting) {
        for (const KeyRow *own = kind->own; own->key; own++)
            g_ptr_array_add(known, (gpointer) own->key);
        for (gsize i = 0; setting_names()[i]; i++)
            g_ptr_array_add(known, (gpointer) setting_names()[i]);
        g_ptr_array_add(known, NULL);
        parse_unknown(parse, key, row->title, "key",
                      (const char *const *) known->pdata);
        return;
    }
    level = empty ? value->text : parse_text(parse, setting->name, value);
    if (!level)
        return;
    if (setting_check_level(setting, level, &error))
        rule_add(rule_of(parse)->where, setting, level);
    else
        yaml_problems_add(parse->problems, value, "%s: %s", row->title,
                          error->message);
}

static const KeyRow *
own_key(const RuleKind *kind, const char *key)
{
    for (const KeyRow *own = kind->own; own->key; own++)
        if (strcmp(own->key, key) == 0)
            return own;
    return NULL;
}

/* Complains unless just one of the keys that say what happens is there. */
static void
check_needed(Parse *parse, const KeyRow *row, const RuleKind *kind,
             const YamlNode *node)
{
    guint found = 0;

    for (gsize i = 0; kind->needed[i]; i++)
        found += yaml_get(node, kind->needed[i]) != NULL;
    if (found == 1)
        return;
    if (kind->needed[1])
        yaml_problems_add(parse->problems, node,
                          "%s: either %s or %s belongs here: write an entry "
                          "such as %s",
                          row->title, kind->needed[0], kind->needed[1],
                          kind->example);
    else
        yaml_problems_add(parse->problems, node,
                          "%s: %s is missing: write an entry such as %s",
                          row->title, kind->needed[0], kind->example);
}

static void
parse_rule(Parse *parse, const KeyRow *row, const RuleKind *kind,
           const YamlNode *node)
{
    for (guint i = 0; i < node->keys->len; i++) {
        const YamlNode *key = parse_key_node(node, i);
        const KeyRow *own = own_key(kind, key->text);

        if (own)
            own->parse(parse, own, node->values->pdata[i]);
        else
            parse_condition(parse, row, kind, key, node->values->pdata[i]);
    }
    check_needed(parse, row, kind, node);
}

static void
parse_rules(Parse *parse, const KeyRow *row, const YamlNode *value,
            const RuleKind *kind, GPtrArray *rules)
{
    for (guint i = 0; i < parse_list_length(value); i++) {
        const YamlNode *entry = parse_list_entry(value, i);
        g_autoptr(ModelRule) rule = g_new0(ModelRule, 1);

        rule->where = rule_new();
        rule->chance = 1;
        rule->line = entry->line;
        if (!parse_is_mapping(parse, row->title, entry, kind->example))
            continue;
        ((ModelParse *) parse)->rule = rule;
        parse_rule(parse, row, kind, entry);
        g_ptr_array_add(rules, g_steal_pointer(&rule));
    }
}

/* ------------------------------------------------------- the kinds of them */

void
model_parse_effects(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const KeyRow own[] = {
        {"cell", "effects.cell", parse_cell, NULL},
        {"workload", "effects.workload", parse_workload, NULL},
        {"metric", "effects.metric", parse_metric, NULL},
        {"slower", "effects.slower", parse_slower, NULL},
        {"faster", "effects.faster", parse_faster, NULL},
        {0},
    };
    static const RuleKind kind = {
        own, {"slower", "faster"}, "{disk.cache: writeback, slower: 5%}"};

    parse_rules(parse, row, value, &kind,
                ((ModelParse *) parse)->model->effects);
}

void
model_parse_steal(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const KeyRow own[] = {
        {"cell", "steal.cell", parse_cell, NULL},
        {"chance", "steal.chance", parse_chance, NULL},
        {"share", "steal.share", parse_share, NULL},
        {0},
    };
    static const RuleKind kind = {own, {"share"}, "{chance: 5%, share: 12%}"};

    parse_rules(parse, row, value, &kind, ((ModelParse *) parse)->model->steal);
}

void
model_parse_clock_skew(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const KeyRow own[] = {
        {"cell", "clock_skew.cell", parse_cell, NULL},
        {"chance", "clock_skew.chance", parse_chance, NULL},
        {"rate", "clock_skew.rate", parse_rate, NULL},
        {0},
    };
    static const RuleKind kind = {own, {"rate"}, "{chance: 5%, rate: 2%}"};

    parse_rules(parse, row, value, &kind,
                ((ModelParse *) parse)->model->clock_skew);
}

void
model_parse_fail(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const KeyRow own[] = {
        {"cell", "fail.cell", parse_cell, NULL},
        {"chance", "fail.chance", parse_chance, NULL},
        {"outcome", "fail.outcome", parse_outcome, NULL},
        {"words", "fail.words", parse_words, NULL},
        {0},
    };
    static const RuleKind kind = {
        own, {"outcome"}, "{disk.bus: sata, chance: 50%, outcome: hang}"};

    parse_rules(parse, row, value, &kind, ((ModelParse *) parse)->model->fail);
}

void
model_parse_unsupported(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const KeyRow own[] = {
        {"cell", "unsupported.cell", parse_cell, NULL},
        {"why", "unsupported.why", parse_words, NULL},
        {0},
    };
    static const RuleKind kind = {
        own, {"why"}, "{disk.bus: ide, why: not on this machine}"};

    parse_rules(parse, row, value, &kind,
                ((ModelParse *) parse)->model->unsupported);
}

bool
model_rule_holds(const ModelRule *rule, const Design *design, const Cell *cell)
{
    const Rule *where = rule->where;

    if (rule->cell && strcmp(rule->cell, cell->name) != 0)
        return false;
    if (!cell_is_guest(cell))
        return where->settings->len == 0; /* it has no settings */
    for (guint i = 0; i < where->settings->len; i++) {
        const Setting *setting = where->settings->pdata[i];

        if (!level_same(setting, design_level(design, cell, setting),
                        where->levels->pdata[i]))
            return false;
    }
    return true;
}
