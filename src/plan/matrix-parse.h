/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside plan/: what the parts of the matrix reader share.  Every function
 * that returns false has complained; reading goes on behind it, so that all
 * complaints of a file come out at once.
 */
#pragma once

#include "plan/matrix.h"
#include "plan/yaml.h"

typedef struct Parse {
    Matrix *matrix;
    YamlProblems *problems;
    const YamlNode *root;
    char *dir;          /* where relative paths of the file begin */
    bool workloads_bad; /* one was unknown: say no more of missing metrics */
} Parse;

/* A key of a mapping and what reads its value.  A key without `parse` is one
 * the design of the format has and this version has not; `instead` says what
 * to do. */
typedef struct KeyRow {
    const char *key;
    const char *title; /* as complaints name it: "guest.memory" */
    void (*parse)(Parse *parse, const struct KeyRow *row,
                  const YamlNode *value);
    const char *instead;
} KeyRow;

/* A word and what it stands for; value LATER: as for KeyRow.instead. */
#define LATER (-1)
typedef struct Choice {
    const char *word;
    int value;
    const char *instead;
} Choice;

/* ------------------------------------------------- matrix-value.c: values */

/* Reads the keys of a mapping by a table that ends at key == NULL, in the
 * order of the table.  Complains about keys that are not in it and about
 * values that are missing. */
void parse_keys(Parse *parse, const char *title, const YamlNode *mapping,
                const KeyRow *rows);
/* A key of `mapping` as a node: the place of complaints about it. */
const YamlNode *parse_key_node(const YamlNode *mapping, guint index);
/* "TITLE: unknown KIND 'x'; did you mean 'y'?", or the list of known ones.
 * `title` may be NULL. */
void parse_unknown(Parse *parse, const YamlNode *where, const char *title,
                   const char *kind, const char *const *known);
/* Text that is there and has one line.  Points into the node. */
const char *parse_text(Parse *parse, const char *title, const YamlNode *node);
bool parse_choice(Parse *parse, const char *title, const YamlNode *node,
                  const Choice *choices, int *ret_value);
bool parse_size(Parse *parse, const char *title, const YamlNode *node,
                guint64 *ret_bytes);
bool parse_count(Parse *parse, const char *title, const YamlNode *node,
                 guint64 min, guint64 max, guint *ret_count);
/* An absolute path without "." and ".."; relative ones begin at the matrix
 * file.  NULL after a complaint.  Caller frees. */
char *parse_path(Parse *parse, const char *title, const YamlNode *node);
/* A scalar stands for a list of one. */
guint parse_list_length(const YamlNode *node);
const YamlNode *parse_list_entry(const YamlNode *node, guint index);
/* Complains unless the node is a mapping. */
bool parse_is_mapping(Parse *parse, const char *title, const YamlNode *node,
                      const char *example);
/* Complains unless the node is a list or a scalar, with one entry at least. */
bool parse_is_list(Parse *parse, const char *title, const YamlNode *node,
                   const char *example);

/* ------------------------------------------- the parts of the table of keys */

/* matrix-guest.c: where and in what it is measured */
void parse_domain(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_disk(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_storage(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_guest(Parse *parse, const KeyRow *row, const YamlNode *value);
/* The template that is used when the file names none. */
void parse_default_domain(Parse *parse);

/* matrix-rules.c: settings, their levels and combinations */
void parse_matrix(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_baseline(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_best(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_exclude(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_include(Parse *parse, const KeyRow *row, const YamlNode *value);

/* Complains that a setting is not in the matrix.  Nothing is said of one whose
 * levels were no good there, or when there is no matrix at all. */
void parse_complain_absent(Parse *parse, const char *title,
                           const YamlNode *key);
/* Complains that a word is neither a setting nor `own`, the rule's own key
 * (NULL: it has none). */
void parse_complain_setting(Parse *parse, const char *title, const char *own,
                            const YamlNode *key);

/* matrix-design.c: which combinations of them */
void parse_design(Parse *parse, const KeyRow *row, const YamlNode *value);
/* Once all keys are read, so that rules may name them: settings that
 * full:SETTING,... does not cross vary no longer. */
void parse_hold_uncrossed(Parse *parse);
void parse_pairs(Parse *parse, const KeyRow *row, const YamlNode *value);

/* matrix-blocks.c: how often */
void parse_blocks(Parse *parse, const KeyRow *row, const YamlNode *value);

/* matrix-workloads.c: what is run and what is looked at */
void parse_workloads(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_primary(Parse *parse, const KeyRow *row, const YamlNode *value);
void parse_default_primary(Parse *parse);

/* ---------------------------------------------- matrix-make.c: the objects */

Matrix *matrix_new(const char *path, const char *text, bool quick);
Factor *factor_new(const Setting *setting);
void factor_free(Factor *factor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Factor, factor_free)
Rule *rule_new(void);
void rule_free(Rule *rule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rule, rule_free)
void rule_add(Rule *rule, const Setting *setting, const char *level);
/* The level of a rule for a setting; NULL when it says nothing of it. */
const char *rule_level(const Rule *rule, const Setting *setting);
/* NULL when the setting does not vary. */
const Factor *matrix_factor(const Matrix *matrix, const Setting *setting,
                            guint *ret_index);
/* Index of a level, "1024M" finding "1G"; -1 when it is not there. */
int factor_level(const Factor *factor, const char *level);
/* Whether two levels come to the same. */
bool level_same(const Setting *setting, const char *a, const char *b);

/* matrix.c: the rest of matrix_parse() once there is a tree; NULL after a
 * syntax error, which is in `problems`. */
Matrix *matrix_from_tree(const YamlNode *root, const char *text, bool quick,
                         YamlProblems *problems, GError **err);
