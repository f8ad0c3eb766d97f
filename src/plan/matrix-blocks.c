/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The key blocks of a matrix: how often, how precise, how long.
 */
#include "base/units.h"
#include "plan/matrix-parse.h"

/* More blocks than a sweep of weeks; stops slips. */
#define BLOCKS_MAX 1000

static void
parse_min(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    parse_count(parse, row->title, value, 1, BLOCKS_MAX,
                &parse->matrix->blocks_min);
}

static void
parse_max(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    Matrix *matrix = parse->matrix;

    if (parse_count(parse, row->title, value, 1, BLOCKS_MAX,
                    &matrix->blocks_max) &&
        matrix->blocks_max < matrix->blocks_min)
        yaml_problems_add(parse->problems, value,
                          "blocks.max: %u is less than blocks.min, %u",
                          matrix->blocks_max, matrix->blocks_min);
}

static void
parse_precision(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    const char *text = parse_text(parse, row->title, value);
    g_autoptr(GError) error = NULL;
    double ratio = 0;

    if (!text)
        return;
    if (!units_parse_ratio(text, &ratio, &error))
        yaml_problems_add(parse->problems, value, "%s: %s", row->title,
                          error->message);
    else if (ratio <= 0 || ratio >= 1)
        yaml_problems_add(parse->problems, value,
                          "blocks.precision: '%s' is not between 0%% and "
                          "100%%: 2%% is a good value",
                          text);
    else
        parse->matrix->precision = ratio;
}

static void
parse_budget(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    const char *text = parse_text(parse, row->title, value);
    g_autoptr(GError) error = NULL;
    gint64 ns = 0;

    if (!text)
        return;
    if (!units_parse_duration(text, &ns, &error))
        yaml_problems_add(parse->problems, value, "%s: %s", row->title,
                          error->message);
    else if (ns <= 0)
        yaml_problems_add(parse->problems, value,
                          "blocks.budget: '%s' is no time at all: write one "
                          "such as 2h, or remove the key",
                          text);
    else
        parse->matrix->budget_ns = ns;
}

void
parse_blocks(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const KeyRow keys[] = {
        {"min", "blocks.min", parse_min, NULL},
        {"max", "blocks.max", parse_max, NULL},
        {"precision", "blocks.precision", parse_precision, NULL},
        {"budget", "blocks.budget", parse_budget, NULL},
        {0},
    };

    if (parse_is_mapping(parse, row->title, value, "{min: 6, max: 16}"))
        parse_keys(parse, row->title, value, keys);
}
