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
    GPtrArray *keys;    /* mapping: YamlNode * (scalars), in order */
    GPtrArray *values;  /* mapping and sequence: YamlNode *, in order */
};

/* All complaints about one file, in order of place. */
typedef struct YamlProblems {
    char *file;
    GPtrArray *lines; /* "file:line:column: what, and what would be right" */
} YamlProblems;

YamlProblems *yaml_problems_new(const char *file);
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
void yaml_free(YamlNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(YamlNode, yaml_free)
