/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From YAML text to nodes, by libyaml's events: the document API resolves
 * aliases and keeps duplicate keys without a word.  Here anchors, aliases,
 * tags, directives, merge keys, duplicate keys and further documents are
 * complaints, and reading goes on behind them, so that one reading finds all.
 */
#include <string.h>
#include <yaml.h>
#include "plan/yaml.h"

/* What libyaml makes of "!!". */
#define YAML_TAG_PREFIX "tag:yaml.org,2002:"

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(yaml_event_t, yaml_event_delete)

typedef struct Reader {
    yaml_parser_t parser;
    YamlProblems *problems;
    const char *text; /* the whole, for the place of a byte */
    guint nodes;
    guint depth;
} Reader;

static YamlNode *read_node(Reader *reader, const yaml_event_t *event);

/* ------------------------------------------------------------ complaints */

/* What libyaml says, and what a person can do about it. */
static const struct {
    const char *problem, *remedy;
} remedies[] = {
    {"found character that cannot start any token",
     "indent with spaces, not tabs, and put a value that begins with @, ` or "
     "% in quotes"},
    {"found a tab character that violates indentation",
     "indent with spaces, not tabs"},
    {"mapping values are not allowed in this context",
     "indent the line like its neighbours, and put a value that contains ': ' "
     "in quotes"},
    {"did not find expected key",
     "indent the line like its neighbours, and close every quote and bracket "
     "above it"},
    {"did not find expected '-' indicator",
     "begin every entry of the list with '- ' in the same column"},
    {"did not find expected ',' or ']'",
     "put ',' between the entries and ']' behind the last"},
    {"did not find expected ',' or '}'",
     "put ',' between the entries and '}' behind the last"},
    {"could not find expected ':'", "write 'key: value', with the space"},
    {"found unexpected end of stream", "close the quote"},
    {"found unknown escape character",
     "write \\\\ for a backslash, or use single quotes"},
    {"control characters are not allowed", "remove the character"},
};

static const char *
find_remedy(const char *problem)
{
    for (gsize i = 0; i < G_N_ELEMENTS(remedies); i++)
        if (strcmp(problem, remedies[i].problem) == 0)
            return remedies[i].remedy;
    return "see vsweep-matrix(5) for a file that works";
}

/* A node that only stands for a place. */
static YamlNode
at_mark(yaml_mark_t mark)
{
    return (YamlNode){.line = (guint) mark.line + 1,
                      .column = (guint) mark.column + 1};
}

static YamlNode
at_offset(const char *text, gsize offset)
{
    YamlNode node = {.line = 1, .column = 1};

    for (gsize i = 0; i < offset; i++) {
        bool inside = ((guchar) text[i] & 0xC0) == 0x80; /* of a character */

        node.column = text[i] == '\n' ? 1 : node.column + !inside;
        node.line += text[i] == '\n';
    }
    return node;
}

static void
add_syntax_error(Reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem ? parser->problem : "out of memory";
    g_autofree char *context = NULL;
    YamlNode where = at_mark(parser->problem_mark);

    if (parser->error == YAML_READER_ERROR)
        where = at_offset(reader->text, parser->problem_offset);
    if (parser->context && parser->context_mark.line + 1 < where.line)
        context =
            g_strdup_printf(" (%s that begins in line %zu)", parser->context,
                            parser->context_mark.line + 1);
    yaml_problems_add(reader->problems, &where, "not YAML: %s%s: %s", problem,
                      context ? context : "", find_remedy(problem));
}

/* The next event; false after a syntax error, which has been added. */
static bool
next_event(Reader *reader, yaml_event_t *event)
{
    if (yaml_parser_parse(&reader->parser, event))
        return true;
    memset(event, 0, sizeof(*event));
    add_syntax_error(reader);
    return false;
}

static void
refuse_properties(Reader *reader, const yaml_event_t *event,
                  const yaml_char_t *anchor, const yaml_char_t *tag)
{
    YamlNode where = at_mark(event->start_mark);

    if (anchor)
        yaml_problems_add(reader->problems, &where,
                          "anchor '&%s' is not accepted in a matrix: remove "
                          "it and write the values out where they are needed",
                          anchor);
    if (tag && g_str_has_prefix((const char *) tag, YAML_TAG_PREFIX))
        yaml_problems_add(reader->problems, &where,
                          "tag '!!%s' is not accepted in a matrix: remove it",
                          (const char *) tag + strlen(YAML_TAG_PREFIX));
    else if (tag)
        yaml_problems_add(reader->problems, &where,
                          "tag '%s' is not accepted in a matrix: remove it",
                          tag);
}

/* ----------------------------------------------------------------- nodes */

static YamlNode *
new_node(YamlType type, const yaml_event_t *event)
{
    YamlNode where = at_mark(event->start_mark);

    return yaml_node_new(type, where.line, where.column);
}

static bool
has_control(const char *text, gsize length)
{
    for (gsize i = 0; i < length; i++)
        if (g_ascii_iscntrl(text[i]) && text[i] != '\n' && text[i] != '\t')
            return true;
    return false;
}

static YamlNode *
read_scalar(Reader *reader, const yaml_event_t *event)
{
    const char *value = (const char *) event->data.scalar.value;
    gsize length = event->data.scalar.length;
    YamlNode *node = new_node(YAML_SCALAR, event);

    refuse_properties(reader, event, event->data.scalar.anchor,
                      event->data.scalar.tag);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = g_strndup(value, MIN(length, YAML_TEXT_MAX));
    if (length > YAML_TEXT_MAX)
        yaml_problems_add(reader->problems, node,
                          "this text has %zu bytes: at most %d are accepted",
                          length, YAML_TEXT_MAX);
    else if (has_control(value, length))
        yaml_problems_add(reader->problems, node,
                          "this text holds a NUL or another control "
                          "character: remove it");
    else
        return node;
    node->refused = true;
    return node;
}

static YamlNode *
read_alias(Reader *reader, const yaml_event_t *event)
{
    YamlNode *node = new_node(YAML_SCALAR, event);

    node->text = g_strdup_printf("*%s", event->data.alias.anchor);
    yaml_problems_add(reader->problems, node,
                      "alias '%s' is not accepted in a matrix: write the "
                      "value out, or put text that begins with '*' in quotes",
                      node->text);
    node->refused = true;
    return node;
}

static YamlNode *
read_sequence(Reader *reader, const yaml_event_t *start)
{
    g_autoptr(YamlNode) node = new_node(YAML_SEQUENCE, start);

    refuse_properties(reader, start, start->data.sequence_start.anchor,
                      start->data.sequence_start.tag);
    for (;;) {
        g_auto(yaml_event_t) event = {0};
        YamlNode *value = NULL;

        if (!next_event(reader, &event))
            return NULL;
        if (event.type == YAML_SEQUENCE_END_EVENT)
            return g_steal_pointer(&node);
        value = read_node(reader, &event);
        if (!value)
            return NULL;
        g_ptr_array_add(node->values, value);
    }
}

/* Whether this key can be taken into the mapping. */
static bool
check_key(Reader *reader, const YamlNode *mapping, const YamlNode *key)
{
    if (key->type != YAML_SCALAR) {
        yaml_problems_add(reader->problems, key,
                          "a key is plain text, not a list or a mapping");
        return false;
    }
    if (key->plain && strcmp(key->text, "<<") == 0) {
        yaml_problems_add(reader->problems, key,
                          "merge key '<<' is not accepted in a matrix: write "
                          "the keys out");
        return false;
    }
    for (guint i = 0; i < mapping->keys->len; i++) {
        const YamlNode *other = mapping->keys->pdata[i];

        if (strcmp(other->text, key->text) == 0) {
            yaml_problems_add(reader->problems, key,
                              "key '%s' stands in line %u already: keep one "
                              "of the two",
                              key->text, other->line);
            return false;
        }
    }
    return !key->refused;
}

static YamlNode *
read_mapping(Reader *reader, const yaml_event_t *start)
{
    g_autoptr(YamlNode) node = new_node(YAML_MAPPING, start);

    refuse_properties(reader, start, start->data.mapping_start.anchor,
                      start->data.mapping_start.tag);
    for (;;) {
        g_auto(yaml_event_t) key_event = {0}, value_event = {0};
        g_autoptr(YamlNode) key = NULL, value = NULL;

        if (!next_event(reader, &key_event))
            return NULL;
        if (key_event.type == YAML_MAPPING_END_EVENT)
            return g_steal_pointer(&node);
        key = read_node(reader, &key_event);
        if (!key || !next_event(reader, &value_event))
            return NULL;
        value = read_node(reader, &value_event);
        if (!value)
            return NULL;
        if (check_key(reader, node, key)) {
            g_ptr_array_add(node->keys, g_steal_pointer(&key));
            g_ptr_array_add(node->values, g_steal_pointer(&value));
        }
    }
}

/* Complains and returns true when the text is too much for a matrix. */
static bool
over_limits(Reader *reader, const yaml_event_t *event)
{
    YamlNode where = at_mark(event->start_mark);

    if (reader->depth > YAML_DEPTH_MAX)
        yaml_problems_add(reader->problems, &where,
                          "more than %d lists and mappings within one another",
                          YAML_DEPTH_MAX);
    else if (reader->nodes > YAML_NODES_MAX)
        yaml_problems_add(reader->problems, &where,
                          "more than %d keys and values: split the matrix",
                          YAML_NODES_MAX);
    else
        return false;
    return true;
}

/* The node that begins with `event`; NULL when reading cannot go on. */
static YamlNode *
read_node(Reader *reader, const yaml_event_t *event)
{
    YamlNode *node = NULL;

    reader->nodes++;
    reader->depth++;
    if (over_limits(reader, event))
        return NULL;
    if (event->type == YAML_MAPPING_START_EVENT)
        node = read_mapping(reader, event);
    else if (event->type == YAML_SEQUENCE_START_EVENT)
        node = read_sequence(reader, event);
    else if (event->type == YAML_ALIAS_EVENT)
        node = read_alias(reader, event);
    else
        node = read_scalar(reader, event);
    reader->depth--;
    return node;
}

/* ------------------------------------------------------------- documents */

static void
refuse_directives(Reader *reader, const yaml_event_t *start)
{
    YamlNode where = at_mark(start->start_mark);

    if (start->data.document_start.version_directive ||
        start->data.document_start.tag_directives.start !=
            start->data.document_start.tag_directives.end)
        yaml_problems_add(reader->problems, &where,
                          "directives (lines that begin with %%) are not "
                          "accepted in a matrix: remove them");
}

/* From DOCUMENT-START, or STREAM-END of an empty file, to the root. */
static YamlNode *
read_document(Reader *reader)
{
    g_auto(yaml_event_t) stream = {0}, start = {0}, root = {0};
    YamlNode first = {.line = 1, .column = 1};

    if (!next_event(reader, &stream) || !next_event(reader, &start))
        return NULL;
    if (start.type == YAML_DOCUMENT_START_EVENT) {
        refuse_directives(reader, &start);
        if (!next_event(reader, &root))
            return NULL;
        if (root.type != YAML_SCALAR_EVENT || root.data.scalar.length)
            return read_node(reader, &root);
    }
    yaml_problems_add(reader->problems, &first,
                      "the file is empty: a matrix has at least the keys "
                      "matrix and workloads");
    return NULL;
}

/* False after a syntax error behind the document. */
static bool
check_end(Reader *reader)
{
    g_auto(yaml_event_t) end = {0}, next = {0};
    YamlNode where = {0};

    if (!next_event(reader, &end) || !next_event(reader, &next))
        return false;
    where = at_mark(next.start_mark);
    if (next.type != YAML_STREAM_END_EVENT)
        yaml_problems_add(reader->problems, &where,
                          "a second document begins here: put it into a file "
                          "of its own");
    return true;
}

/* What libyaml would stop at, or read as something else. */
static bool
check_bytes(const char *text, gsize length, YamlProblems *problems)
{
    const char *end = NULL;
    YamlNode where = {0};

    if (length > YAML_BYTES_MAX) {
        yaml_problems_add(problems, NULL,
                          "%zu bytes are too many for a matrix: at most %d "
                          "are accepted",
                          length, YAML_BYTES_MAX);
        return false;
    }
    if (g_utf8_validate_len(text, length, &end))
        return true;
    where = at_offset(text, (gsize) (end - text));
    if (*end == '\0')
        yaml_problems_add(problems, &where,
                          "a NUL byte: this is no text file, or it was saved "
                          "as UTF-16; save it as UTF-8");
    else
        yaml_problems_add(problems, &where,
                          "byte 0x%02x is not UTF-8: save the file as UTF-8",
                          (guchar) *end);
    return false;
}

YamlNode *
yaml_parse(const char *text, gsize length, YamlProblems *problems)
{
    Reader reader = {.problems = problems, .text = text};
    g_autoptr(YamlNode) root = NULL;

    if (!check_bytes(text, length, problems))
        return NULL;
    if (!yaml_parser_initialize(&reader.parser)) {
        yaml_problems_add(problems, NULL, "out of memory");
        return NULL;
    }
    yaml_parser_set_input_string(&reader.parser, (const guchar *) text, length);
    root = read_document(&reader);
    if (root && !check_end(&reader))
        g_clear_pointer(&root, yaml_node_free);
    yaml_parser_delete(&reader.parser);
    return g_steal_pointer(&root);
}
