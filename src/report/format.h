/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a report writes numbers and texts.  Everything that came from a guest,
 * a matrix or libvirt passes through format_safe() (terminal, JSON) or one of
 * the escapes built on it.  Callers free what is returned as `char *`.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* No line of a terminal report is wider. */
#define FORMAT_WIDTH 100

/* One line of valid UTF-8 without control, format or bidirectional override
 * characters: those become '?', white space ' '.  NULL gives "". */
char *format_safe(const char *text);
/* format_safe(), then everything Markdown or HTML would act on escaped. */
char *format_markdown(const char *text);
/* A CSV field (RFC 4180): quoted when needed, control characters kept out. */
void format_csv(GString *out, const char *text);
/* A number for a machine: shortest text that reads back the same; empty for
 * NaN. */
char *format_exact(double value);
/* A calculated number for a machine: 12 significant digits, so that it does
 * not depend on the last bit of anyone's exp() or log(). */
char *format_derived(double value);

/* At most `width` characters, the last of them '…' when cut. */
char *format_cut(const char *text, guint width);
/* In a text to be wrapped: a space at which no line ends, as before "%". */
#define FORMAT_GLUE '\x01'
#define FORMAT_GLUES "\x01"
/* Appends words in lines of at most FORMAT_WIDTH columns: the first behind
 * `indent` spaces, further ones behind `hang`. */
void format_wrap(GString *out, guint indent, guint hang, const char *text);
/* The same from a format. */
void format_line(GString *out, guint indent, guint hang, const char *format,
                 ...) G_GNUC_PRINTF(4, 5);

/* The columns of the widest line of a text. */
guint format_widest(const char *text);

/* Three or four significant digits, "-" for NaN; with the unit. */
char *format_number(double value);
char *format_value(double value, const char *unit);
/* "[+16.2, +20.1]", percentages of two value ratios; "-" for NaN. */
char *format_interval(double ratio_lo, double ratio_hi);
/* "0.031", "<0.0001", "-" for NaN. */
char *format_p(double p);
/* "96.1", a probability in percent without needless zeros. */
char *format_confidence(double confidence);
/* "higher is better" */
const char *format_better(bool higher_better);
