/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A matrix file as a whole: the table of its keys, those that are needed, and
 * the last check, whether what it says can be planned.
 */
#include <string.h>
#include "base/file.h"
#include "base/suggest.h"
#include "plan/design-make.h"
#include "plan/matrix-parse.h"

/* Names become directory names, with a date behind them. */
#define NAME_MAX_BYTES 64
#define NAME_CHARS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-"

static bool
is_name(const char *text)
{
    return g_ascii_isalnum(*text) && strlen(text) <= NAME_MAX_BYTES &&
           strspn(text, NAME_CHARS) == strlen(text);
}

static void
parse_name(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    const char *text = parse_text(parse, row->title, value);

    if (!text)
        return;
    if (is_name(text))
        parse->matrix->name = g_strdup(text);
    else
        yaml_problems_add(parse->problems, value,
                          "name: '%s' is not accepted: a name is at most %d "
                          "letters, digits, '.', '_' and '-', and begins with "
                          "a letter or digit",
                          text, NAME_MAX_BYTES);
}

static void
parse_question(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    if (value->type != YAML_SCALAR) {
        parse_text(parse, row->title, value);
        return;
    }
    /* A long question may stand in several lines. */
    parse->matrix->question =
        g_strstrip(g_strdelimit(g_strdup(value->text), "\n\t", ' '));
}

static void
parse_host(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const Choice rungs[] = {
        {"none", HOST_NONE, NULL},
        {"host", HOST_HOST, NULL},
        {"ladder", HOST_LADDER, NULL},
        {0},
    };
    int host = HOST_HOST;

    if (parse_choice(parse, row->title, value, rungs, &host))
        parse->matrix->host = (HostRung) host;
}

static void
parse_hygiene(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const Choice grades[] = {
        {"quick", HYGIENE_QUICK, NULL},
        {"normal", HYGIENE_NORMAL, NULL},
        {"strict", HYGIENE_STRICT, NULL},
        {0},
    };
    int hygiene = HYGIENE_NORMAL;

    if (parse_choice(parse, row->title, value, grades, &hygiene))
        parse->matrix->hygiene = (Hygiene) hygiene;
}

static void
parse_allow_unsafe(Parse *parse, const KeyRow *row, const YamlNode *value)
{
    static const Choice words[] = {
        {"true", 1, NULL},
        {"false", 0, NULL},
        {"yes", 1, NULL},
        {"no", 0, NULL},
        {0},
    };
    int allow = 0;

    if (parse_choice(parse, row->title, value, words, &allow))
        parse->matrix->allow_unsafe = allow == 1;
}

/* -------------------------------------------------------------- the whole */

/* In the order of reading, which is that of dependence: what rules and
 * metrics are checked against comes before them. */
static const KeyRow matrix_keys[] = {
    {"name", "name", parse_name, NULL},
    {"question", "question", parse_question, NULL},
    {"domain", "domain", parse_domain, NULL},
    {"disk", "disk", parse_disk, NULL},
    {"storage", "storage", parse_storage, NULL},
    {"guest", "guest", parse_guest, NULL},
    {"matrix", "matrix", parse_matrix, NULL},
    {"baseline", "baseline", parse_baseline, NULL},
    {"best", "best", parse_best, NULL},
    {"design", "design", parse_design, NULL},
    {"pairs", "pairs", parse_pairs, NULL},
    {"exclude", "exclude", parse_exclude, NULL},
    {"include", "include", parse_include, NULL},
    {"blocks", "blocks", parse_blocks, NULL},
    {"workloads", "workloads", parse_workloads, NULL},
    {"primary", "primary", parse_primary, NULL},
    {"host", "host", parse_host, NULL},
    {"hygiene", "hygiene", parse_hygiene, NULL},
    {"allow_unsafe", "allow_unsafe", parse_allow_unsafe, NULL},
    {0},
};

/* The name of a matrix that gives none: that of its file. */
static char *
default_name(const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    char *dot = strrchr(name, '.');

    if (dot && dot != name)
        *dot = '\0';
    g_strcanon(name, NAME_CHARS, '-');
    return is_name(name) ? g_steal_pointer(&name) : g_strdup("sweep");
}

static void
fill_missing(Parse *parse)
{
    Matrix *matrix = parse->matrix;
    const YamlNode *root = parse->root;
    const Setting *memory = setting_find("memory");
    const Factor *swept = matrix_factor(matrix, memory, NULL);
    const char *held = rule_level(matrix->fixed, memory);

    if (!yaml_get(root, "name"))
        matrix->name = default_name(matrix->path);
    if (!yaml_get(root, "domain"))
        parse_default_domain(parse);
    if (!yaml_get(root, "primary"))
        parse_default_primary(parse);
    if (swept)
        held = swept->levels->pdata[swept->baseline];
    matrix->memory = g_strdup(held ? held : memory->levels[0]);
}

/* Neither the key is there nor one that was meant to be it. */
static bool
is_missing(const Parse *parse, const char *key)
{
    const char *const names[] = {key, NULL};

    for (guint i = 0; i < parse->root->keys->len; i++)
        if (suggest_name(parse_key_node(parse->root, i)->text, names))
            return false;
    return true;
}

static void
check_needed(Parse *parse)
{
    if (is_missing(parse, "matrix"))
        yaml_problems_add(parse->problems, parse->root,
                          "the key matrix is missing: it lists the settings "
                          "to compare, such as "
                          "matrix: {disk.cache: [none, writeback]}");
    if (is_missing(parse, "workloads"))
        yaml_problems_add(parse->problems, parse->root,
                          "the key workloads is missing: it lists what to "
                          "run, such as workloads: [fs.fsync, db.txn]");
}

/* Where a design that turns out too large was asked for. */
static void
note_place(Parse *parse)
{
    const YamlNode *where = yaml_get(parse->root, "design");

    if (!where)
        where = yaml_get(parse->root, "matrix");
    if (!where || where->origin)
        return;
    g_free(parse->matrix->design_place);
    parse->matrix->design_place = g_strdup_printf(
        "%s:%u:%u", parse->problems->file, where->line, where->column);
}

/* Whether what the matrix says can be planned; only for one that is right in
 * every part, since the reason would otherwise be one of those. */
static void
check_plan(Parse *parse)
{
    static const char *const keys[] = {
        [FAULT_MATRIX] = "matrix",     [FAULT_DESIGN] = "design",
        [FAULT_BASELINE] = "baseline", [FAULT_EXCLUDE] = "exclude",
        [FAULT_INCLUDE] = "include",   [FAULT_BEST] = "best",
    };
    g_autoptr(GError) error = NULL;
    DesignFault fault = FAULT_MATRIX;
    g_autoptr(Design) design = NULL;
    const YamlNode *where = NULL;

    if (parse->problems->lines->len)
        return;
    design = design_make_for(parse->matrix, &fault, &error);
    /* A plan of one that is too large can still be looked at. */
    if (design || fault == FAULT_SIZE)
        return;
    where = yaml_get(parse->root, keys[fault]);
    if (!where)
        where = yaml_get(parse->root, "matrix");
    yaml_problems_add(parse->problems, where, "%s", error->message);
}

Matrix *
matrix_from_tree(const YamlNode *root, const char *text, bool quick,
                 YamlProblems *problems, GError **err)
{
    g_autoptr(Matrix) matrix = matrix_new(problems->file, text, quick);
    g_autofree char *given = g_path_get_dirname(problems->file);
    g_autofree char *dir = g_canonicalize_filename(given, NULL);
    Parse parse = {.matrix = matrix, .problems = problems, .root = root};

    parse.dir = dir;
    if (root && root->type != YAML_MAPPING)
        yaml_problems_add(problems, root,
                          "a matrix file is a mapping: write its keys one a "
                          "line, matrix: and workloads: at least");
    else if (root) {
        parse_keys(&parse, NULL, root, matrix_keys);
        check_needed(&parse);
        parse_hold_uncrossed(&parse);
        fill_missing(&parse);
        note_place(&parse);
        check_plan(&parse);
    }
    return yaml_problems_check(problems, err) ? g_steal_pointer(&matrix) : NULL;
}

/* Like matrix_parse(), for a text that may hold NUL bytes. */
static Matrix *
parse_bytes(const char *text, gsize length, const char *path, bool quick,
            GError **err)
{
    g_autoptr(YamlProblems) problems = yaml_problems_new(path);
    g_autoptr(YamlNode) root = yaml_parse(text, length, problems);

    return matrix_from_tree(root, text, quick, problems, err);
}

Matrix *
matrix_parse(const char *text, const char *path, bool quick, GError **err)
{
    return parse_bytes(text, strlen(text), path, quick, err);
}

Matrix *
matrix_load(const char *path, bool quick, GError **err)
{
    gsize length = 0;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = file_read(path, YAML_BYTES_MAX, &length, &error);

    if (text)
        return parse_bytes(text, length, path, quick, err);
    vs_usage(err, "%s", error->message);
    return NULL;
}
