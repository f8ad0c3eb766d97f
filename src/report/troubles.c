/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What went wrong in a sweep or was left out of it: sentences that every face
 * of the report shows alike.
 */
#include "report/text.h"

#include <string.h>
#include "report/format.h"
#include "report/parts.h"

/* Cells left out are many in a constrained design: this many are named. */
#define LEFT_OUT_SHOWN 8

/* How the attempts of a cell ended. */
typedef struct Tally {
    guint attempts, failed;
    guint by_outcome[OUTCOME_MAX];
    const char *reason; /* of the last failure */
} Tally;

static Tally
tally_cell(const Report *report, guint cell)
{
    Tally tally = {0};

    for (guint i = 0; i < report->runs->len; i++) {
        const StoreRun *run = report->runs->pdata[i];

        if (run->cell != cell || run->discarded)
            continue;
        tally.attempts++;
        if (run->outcome == OUTCOME_OK)
            continue;
        tally.failed++;
        tally.by_outcome[run->outcome]++;
        tally.reason = run->reason ? run->reason : tally.reason;
    }
    return tally;
}

/* "cell X: 1 of 3 failed: panic (Kernel panic - not syncing)" */
static char *
failure_text(const StoreCell *cell, const Tally *tally)
{
    g_autofree char *name = report_cell_label(cell);
    g_autofree char *reason = format_safe(tally->reason);
    g_autofree char *cut = format_cut(reason, 120);
    g_autoptr(GString) out = g_string_new(NULL);
    guint kinds = 0;

    g_string_append_printf(out, "cell %s: %u of %u failed: ", name,
                           tally->failed, tally->attempts);
    for (guint i = 0; i < OUTCOME_MAX; i++) {
        if (tally->by_outcome[i] == 0)
            continue;
        g_string_append(out, kinds++ ? ", " : "");
        if (tally->by_outcome[i] < tally->failed)
            g_string_append_printf(out, "%u ", tally->by_outcome[i]);
        g_string_append(out, outcome_name((Outcome) i));
    }
    if (*cut)
        g_string_append_printf(out, " (%s%s)", kinds > 1 ? "last: " : "", cut);
    return g_strdup(out->str);
}

static void
add_failures(const Report *report, GPtrArray *out)
{
    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];
        Tally tally = tally_cell(report, cell->index);

        /* That it was refused is why it is unsupported. */
        if (tally.failed > 0 && strcmp(cell->state, "unsupported") != 0)
            g_ptr_array_add(out, failure_text(cell, &tally));
    }
}

/* Excluded by rule and unsupported by the hypervisor are never mixed up. */
static void
add_left_out(const Report *report, const char *state, GPtrArray *out)
{
    guint count = 0;

    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];
        g_autofree char *name = report_cell_label(cell);
        g_autofree char *why = format_safe(cell->why);

        if (strcmp(cell->state, state) != 0 || ++count > LEFT_OUT_SHOWN)
            continue;
        g_ptr_array_add(out, g_strdup_printf("cell %s: %s%s%s", name, state,
                                             *why ? ": " : "", why));
    }
    if (count > LEFT_OUT_SHOWN)
        g_ptr_array_add(out,
                        g_strdup_printf("%u more cells %s, see report.json",
                                        count - LEFT_OUT_SHOWN, state));
}

static void
add_unmeasured(const Report *report, GPtrArray *out)
{
    for (guint i = 0; i < report->cells->len; i++) {
        const StoreCell *cell = report->cells->pdata[i];
        g_autofree char *name = report_cell_label(cell);

        if (report_cell_planned(cell) && report->runs->len > 0 &&
            tally_cell(report, cell->index).attempts == 0)
            g_ptr_array_add(out,
                            g_strdup_printf("cell %s: no attempt yet", name));
    }
}

static void
add_missing_metrics(const Report *report, GPtrArray *out)
{
    const char *primary = report_fact(report, "primary");
    g_auto(GStrv) ids = g_strsplit(primary ? primary : "", " ", -1);

    for (guint i = 0; ids[i] && report->runs->len > 0; i++) {
        g_autofree char *id = format_safe(ids[i]);

        if (*id && report_metric(report, ids[i]) < 0)
            g_ptr_array_add(out,
                            g_strdup_printf("primary metric %s: no value", id));
    }
}

static void
add_discarded(const Report *report, GPtrArray *out)
{
    guint count = 0;

    for (guint i = 0; i < report->runs->len; i++)
        count += ((StoreRun *) report->runs->pdata[i])->discarded;
    if (count > 0)
        g_ptr_array_add(
            out, g_strdup_printf("%u attempts of interrupted sessions are set "
                                 "aside: another boot or another version",
                                 count));
}

GPtrArray *
report_troubles(const Report *report)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);

    add_failures(report, out);
    add_left_out(report, "unsupported", out);
    add_left_out(report, "excluded", out);
    add_unmeasured(report, out);
    add_missing_metrics(report, out);
    add_discarded(report, out);
    for (guint i = 0; i < report->notes->len; i++)
        g_ptr_array_add(out, format_safe(report->notes->pdata[i]));
    return out;
}
