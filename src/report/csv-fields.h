/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fields of the CSV files we write; each ends in a comma.  Only src/report
 * uses this.
 */
#pragma once

#include "report/write.h"

/* NULL is an empty field. */
void csv_text(GString *out, const char *text);
/* A measured number, which reads back exactly. */
void csv_number(GString *out, double value);
/* A calculated one. */
void csv_derived(GString *out, double value);
void csv_count(GString *out, gint64 value);
/* Ends a line: the comma behind its last field goes. */
void csv_end_line(GString *out);
/* "kvm", "tcg", "simulated" or "". */
const char *csv_accel(const Report *report);
