/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of summary.md.  Only src/report uses this. */
#pragma once

#include "report/model.h"

/* A section of texts (char *); none when there are none. */
void markdown_bullets(GString *out, const char *title, const GPtrArray *texts);
/* Sections on what a sweep says beyond single contrasts. */
void markdown_findings(const Report *report, GString *out);
