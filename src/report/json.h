/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON values shared by report.json and `compare --json`. */
#pragma once

#include <jansson.h>
#include "report/model.h"

/* NULL and NaN become null; texts are made safe, line by line. */
json_t *json_text(const char *text);
json_t *json_number(double value);
json_t *json_contrast(const Report *report, const ReportContrast *contrast);
/* Appends the document, indented, and gives up the reference. */
void json_finish(json_t *document, GString *out);
/* [lo, hi] */
json_t *json_pair(double lo, double hi);
json_t *json_estimate(const Estimate *estimate);
/* Members of the document beyond cells and contrasts. */
json_t *json_findings(const Report *report);
json_t *json_ladders(const Report *report);
/* Of a contrast that averages over few contexts: each of them. */
json_t *json_simple_effects(const Report *report,
                            const ReportContrast *contrast);
/* report/levels.h */
json_t *json_levels(const Report *report);
