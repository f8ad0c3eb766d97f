/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ladder for people: the steps, who is to thank for the last of them, what
 * the rungs are, and the sentence.  The same tables in terminal and Markdown.
 */
#include "report/ladder.h"

#include <math.h>
#include "base/table.h"
#include "report/format.h"
#include "report/parts.h"

/* Why the column log is there. */
#define LADDER_FOOT                                                         \
    "log: the mean of ln(ratio), better up; steps add up in it, and in no " \
    "percentage"

static char *
change_text(const ReportStep *step)
{
    g_autofree char *percent = report_percent(step->ratio);
    g_autofree char *interval = format_interval(step->ratio_lo, step->ratio_hi);

    if (step->estimate.n == 0)
        return g_strdup("-");
    return isnan(step->ratio_lo) ? g_strdup(percent)
                                 : g_strdup_printf("%7s %s", percent, interval);
}

static char *
log_text(double mean)
{
    return isnan(mean) ? g_strdup("-") : g_strdup_printf("%+.4f", mean);
}

static char *
share_text(const ReportLadder *ladder, const ReportStep *step)
{
    double share = report_ladder_share(ladder, step);

    return isnan(share) ? g_strdup("-")
                        : g_strdup_printf("%.0f %%", 100 * share);
}

static void
add_step(const ReportLadder *ladder, const ReportStep *step, Table *table)
{
    g_autofree char *change = change_text(step);
    g_autofree char *n = g_strdup_printf("%u", step->estimate.n);
    g_autofree char *log = log_text(step->mean);
    g_autofree char *share = share_text(ladder, step);

    table_add(table, (const char *const[]){step->name, change, n, log, share});
}

static Table *
step_table(const ReportLadder *ladder)
{
    static const char *const headings[] = {"step", "change [interval] %", "n",
                                           "log", "of the log total"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_LEFT, TABLE_RIGHT,
                                       TABLE_RIGHT, TABLE_RIGHT};
    Table *table = table_new(G_N_ELEMENTS(headings), headings, align);

    for (guint i = 0; i < ladder->steps->len; i++)
        add_step(ladder, &g_array_index(ladder->steps, ReportStep, i), table);
    add_step(ladder, &ladder->total, table);
    return table;
}

/* What adds up over the settings: Shapley's shares where there are some, else
 * what each makes alone, and the remainder. */
static bool
has_shapley(const ReportLadder *ladder)
{
    const ReportPart *part = ladder->parts->pdata[0];

    return part->shapley.estimate.n > 0;
}

/* "disk.cache: none → writeback", cut to it: a line holds the figures too. */
#define PART_WIDTH 40

static char *
part_name_text(const ReportPart *part, bool markdown)
{
    g_autofree char *raw =
        g_strdup_printf("%s: %s → %s", part->setting, part->base, part->level);
    g_autofree char *safe = format_safe(raw);

    return markdown ? format_markdown(raw) : format_cut(safe, PART_WIDTH);
}

static void
add_part(const ReportLadder *ladder, const ReportPart *part, bool markdown,
         Table *table)
{
    const ReportStep *sum =
        has_shapley(ladder) ? &part->shapley : &part->first_in;
    g_autofree char *name = part_name_text(part, markdown);
    g_autofree char *first = report_percent(part->first_in.ratio);
    g_autofree char *last = report_percent(part->last_in.ratio);
    g_autofree char *range = g_strdup_printf(
        "%s ... %s", first, part->last_in.estimate.n > 0 ? last : "not run");
    g_autofree char *change = change_text(sum);
    g_autofree char *log = log_text(sum->mean);

    table_add(table, (const char *const[]){name, range, change, log});
}

static Table *
part_table(const ReportLadder *ladder, bool markdown)
{
    const char *const headings[] = {
        "configuration, by setting", "alone ... last",
        has_shapley(ladder) ? "Shapley [interval] %" : "alone [interval] %",
        "log"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_LEFT, TABLE_LEFT,
                                       TABLE_RIGHT};
    Table *table = table_new(G_N_ELEMENTS(headings), headings, align);
    g_autofree char *change = change_text(&ladder->remainder);
    g_autofree char *log = log_text(ladder->remainder.mean);

    for (guint i = 0; i < ladder->parts->len; i++)
        add_part(ladder, ladder->parts->pdata[i], markdown, table);
    if (!has_shapley(ladder) && ladder->remainder.estimate.n > 0)
        table_add(table, (const char *const[]){ladder->remainder.name, "",
                                               change, log});
    return table;
}

static char *
title_of(const Report *report, const ReportLadder *ladder)
{
    const ReportMetric *metric = report->metrics->pdata[ladder->metric];

    return g_strdup_printf("Ladder of %s, %s: from the host down to the "
                           "baseline guest",
                           metric->id, format_better(metric->higher_better));
}

static bool
has_note(const ReportLadder *ladder, const char *note)
{
    return g_ptr_array_find_with_equal_func(ladder->notes, note, g_str_equal,
                                            NULL);
}

/* What every ladder says is said once, behind them. */
static bool
is_shared(const Report *report, const char *note)
{
    for (guint i = 0; i < report->ladders->len; i++)
        if (!has_note(report->ladders->pdata[i], note))
            return false;
    return true;
}

static void
add_note(const char *note, GString *out)
{
    g_autofree char *safe = format_safe(note);

    format_line(out, 2, 4, "%s", safe);
}

static void
text_ladder(const Report *report, const ReportLadder *ladder, GString *out)
{
    g_autoptr(Table) steps = step_table(ladder);
    g_autofree char *title = title_of(report, ladder);
    g_autofree char *safe = format_safe(title);
    g_autofree char *sentence = report_ladder_sentence(report, ladder);

    g_string_append_c(out, '\n');
    format_wrap(out, 0, 2, safe);
    table_format(steps, 2, out);
    if (ladder->parts->len > 0) {
        g_autoptr(Table) parts = part_table(ladder, false);

        table_format(parts, 2, out);
    }
    for (guint i = 0; i < ladder->notes->len; i++)
        if (!is_shared(report, ladder->notes->pdata[i]))
            add_note(ladder->notes->pdata[i], out);
    if (sentence) {
        g_autofree char *plain = format_safe(sentence);

        format_line(out, 0, 2, "* %s", plain);
    }
}

void
text_ladders(const Report *report, GString *out)
{
    const ReportLadder *any = NULL;

    if (report->emulated || report->ladders->len == 0)
        return;
    any = report->ladders->pdata[0];
    for (guint i = 0; i < report->ladders->len; i++)
        text_ladder(report, report->ladders->pdata[i], out);
    for (guint i = 0; i < any->notes->len; i++)
        if (is_shared(report, any->notes->pdata[i]))
            add_note(any->notes->pdata[i], out);
    add_note(LADDER_FOOT, out);
}

static void
add_bullet(const char *text, GString *out)
{
    g_autofree char *safe = format_markdown(text);

    g_string_append_printf(out, "- %s\n", safe);
}

static void
markdown_ladder(const Report *report, const ReportLadder *ladder, GString *out)
{
    g_autoptr(Table) steps = step_table(ladder);
    g_autofree char *title = title_of(report, ladder);
    g_autofree char *safe = format_markdown(title);
    g_autofree char *sentence = report_ladder_sentence(report, ladder);

    g_string_append_printf(out, "\n## %s\n\n", safe);
    table_format_markdown(steps, out);
    if (ladder->parts->len > 0) {
        g_autoptr(Table) parts = part_table(ladder, true);

        g_string_append_c(out, '\n');
        table_format_markdown(parts, out);
    }
    g_string_append_c(out, '\n');
    if (sentence)
        add_bullet(sentence, out);
    for (guint i = 0; i < ladder->notes->len; i++)
        add_bullet(ladder->notes->pdata[i], out);
    add_bullet(LADDER_FOOT, out);
}

void
markdown_ladders(const Report *report, GString *out)
{
    for (guint i = 0; !report->emulated && i < report->ladders->len; i++)
        markdown_ladder(report, report->ladders->pdata[i], out);
}
