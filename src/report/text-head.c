/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of the terminal report: what was asked, and what a reader has to
 * know before believing a number, in short labelled lines.
 */
#include "report/text.h"

#include <string.h>
#include "report/format.h"
#include "report/parts.h"

/* Columns of a label: the longest is "disturbed". */
#define LABEL_WIDTH 11
/* Mount options shown; all of them are in summary.md. */
#define OPTIONS_SHOWN 3

static void
add_labelled(GString *out, const char *label, const char *text)
{
    if (text && *text)
        format_line(out, 0, LABEL_WIDTH, "%-*s%s", LABEL_WIDTH, label, text);
}

static void
add_list(GString *out, const char *label, GPtrArray *texts)
{
    g_autofree char *joined = NULL;

    g_ptr_array_add(texts, NULL);
    joined = g_strjoinv(", ", (GStrv) texts->pdata);
    add_labelled(out, label, joined);
}

static void
add_title(const Report *report, GString *out)
{
    g_autofree char *name = format_safe(report_fact(report, "matrix.name"));
    g_autofree char *question = format_safe(report_fact(report, "question"));

    format_line(out, 0, 2, "%s%s%s", *name ? name : "sweep",
                *question ? ": " : "", question);
}

/* "ext4 on /dev/vda (rw,relatime,discard,...)": the first options tell most. */
static char *
storage_text(const Report *report)
{
    g_autofree char *safe = format_safe(report_fact(report, "storage"));
    char *p = strchr(safe, '(');

    for (guint i = 0; p && i < OPTIONS_SHOWN; i++)
        p = strchr(p + 1, ',');
    if (!p)
        return g_steal_pointer(&safe);
    *p = '\0';
    return g_strdup_printf("%s,…)", safe);
}

static char *
baseline_text(const Report *report)
{
    g_autofree char *baseline = report_baseline_text(report);
    const char *why = report_baseline_why(report);

    return why ? g_strdup_printf("%s (none was given: %s)", baseline, why)
               : g_steal_pointer(&baseline);
}

/* Only what has changed: a sweep without drift says so by its grade. */
static char *
drift_text(const Report *report)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < report->drifts->len; i++) {
        const ReportDrift *drift = report->drifts->pdata[i];
        g_autofree char *text = report_drift_text(report, drift);
        g_autofree char *safe = format_safe(text);

        if (drift->drifted)
            g_string_append_printf(out, "%s%s", out->len ? ", " : "", safe);
    }
    return out->len ? g_strdup_printf("%s: " REPORT_DRIFTED, out->str) : NULL;
}

void
text_head(const Report *report, GString *out)
{
    g_autoptr(GPtrArray) circumstances = report_circumstances(report);
    g_autoptr(GPtrArray) origins = report_origins(report, true);
    g_autofree char *accel = report_accel_text(report);
    g_autofree char *storage = storage_text(report);
    g_autofree char *baseline = baseline_text(report);
    g_autofree char *columns = format_safe(report_fact(report, "columns"));
    g_autofree char *assumed = format_safe(report_fact(report, "assumed"));
    g_autofree char *grade = report_grade_text(report);
    g_autofree char *disturbed = report_disturbed_text(report);
    g_autofree char *drift = drift_text(report);

    add_title(report, out);
    add_labelled(out, "accel", accel);
    add_list(out, "sweep", circumstances);
    add_list(out, "host", origins);
    add_labelled(out, "storage", storage);
    add_labelled(out, "columns", columns);
    add_labelled(out, "assumed", assumed);
    add_labelled(out, "baseline", baseline);
    add_labelled(out, "grade", grade);
    add_labelled(out, "disturbed", disturbed);
    add_labelled(out, "drift", drift);
}
