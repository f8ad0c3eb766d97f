/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The nodes of a YAML tree and the complaints about them: the part of yaml.h
 * that knows nothing of libyaml.
 */
#include <string.h>
#include "plan/yaml.h"

/* Beyond this nobody reads on; the rest is counted. */
#define PROBLEMS_SHOWN 100

YamlProblems *
yaml_problems_new(const char *file)
{
    YamlProblems *problems = g_new0(YamlProblems, 1);

    problems->file = g_strdup(file);
    problems->lines = g_ptr_array_new_with_free_func(g_free);
    problems->places = g_array_new(FALSE, FALSE, sizeof(guint64));
    return problems;
}

void
yaml_problems_free(YamlProblems *problems)
{
    if (!problems)
        return;
    g_free(problems->file);
    g_ptr_array_unref(problems->lines);
    g_array_unref(problems->places);
    g_free(problems);
}

static char *
place_text(const YamlProblems *problems, const YamlNode *where)
{
    if (where && where->origin)
        return g_strdup(where->origin);
    if (where && where->line)
        return g_strdup_printf("%s:%u:%u", problems->file, where->line,
                               where->column);
    return g_strdup(problems->file);
}

/* Texts of the file are quoted in complaints, and go to a terminal. */
static void
blank_controls(char *text)
{
    for (char *p = text; *p; p = g_utf8_next_char(p))
        if (g_unichar_iscntrl(g_utf8_get_char(p)))
            memset(p, '?', (gsize) (g_utf8_next_char(p) - p));
}

/* Behind all complaints of the same place or an earlier one. */
static guint
find_position(const YamlProblems *problems, guint64 place)
{
    guint position = problems->places->len;

    while (position > 0 &&
           g_array_index(problems->places, guint64, position - 1) > place)
        position--;
    return position;
}

void
yaml_problems_add(YamlProblems *problems, const YamlNode *where,
                  const char *format, ...)
{
    g_autofree char *place = NULL, *what = NULL, *raw = NULL;
    char *line = NULL;
    guint64 key = where ? (guint64) where->line << 32 | where->column : 0;
    guint position = 0;
    va_list args;

    if (where && where->refused)
        return;
    va_start(args, format);
    what = g_strdup_vprintf(format, args);
    va_end(args);
    place = place_text(problems, where);
    raw = g_strdup_printf("%s: %s", place, what);
    line = g_utf8_make_valid(raw, -1);
    blank_controls(line);
    position = find_position(problems, key);
    g_array_insert_val(problems->places, position, key);
    g_ptr_array_insert(problems->lines, (gint) position, line);
}

bool
yaml_problems_check(YamlProblems *problems, GError **err)
{
    g_autoptr(GString) all = g_string_new(NULL);
    guint shown = MIN(problems->lines->len, PROBLEMS_SHOWN);

    if (!problems->lines->len)
        return true;
    for (guint i = 0; i < shown; i++)
        g_string_append_printf(all, "%s%s", i ? "\n" : "",
                               (char *) problems->lines->pdata[i]);
    if (shown < problems->lines->len)
        g_string_append_printf(all, "\n%s: and %u more", problems->file,
                               problems->lines->len - shown);
    return vs_usage(err, "%s", all->str);
}

YamlNode *
yaml_node_new(YamlType type, guint line, guint column)
{
    YamlNode *node = g_new0(YamlNode, 1);
    GDestroyNotify free_node = (GDestroyNotify) yaml_node_free;

    node->type = type;
    node->line = line;
    node->column = column;
    if (type == YAML_MAPPING)
        node->keys = g_ptr_array_new_with_free_func(free_node);
    if (type != YAML_SCALAR)
        node->values = g_ptr_array_new_with_free_func(free_node);
    return node;
}

void
yaml_node_free(YamlNode *node)
{
    if (!node)
        return;
    g_clear_pointer(&node->keys, g_ptr_array_unref);
    g_clear_pointer(&node->values, g_ptr_array_unref);
    g_free(node->text);
    g_free(node->origin);
    g_free(node);
}

const YamlNode *
yaml_get(const YamlNode *mapping, const char *key)
{
    if (!mapping || mapping->type != YAML_MAPPING)
        return NULL;
    for (guint i = 0; i < mapping->keys->len; i++) {
        const YamlNode *candidate = mapping->keys->pdata[i];

        if (strcmp(candidate->text, key) == 0)
            return mapping->values->pdata[i];
    }
    return NULL;
}

void
yaml_set_origin(YamlNode *node, const char *origin)
{
    g_free(node->origin);
    node->origin = g_strdup(origin);
    for (guint i = 0; node->keys && i < node->keys->len; i++)
        yaml_set_origin(node->keys->pdata[i], origin);
    for (guint i = 0; node->values && i < node->values->len; i++)
        yaml_set_origin(node->values->pdata[i], origin);
}
