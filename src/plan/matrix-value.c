/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of a matrix file: texts, words, sizes, counts, paths and lists, and
 * the complaints about those that are none.
 */
#include <string.h>
#include "base/suggest.h"
#include "base/units.h"
#include "plan/matrix-parse.h"

static const char *
type_name(const YamlNode *node)
{
    static const char *const names[] = {
        [YAML_SCALAR] = "a single value",
        [YAML_SEQUENCE] = "a list",
        [YAML_MAPPING] = "a mapping",
    };

    return names[node->type];
}

/* "key:" with nothing behind it, and YAML's words for nothing. */
static bool
is_null(const YamlNode *node)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL", NULL};

    return node->type == YAML_SCALAR && node->plain &&
           g_strv_contains(words, node->text);
}

const YamlNode *
parse_key_node(const YamlNode *mapping, guint index)
{
    return mapping->keys->pdata[index];
}

void
parse_unknown(Parse *parse, const YamlNode *where, const char *title,
              const char *kind, const char *const *known)
{
    const char *nearest = suggest_name(where->text, known);
    g_autofree char *all = g_strjoinv(", ", (char **) known);
    g_autofree char *begin =
        g_strdup_printf("%s%sunknown %s '%s'", title ? title : "",
                        title ? ": " : "", kind, where->text);

    if (nearest)
        yaml_problems_add(parse->problems, where, "%s; did you mean '%s'?",
                          begin, nearest);
    else
        yaml_problems_add(parse->problems, where, "%s; known are %s", begin,
                          all);
}

static const KeyRow *
find_row(const KeyRow *rows, const char *key)
{
    for (const KeyRow *row = rows; row->key; row++)
        if (strcmp(row->key, key) == 0)
            return row;
    return NULL;
}

static void
complain_key(Parse *parse, const char *title, const YamlNode *key,
             const KeyRow *rows)
{
    const KeyRow *row = find_row(rows, key->text);
    g_autoptr(GPtrArray) known = g_ptr_array_new();

    if (row && row->parse)
        return;
    if (row) {
        yaml_problems_add(parse->problems, key,
                          "%s is not available yet in this version; %s",
                          row->title, row->instead);
        return;
    }
    for (row = rows; row->key; row++)
        if (row->parse)
            g_ptr_array_add(known, (gpointer) row->key);
    g_ptr_array_add(known, NULL);
    parse_unknown(parse, key, title, "key", (const char *const *) known->pdata);
}

void
parse_keys(Parse *parse, const char *title, const YamlNode *mapping,
           const KeyRow *rows)
{
    for (guint i = 0; i < mapping->keys->len; i++)
        complain_key(parse, title, mapping->keys->pdata[i], rows);
    for (const KeyRow *row = rows; row->key; row++) {
        const YamlNode *value = yaml_get(mapping, row->key);

        if (!value || !row->parse)
            continue;
        if (is_null(value) && !value->refused)
            yaml_problems_add(parse->problems, value,
                              "%s has no value: write one, or remove the key",
                              row->title);
        else
            row->parse(parse, row, value);
    }
}

const char *
parse_text(Parse *parse, const char *title, const YamlNode *node)
{
    if (node->type != YAML_SCALAR)
        yaml_problems_add(parse->problems, node,
                          "%s is %s here: write one "
                          "value",
                          title, type_name(node));
    else if (is_null(node) || !*node->text)
        yaml_problems_add(parse->problems, node,
                          "%s has no value: write one, or remove it", title);
    else if (strpbrk(node->text, "\n\t"))
        yaml_problems_add(parse->problems, node,
                          "%s has line breaks or tabs: write it in one line",
                          title);
    else if (!node->refused)
        return node->text;
    return NULL;
}

bool
parse_choice(Parse *parse, const char *title, const YamlNode *node,
             const Choice *choices, int *ret_value)
{
    const char *word = parse_text(parse, title, node);
    g_autoptr(GPtrArray) known = g_ptr_array_new();

    if (!word)
        return false;
    for (const Choice *choice = choices; choice->word; choice++) {
        if (choice->value != LATER)
            g_ptr_array_add(known, (gpointer) choice->word);
        if (strcmp(choice->word, word) != 0)
            continue;
        if (choice->value == LATER) {
            yaml_problems_add(parse->problems, node,
                              "%s: %s is not available yet in this version; "
                              "%s",
                              title, word, choice->instead);
            return false;
        }
        *ret_value = choice->value;
        return true;
    }
    g_ptr_array_add(known, NULL);
    parse_unknown(parse, node, title, "word",
                  (const char *const *) known->pdata);
    return false;
}

bool
parse_size(Parse *parse, const char *title, const YamlNode *node,
           guint64 *ret_bytes)
{
    const char *text = parse_text(parse, title, node);
    g_autoptr(GError) error = NULL;

    if (!text)
        return false;
    if (units_parse_size(text, ret_bytes, &error))
        return true;
    yaml_problems_add(parse->problems, node, "%s: %s", title, error->message);
    return false;
}

bool
parse_count(Parse *parse, const char *title, const YamlNode *node, guint64 min,
            guint64 max, guint *ret_count)
{
    const char *text = parse_text(parse, title, node);
    g_autoptr(GError) error = NULL;
    guint64 count = 0;

    if (!text)
        return false;
    if (!units_parse_count(text, min, max, &count, &error)) {
        yaml_problems_add(parse->problems, node, "%s: %s", title,
                          error->message);
        return false;
    }
    *ret_count = (guint) count;
    return true;
}

char *
parse_path(Parse *parse, const char *title, const YamlNode *node)
{
    const char *text = parse_text(parse, title, node);

    return text ? g_canonicalize_filename(text, parse->dir) : NULL;
}

guint
parse_list_length(const YamlNode *node)
{
    return node->type == YAML_SEQUENCE ? node->values->len : 1;
}

const YamlNode *
parse_list_entry(const YamlNode *node, guint index)
{
    return node->type == YAML_SEQUENCE ? node->values->pdata[index] : node;
}

bool
parse_is_mapping(Parse *parse, const char *title, const YamlNode *node,
                 const char *example)
{
    if (node->type == YAML_MAPPING)
        return true;
    yaml_problems_add(parse->problems, node,
                      "%s is %s here: write a mapping such as %s", title,
                      type_name(node), example);
    return false;
}

bool
parse_is_list(Parse *parse, const char *title, const YamlNode *node,
              const char *example)
{
    if (node->type != YAML_MAPPING && parse_list_length(node) > 0)
        return true;
    yaml_problems_add(
        parse->problems, node, "%s is %s here: write a list such as %s", title,
        node->type == YAML_MAPPING ? type_name(node) : "empty", example);
    return false;
}
