/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report for a terminal.  The first screen is plain numbers and what they
 * come to, and why some are missing; tables of deltas and where the time went
 * follow.
 */
#include "report/text.h"

#include "base/clock.h"
#include "report/format.h"
#include "report/levels.h"
#include "report/ladder.h"
#include "report/parts.h"
#include "report/write.h"

static void
add_findings(const Report *report, GString *out)
{
    g_autofree char *confirmation = report_confirmation(report);

    if (report->findings->len > 0)
        g_string_append_c(out, '\n');
    for (guint i = 0; i < report->findings->len; i++) {
        g_autofree char *safe = format_safe(report->findings->pdata[i]);

        format_line(out, 0, 2, "* %s", safe);
    }
    if (confirmation) {
        g_autofree char *safe = format_safe(confirmation);

        format_line(out, 0, 2, "* Confirm with this line in the matrix:");
        format_line(out, 4, 4, "%s", safe);
    }
    if (report->findings_left > 0)
        format_line(out, 0, 2, "  (%u more conclusive in summary.md)",
                    report->findings_left);
}

static void
add_troubles(const Report *report, GString *out)
{
    g_autoptr(GPtrArray) troubles = report_troubles(report);

    if (troubles->len > 0)
        g_string_append(out, "\nNot measured, or not at the first try\n");
    for (guint i = 0; i < troubles->len; i++)
        format_wrap(out, 2, 4, troubles->pdata[i]);
}

static bool
any_contrast(const Report *report, bool (*holds)(const ReportContrast *))
{
    for (guint i = 0; i < report->contrasts->len; i++)
        if (holds(report->contrasts->pdata[i]))
            return true;
    return false;
}

static bool
by_t_test(const ReportContrast *contrast)
{
    return contrast->estimate.p_method == METHOD_T;
}

static bool
has_estimate(const ReportContrast *contrast)
{
    return contrast->estimate.n >= 3;
}

static bool
is_marked(const ReportContrast *contrast)
{
    return contrast->ignores_flushes;
}

static bool
is_screened(const ReportContrast *contrast)
{
    return contrast->screening;
}

static void
add_legend(const Report *report, GString *out)
{
    if (report->contrasts->len == 0)
        return;
    g_string_append_c(out, '\n');
    if (any_contrast(report, has_estimate))
        format_line(out, 0, 2,
                    "change: level against base, %s; "
                    "intervals hold 95 %% or more; n: %s; p: Holm-adjusted "
                    "within a primary metric%s; band: smaller differences "
                    "count as none of practical relevance",
                    report->unblocked ? REPORT_UNBLOCKED
                                      : "paired within blocks",
                    report->unblocked ? "runs of the smaller group" : "blocks",
                    any_contrast(report, by_t_test)
                        ? ", t: by t test on logs (too few blocks for the "
                          "exact one)"
                        : "");
    else
        format_line(out, 0, 2,
                    "n: blocks; fewer than 3 give figures, no "
                    "verdicts");
    if (any_contrast(report, is_screened))
        format_line(out, 0, 2, "%s", REPORT_SCREENING);
    if (any_contrast(report, is_marked))
        format_line(out, 0, 2, "%s", REPORT_UNSAFE);
}

/* Three digits at most, no space: "6.1s", "84s", "2m10s", "1h03m". */
static char *
short_time(gint64 ns)
{
    double s = (double) ns / CLOCK_NS_PER_S;
    int whole = (int) (s + 0.5);

    if (s < 9.95)
        return g_strdup_printf("%.1fs", s);
    if (whole < 100)
        return g_strdup_printf("%ds", whole);
    if (whole < 3600)
        return g_strdup_printf("%dm%02ds", whole / 60, whole % 60);
    return g_strdup_printf("%dh%02dm", whole / 3600, whole % 3600 / 60);
}

/* The parts of the time `apart` spaces apart. */
static char *
times_line(const Report *report, int apart)
{
    g_autoptr(GString) line = g_string_new("time:");
    gint64 total = 0;

    for (guint i = 0; i < PART_MAX; i++) {
        g_autofree char *text = short_time(report->times[i]);

        g_string_append_printf(line, "%*s%s%c%s", i ? apart : 1, "",
                               part_name((Part) i), FORMAT_GLUE, text);
        total += report->times[i];
    }
    double measured = (double) report->times[PART_MEASURE];
    g_string_append_printf(
        line, "%*s(measured%c%.0f%c%%)", apart, "", FORMAT_GLUE,
        total > 0 ? 100 * measured / (double) total : 0.0, FORMAT_GLUE);
    return g_strdup(line->str);
}

void
report_times(const Report *report, GString *out)
{
    g_autofree char *line = times_line(report, 2);

    g_string_append_printf(out, "%s\n", g_strdelimit(line, FORMAT_GLUES, ' '));
}

/* On one line if there is a way. */
static void
add_times(const Report *report, GString *out)
{
    if (report_is_csv(report))
        return;
    g_autofree char *wide = times_line(report, 2);
    g_autofree char *narrow = times_line(report, 1);

    g_string_append_c(out, '\n');
    format_wrap(out, 0, 6,
                g_utf8_strlen(wide, -1) <= FORMAT_WIDTH ? wide : narrow);
}

static void
add_report(const Report *report, bool all, GString *out)
{
    text_head(report, out);
    if (report->runs->len == 0)
        format_line(out, 0, 2, "no attempts yet: nothing has been measured");
    text_cells(report, out);
    add_findings(report, out);
    report_levels_text(report, out);
    add_troubles(report, out);
    text_deltas(report, all, out);
    add_legend(report, out);
    text_ladders(report, out);
    add_times(report, out);
}

void
report_text(const Report *report, GString *out)
{
    add_report(report, false, out);
}

void
report_text_all(const Report *report, GString *out)
{
    add_report(report, true, out);
}
