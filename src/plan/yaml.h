/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * YAML as a tree whose nodes know where they stand.  Only the plain part of
 * YAML: duplicate keys, merge keys, tags, anchors, aliases and several
 * documents are refused with file:line:column.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

typedef enum { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } YamlType;

typedef struct YamlNode YamlNode;
struct YamlNode {
    YamlType type;
    guint line, column; /* from 1 */
    char *text;         /* scalar */
    bool plain;         /* scalar written without quotes */
    bool refused;       /* complained about already: say no more about it */
    char *origin;       /* option it was made from; NULL: the file */
    GPtrArray *keys;    /* mapping: YamlNode * (scalars), in order */
    GPtrArray *values;  /* mapping and sequence: YamlNode *, in order */
};

/* No honest matrix comes near these; a file that does is refused whole. */
#define YAML_BYTES_MAX (256 * 1024)
#define YAML_NODES_MAX 4096
#define YAML_DEPTH_MAX 16
#define YAML_TEXT_MAX 1024 /* bytes of one scalar */

/* All complaints about one file, in order of place. */
typedef struct YamlProblems {
    char *file;
    GPtrArray *lines; /* "file:line:column: what, and what would be right" */
    GArray *places;   /* guint64 of each line: what it is sorted by */
} YamlProblems;

YamlProblems *yaml_problems_new(const char *file);
/* A complaint about `where`: "file:line:column: ...", or "option: ..." for a
 * node made from one; NULL: the file as a whole.  Nothing is added about a
 * node that has been refused already.  Control characters become '?'. */
void yaml_problems_add(YamlProblems *problems, const YamlNode *where,
                       const char *format, ...) G_GNUC_PRINTF(3, 4);
/* True and no error when there is none; else false and a VS_ERROR_USAGE
 * whose message is all of them, one a line, sorted by place. */
bool yaml_problems_check(YamlProblems *problems, GError **err);
void yaml_problems_free(YamlProblems *problems);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(YamlProblems, yaml_problems_free)

/* Parses `text`; NULL after a syntax error, which is added to `problems`. */
YamlNode *yaml_parse(const char *text, gsize length, YamlProblems *problems);
/* The value of a key in a mapping; NULL when absent. */
const YamlNode *yaml_get(const YamlNode *mapping, const char *key);
/* A node of its own, for texts that come from the command line. */
YamlNode *yaml_node_new(YamlType type, guint line, guint column);
/* Makes complaints about a node and all below it name this option. */
void yaml_set_origin(YamlNode *node, const char *origin);
/* (libyaml has a yaml_free() of its own, which one of ours would replace.) */
void yaml_node_free(YamlNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(YamlNode, yaml_node_free)
