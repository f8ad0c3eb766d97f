/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The key pairs of a matrix: which two settings are measured together away
 * from the baseline, so that their interaction can be estimated.
 */
#include "plan/matrix-parse.h"

#define EXAMPLE "[[disk.cache, disk.io]]"

/* One setting of a pair, which must vary. */
static bool
parse_member(Parse *parse, const char *title, const YamlNode *node,
             guint *ret_factor)
{
    const Matrix *matrix = parse->matrix;
    const char *word = parse_text(parse, title, node);
    const Setting *setting = word ? setting_find(word) : NULL;

    if (!word)
        return false;
    if (!setting)
        parse_complain_setting(parse, title, NULL, node);
    else if (matrix_factor(matrix, setting, ret_factor))
        return true;
    else if (rule_level(matrix->fixed, setting))
        yaml_problems_add(parse->problems, node,
                          "%s: %s has one level in this matrix: add another "
                          "under matrix, or remove it here",
                          title, word);
    else
        parse_complain_absent(parse, title, node);
    return false;
}

static void
add_pair(Parse *parse, const char *title, const YamlNode *where, guint a,
         guint b)
{
    GArray *pairs = parse->matrix->pairs;
    const FactorPair pair = {MIN(a, b), MAX(a, b)};

    if (a == b) {
        yaml_problems_add(parse->problems, where,
                          "%s: this names the same setting twice: name two",
                          title);
        return;
    }
    for (guint i = 0; i < pairs->len; i++) {
        const FactorPair *other = &g_array_index(pairs, FactorPair, i);

        if (other->a == pair.a && other->b == pair.b) {
            yaml_problems_add(parse->problems, where,
                              "%s: this pair is there already: remove it",
                              title);
            return;
        }
    }
    g_array_append_val(pairs, pair);
}

static void
parse_pair(Parse *parse, const char *title, const YamlNode *node)
{
    guint a = 0, b = 0;
    bool good = true;

    if (node->type != YAML_SEQUENCE || parse_list_length(node) != 2) {
        yaml_problems_add(parse->problems, node,
                          "%s: an entry is a list of two settings, as in %s",
                          title, EXAMPLE);
        return;
    }
    /* Both are read, so that both complaints come out. */
    good = parse_member(parse, title, parse_list_entry(node, 0), &a);
    good &= parse_member(parse, title, parse_list_entry(node, 1), &b);
    if (good)
        add_pair(parse, title, node, a, b);
}

void
parse_pairs(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    DesignKind design = parse->matrix->design;

    if (design != DESIGN_AUTO && design != DESIGN_STAR_PAIRS)
        yaml_problems_add(parse->problems, value,
                          "pairs: this belongs to design: star+pairs: choose "
                          "that, or remove the key");
    if (!parse_is_list(parse, row->title, value, EXAMPLE))
        return;
    for (guint i = 0; i < parse_list_length(value); i++)
        parse_pair(parse, row->title, parse_list_entry(value, i));
}
