/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside run/model*.c: what the parts of the reader of models share. */
#pragma once

#include "plan/matrix-parse.h"
#include "run/model.h"

/* What the functions of plan/matrix-parse.h get, and what is read by them. */
typedef struct ModelParse {
    Parse base;
    Model *model;
    ModelRule *rule; /* the one being read */
} ModelParse;

void model_rule_free(ModelRule *rule);
/* A ratio from 0 to `max`. */
bool model_parse_ratio(Parse *parse, const char *title, const YamlNode *node,
                       double max, double *ret_ratio);
/* Metrics of the catalogue, and boot.ready. */
const MetricInfo *model_parse_metric(Parse *parse, const char *title,
                                     const YamlNode *node);

/* model-rules.c: effects, steal, clock_skew, fail, unsupported. */
void model_parse_effects(Parse *parse, const KeyRow *row,
                         const YamlNode *value);
void model_parse_steal(Parse *parse, const KeyRow *row, const YamlNode *value);
void model_parse_clock_skew(Parse *parse, const KeyRow *row,
                            const YamlNode *value);
void model_parse_fail(Parse *parse, const KeyRow *row, const YamlNode *value);
void model_parse_unsupported(Parse *parse, const KeyRow *row,
                             const YamlNode *value);
