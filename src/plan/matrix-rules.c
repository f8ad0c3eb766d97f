/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys matrix, baseline, best, exclude and include: settings, their levels,
 * and which combinations of them are meant.
 */
#include <string.h>
#include "plan/design.h"
#include "plan/matrix-parse.h"

/* With more levels of one setting no design fits a sweep. */
#define LEVELS_MAX DESIGN_CELLS_MAX
/* The keys of a rule that are no settings: exclude's and include's. */
static const char WHY[] = "why";
static const char LABEL[] = "label";

/* ----------------------------------------------------------------- matrix */

/* A level as it stands; guest.cmdline has '' as one. */
static const char *
level_text(Parse *parse, const Setting *setting, const YamlNode *node)
{
    if (node->type == YAML_SCALAR && !node->plain && !*node->text)
        return node->text;
    return parse_text(parse, setting->name, node);
}

/* A bad level is kept all the same, so that what names it elsewhere is not
 * complained about a second time. */
static void
parse_level(Parse *parse, Factor *factor, const YamlNode *node)
{
    const Setting *setting = factor->setting;
    const char *level = NULL;
    g_autoptr(GError) error = NULL;
    int other = -1;

    if (node->type == YAML_MAPPING) {
        yaml_problems_add(parse->problems, node,
                          "%s: a level made of several settings is not "
                          "available yet in this version; name the cells with "
                          "design: list and include",
                          setting->name);
        return;
    }
    level = level_text(parse, setting, node);
    if (!level)
        return;
    other = factor_level(factor, level);
    if (other >= 0) {
        yaml_problems_add(parse->problems, node,
                          "%s: '%s' is the same level as '%s' before it: "
                          "remove one of the two",
                          setting->name, level,
                          (char *) factor->levels->pdata[other]);
        return;
    }
    if (!setting_check_level(setting, level, &error))
        yaml_problems_add(parse->problems, node, "%s", error->message);
    g_ptr_array_add(factor->levels, g_strdup(level));
}

/* Takes the factor over when it varies, else keeps its level. */
static void
add_factor(Matrix *matrix, Factor *given)
{
    g_autoptr(Factor) factor = given;

    if (factor->levels->len >= 2)
        g_ptr_array_add(matrix->factors, g_steal_pointer(&factor));
    else if (factor->levels->len == 1)
        rule_add(matrix->fixed, factor->setting, factor->levels->pdata[0]);
}

static void
parse_factor(Parse *parse, const YamlNode *key, const YamlNode *value)
{
    const Setting *setting = setting_find(key->text);
    g_autoptr(Factor) factor = factor_new(setting);

    if (!setting) {
        if (g_str_has_prefix(key->text, "xpath:"))
            yaml_problems_add(parse->problems, key,
                              "xpath: settings are not available yet in this "
                              "version; edit the domain template");
        else
            parse_unknown(parse, key, NULL, "setting", setting_names());
        return;
    }
    if (rule_level(parse->matrix->fixed, setting)) {
        yaml_problems_add(parse->problems, key,
                          "%s is given under guest already: keep one of the "
                          "two",
                          setting->name);
        return;
    }
    if (!parse_is_list(parse, setting->name, value, "[LEVEL, LEVEL]"))
        return;
    if (parse_list_length(value) > LEVELS_MAX) {
        yaml_problems_add(parse->problems, value,
                          "%s: more than %d levels: split the matrix",
                          setting->name, LEVELS_MAX);
        return;
    }
    for (guint i = 0; i < parse_list_length(value); i++)
        parse_level(parse, factor, parse_list_entry(value, i));
    add_factor(parse->matrix, g_steal_pointer(&factor));
}

void
parse_matrix(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    if (!parse_is_mapping(parse, row->title, value,
                          "{disk.cache: [none, writeback]}"))
        return;
    for (guint i = 0; i < value->keys->len; i++)
        parse_factor(parse, parse_key_node(value, i), value->values->pdata[i]);
}

/* ------------------------------------------------------------------ rules */

/* "none, writeback": the levels a setting has in the matrix. */
static char *
levels_text(const Matrix *matrix, const Setting *setting)
{
    const Factor *factor = matrix_factor(matrix, setting, NULL);
    GString *text = NULL;

    if (!factor)
        return g_strdup(rule_level(matrix->fixed, setting));
    text = g_string_new(NULL);
    for (guint i = 0; i < factor->levels->len; i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "",
                               (char *) factor->levels->pdata[i]);
    return g_string_free(text, FALSE);
}

/* A level of a setting as rules name it: the setting varies in the matrix and
 * has the level, or is held at it.  NULL after a complaint. */
static const char *
known_level(Parse *parse, const char *title, const Setting *setting,
            const YamlNode *node)
{
    const Factor *factor = matrix_factor(parse->matrix, setting, NULL);
    const char *held = rule_level(parse->matrix->fixed, setting);
    const char *level = level_text(parse, setting, node);
    g_autofree char *all = NULL;

    if (!level)
        return NULL;
    if (factor && factor_level(factor, level) >= 0)
        return factor->levels->pdata[factor_level(factor, level)];
    if (held && level_same(setting, held, level))
        return held;
    all = levels_text(parse->matrix, setting);
    yaml_problems_add(parse->problems, node,
                      "%s: '%s' is no level of %s in this matrix, which has "
                      "%s: use one of these, or add it under matrix",
                      title, level, setting->name, all);
    return NULL;
}

/* Whether the matrix says anything of this setting. */
static bool
in_matrix(const Parse *parse, const Setting *setting)
{
    return matrix_factor(parse->matrix, setting, NULL) ||
           rule_level(parse->matrix->fixed, setting);
}

void
parse_complain_absent(Parse *parse, const char *title, const YamlNode *key)
{
    const YamlNode *matrix = yaml_get(parse->root, "matrix");

    if (matrix && matrix->type == YAML_MAPPING && !yaml_get(matrix, key->text))
        yaml_problems_add(parse->problems, key,
                          "%s: %s is not in this matrix: add it under matrix, "
                          "or remove it here",
                          title, key->text);
}

void
parse_complain_setting(Parse *parse, const char *title, const char *own,
                       const YamlNode *key)
{
    g_autoptr(GPtrArray) known = g_ptr_array_new();

    if (own)
        g_ptr_array_add(known, (gpointer) own);
    for (gsize i = 0; setting_names()[i]; i++)
        g_ptr_array_add(known, (gpointer) setting_names()[i]);
    g_ptr_array_add(known, NULL);
    parse_unknown(parse, key, title, "setting",
                  (const char *const *) known->pdata);
}

/* One setting: level pair of a rule.  Those of include may be of settings
 * that are not in the matrix, and other levels of those held at one. */
static void
parse_condition(Parse *parse, const char *title, const char *own, Rule *rule,
                const YamlNode *key, const YamlNode *value)
{
    const Setting *setting = setting_find(key->text);
    g_autoptr(GError) error = NULL;
    const char *level = NULL;

    if (!setting) {
        parse_complain_setting(parse, title, own, key);
    } else if (value->type == YAML_SEQUENCE) {
        yaml_problems_add(parse->problems, value,
                          "%s: %s has a list here: write one entry a level",
                          title, setting->name);
    } else if (own == LABEL && !matrix_factor(parse->matrix, setting, NULL)) {
        level = level_text(parse, setting, value);
        if (level && !setting_check_level(setting, level, &error))
            yaml_problems_add(parse->problems, value, "%s", error->message);
    } else if (in_matrix(parse, setting)) {
        level = known_level(parse, title, setting, value);
    } else {
        parse_complain_absent(parse, title, key);
    }
    if (level)
        rule_add(rule, setting, level);
}

/* A level for some of the settings of this matrix; NULL after a complaint. */
static Rule *
parse_levels(Parse *parse, const char *title, const YamlNode *value,
             const char *example)
{
    Rule *rule = NULL;

    if (!parse_is_mapping(parse, title, value, example))
        return NULL;
    rule = rule_new();
    for (guint i = 0; i < value->keys->len; i++)
        parse_condition(parse, title, NULL, rule, parse_key_node(value, i),
                        value->values->pdata[i]);
    return rule;
}

void
parse_best(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    parse->matrix->best =
        parse_levels(parse, row->title, value, "{disk.cache: writeback}");
}

void
parse_baseline(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    Matrix *matrix = parse->matrix;
    g_autoptr(Rule) rule =
        parse_levels(parse, row->title, value, "{disk.cache: none}");

    if (!rule)
        return;
    for (guint i = 0; i < matrix->factors->len; i++) {
        Factor *factor = matrix->factors->pdata[i];
        const char *level = rule_level(rule, factor->setting);

        if (level)
            factor->baseline = (guint) factor_level(factor, level);
    }
    matrix->baseline_given = true;
}

/* A label is the name of a cell: in file names, filters and reports. */
static bool
check_label(Parse *parse, const char *label, const YamlNode *where)
{
    static const char *const taken[] = {"aa", "host", "host-matched", NULL};

    if (g_strv_contains(taken, label))
        yaml_problems_add(parse->problems, where,
                          "label: '%s' is the name of a cell that vsweep adds "
                          "itself: choose another",
                          label);
    else if (!*label || strlen(label) > 64 ||
             label[strspn(label,
                          G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+-")] ||
             !g_ascii_isalnum(*label))
        yaml_problems_add(parse->problems, where,
                          "label: '%s' is not accepted: a label is at most "
                          "64 letters, digits, '.', '_', '+' and '-', and "
                          "begins with a letter or digit",
                          label);
    else
        return true;
    return false;
}

static void
parse_label(Parse *parse, Rule *rule, const YamlNode *value)
{
    const char *label = parse_text(parse, "label", value);

    if (!label || !check_label(parse, label, value))
        return;
    for (guint i = 0; i < parse->matrix->includes->len; i++) {
        const Rule *other = parse->matrix->includes->pdata[i];

        if (g_strcmp0(other->label, label) == 0)
            yaml_problems_add(parse->problems, value,
                              "label: '%s' names another cell already: choose "
                              "another",
                              label);
    }
    rule->label = g_strdup(label);
}

/* One mapping of a list of rules, whose own key is `own`. */
static Rule *
parse_rule(Parse *parse, const char *title, const char *own,
           const YamlNode *node)
{
    g_autoptr(Rule) rule = rule_new();

    for (guint i = 0; i < node->keys->len; i++) {
        const YamlNode *key = parse_key_node(node, i);
        const YamlNode *value = node->values->pdata[i];

        if (strcmp(key->text, own) != 0)
            parse_condition(parse, title, own, rule, key, value);
        else if (own == LABEL)
            parse_label(parse, rule, value);
        else
            rule->why = g_strdup(parse_text(parse, WHY, value));
    }
    return g_steal_pointer(&rule);
}

static void
parse_rules(Parse *parse, const KeyRow *row, const YamlNode *value,
            const char *own, GPtrArray *rules, const char *example)
{
    g_autofree char *list = g_strdup_printf("[%s]", example);

    if (!parse_is_list(parse, row->title, value, list))
        return;
    for (guint i = 0; i < parse_list_length(value); i++) {
        const YamlNode *entry = parse_list_entry(value, i);
        guint before = parse->problems->lines->len;
        g_autoptr(Rule) rule = NULL;

        if (!parse_is_mapping(parse, row->title, entry, example))
            continue;
        rule = parse_rule(parse, row->title, own, entry);
        if (rule->settings->len || parse->problems->lines->len > before)
            g_ptr_array_add(rules, g_steal_pointer(&rule));
        else
            yaml_problems_add(parse->problems, entry,
                              "%s: this names no setting: write at least one "
                              "SETTING: LEVEL",
                              row->title);
    }
}

void
parse_exclude(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    parse_rules(parse, row, value, WHY, parse->matrix->excludes,
                "{disk.cache: unsafe, why: already known}");
}

void
parse_include(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    parse_rules(parse, row, value, LABEL, parse->matrix->includes,
                "{disk.prealloc: metadata, label: thin}");
}
