/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys design and pairs of a matrix: which combinations become cells, and
 * which settings are measured together away from the baseline.
 */
#include <string.h>
#include "plan/matrix-parse.h"

#define EXAMPLE "[[disk.cache, disk.io]]"
/* What stands before the settings that are crossed: full:SETTING,SETTING. */
#define CROSSED "full"

/* One setting of a pair or of full:, which must vary. */
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

/* ----------------------------------------------------------------- design */

/* A part of a value, from `begin` on, as a node that knows where it stands. */
static YamlNode *
part_node(const YamlNode *value, const char *begin, gsize length)
{
    g_autofree char *before =
        g_strndup(value->text, (gsize) (begin - value->text));
    YamlNode *node = yaml_node_new(YAML_SCALAR, value->line, value->column);

    node->column += (guint) g_utf8_strlen(before, -1) + !value->plain;
    node->text = g_strndup(begin, length);
    node->plain = true;
    if (value->origin)
        yaml_set_origin(node, value->origin);
    return node;
}

static void
add_crossed(Parse *parse, const char *title, const YamlNode *word)
{
    GArray *crossed = parse->matrix->crossed;
    guint factor = 0;

    if (!parse_member(parse, title, word, &factor))
        return;
    for (guint i = 0; i < crossed->len; i++)
        if (g_array_index(crossed, guint, i) == factor) {
            yaml_problems_add(parse->problems, word,
                              "%s: %s is named twice: remove one of the two",
                              title, word->text);
            return;
        }
    g_array_append_val(crossed, factor);
}

/* The settings behind "full:", with ',' and perhaps spaces between them. */
static void
parse_crossed(Parse *parse, const char *title, const YamlNode *value,
              const char *names)
{
    while (names) {
        const char *comma = strchrnul(names, ',');
        const char *begin = names + strspn(names, " ");
        gsize length = (gsize) (comma - begin);
        g_autoptr(YamlNode) word = NULL;

        while (length && begin[length - 1] == ' ')
            length--;
        word = part_node(value, begin, length);
        if (length)
            add_crossed(parse, title, word);
        else
            yaml_problems_add(parse->problems, word,
                              "%s: a setting is missing here: write full for "
                              "all of them, or some as in "
                              "full:disk.cache,disk.io",
                              title);
        names = *comma ? comma + 1 : NULL;
    }
}

void
parse_design(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const Choice designs[] = {
        {"ofat", DESIGN_OFAT, NULL},  {"star+pairs", DESIGN_STAR_PAIRS, NULL},
        {CROSSED, DESIGN_FULL, NULL}, {"pairwise", DESIGN_PAIRWISE, NULL},
        {"list", DESIGN_LIST, NULL},  {0},
    };
    const char *colon =
        value->type == YAML_SCALAR ? strchr(value->text, ':') : NULL;
    g_autoptr(YamlNode) word =
        colon ? part_node(value, value->text, (gsize) (colon - value->text))
              : NULL;
    int design = DESIGN_AUTO;

    if (!parse_choice(parse, row->title, word ? word : value, designs, &design))
        return;
    parse->matrix->design = (DesignKind) design;
    if (colon && design == DESIGN_FULL)
        parse_crossed(parse, row->title, value, colon + 1);
    else if (colon)
        yaml_problems_add(parse->problems, value,
                          "%s: settings can be named behind full only, as in "
                          "full:disk.cache,disk.io",
                          row->title);
}

static bool
is_crossed(const Matrix *matrix, guint factor)
{
    for (guint i = 0; i < matrix->crossed->len; i++)
        if (g_array_index(matrix->crossed, guint, i) == factor)
            return true;
    return false;
}

void
parse_hold_uncrossed(Parse *parse)
{
    Matrix *matrix = parse->matrix;

    if (!matrix->crossed->len)
        return;
    for (guint i = 0; i < matrix->factors->len; i++) {
        const Factor *factor = matrix->factors->pdata[i];
        const char *level = factor->levels->pdata[factor->baseline];

        if (is_crossed(matrix, i))
            continue;
        rule_add(matrix->uncrossed, factor->setting, level);
        rule_add(matrix->fixed, factor->setting, level);
    }
    for (guint i = matrix->factors->len; i-- > 0;)
        if (!is_crossed(matrix, i))
            g_ptr_array_remove_index(matrix->factors, i);
}

/* ------------------------------------------------------------------ pairs */

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
