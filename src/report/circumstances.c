/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Under what circumstances a sweep was made: texts that every face of the
 * report shows alike.
 */
#include "report/text.h"

#include <string.h>
#include "report/format.h"
#include "report/parts.h"
#include "report/precision.h"

static const char *
fact_or(const Report *report, const char *key, const char *otherwise)
{
    const char *fact = report_fact(report, key);

    return fact && *fact ? fact : otherwise;
}

char *
report_baseline_text(const Report *report)
{
    int place = report_cell_of(report, "baseline");

    return format_safe(
        fact_or(report, "baseline",
                place < 0 ? "none"
                          : ((StoreCell *) report->cells->pdata[place])->name));
}

const char *
report_baseline_why(const Report *report)
{
    if (g_strcmp0(report_fact(report, "baseline.given"), "no") != 0)
        return NULL;
    return fact_or(report, "baseline.why", "first level of each setting");
}

char *
report_cell_label(const StoreCell *cell)
{
    g_autofree char *name = format_safe(cell->name);
    bool unsafe = strcmp(report_cell_class(cell), "N") == 0;

    return g_strdup_printf("%s%s", name, unsafe ? " ‡" : "");
}

char *
report_grade_text(const Report *report)
{
    g_autoptr(GString) out = g_string_new(NULL);

    g_string_append_printf(out, "%c%s%s", report->grade,
                           report->emulated ? ", emulated" : "",
                           report->simulated ? ", simulated" : "");
    for (guint i = 0; i < report->grade_reasons->len; i++)
        g_string_append_printf(out, "%s%s", i == 0 ? " (" : ", ",
                               (char *) report->grade_reasons->pdata[i]);
    if (report->grade_reasons->len > 0)
        g_string_append_c(out, ')');
    return g_strdup(out->str);
}

/* Whether precision may end it; once blocks were added it may not. */
static bool
may_end_early(const Report *report)
{
    return report_fact(report, "blocks.min") &&
           !report_fact(report, "blocks.added") &&
           g_strcmp0(report_fact(report, "blocks.min"),
                     report_fact(report, "blocks.max")) != 0;
}

static char *
blocks_text(const Report *report)
{
    const char *planned = report_fact(report, "blocks.planned");
    g_autofree char *safe = format_safe(planned);

    if (report->unblocked)
        return g_strdup_printf("up to %u runs of a cell", report->last_block);
    if (!planned)
        return g_strdup_printf("%u block%s", report->blocks,
                               report->blocks == 1 ? "" : "s");
    return g_strdup_printf("%u of %s%s blocks", report->blocks,
                           may_end_early(report) ? "at most " : "", safe);
}

/* "precision reached after 8 of at most 16 blocks"; NULL while it has not
 * stopped.  Where the number of blocks was fixed, the reason alone. */
char *
report_stop_text(const Report *report)
{
    static const struct {
        const char *reason, *text;
    } known[] = {
        {"precision", "precision reached"},
        {"time_budget", "time budget"},
    };
    g_autofree char *reason = format_safe(report_fact(report, "stop_reason"));
    g_autofree char *blocks = blocks_text(report);
    const char *text = reason;

    if (!*reason || g_strcmp0(report_fact(report, "status"), "running") == 0)
        return NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(reason, known[i].reason) == 0)
            text = known[i].text;
    return may_end_early(report) ? g_strdup_printf("%s after %s", text, blocks)
                                 : g_strdup(text);
}

/* How the sweep ended and, where that was left to the precision, what it
 * comes to; else how far it is. */
static void
add_stop(const Report *report, GPtrArray *out)
{
    g_autofree char *stop = report_stop_text(report);
    char *reached =
        may_end_early(report) ? report_precision_text(report) : NULL;

    if (stop)
        g_ptr_array_add(out, g_strdup_printf("stopped: %s", stop));
    if (reached)
        g_ptr_array_add(out, reached);
    if (report_fact(report, "blocks.added")) {
        g_autofree char *added =
            format_safe(report_fact(report, "blocks.added"));

        g_ptr_array_add(out,
                        g_strdup_printf("%s blocks added after a look", added));
    }
}

static void
add_fact(const Report *report, GPtrArray *out, const char *label,
         const char *key)
{
    g_autofree char *safe = format_safe(report_fact(report, key));

    if (*safe)
        g_ptr_array_add(out, g_strdup_printf("%s%s", label, safe));
}

void
report_note_accel(Report *report)
{
    const char *accel = report_fact(report, "accel");

    report->emulated = g_strcmp0(accel, "tcg") == 0;
    report->simulated = g_strcmp0(accel, "simulated") == 0;
}

const char *
report_where(const Report *report)
{
    if (report->simulated)
        return " in a simulation";
    return report->emulated ? " under emulation" : "";
}

/* "under emulation (TCG): not a measurement ... (no /dev/kvm)", "KVM". */
char *
report_accel_text(const Report *report)
{
    const char *banner = report->simulated  ? REPORT_SIMULATED
                         : report->emulated ? REPORT_EMULATED
                                            : "KVM";
    g_autofree char *why = format_safe(report_fact(report, "accel.why"));

    if (!report_fact(report, "accel"))
        return NULL;
    return g_strdup_printf("%s%s%s%s", banner, *why ? " (" : "", why,
                           *why ? ")" : "");
}

GPtrArray *
report_circumstances(const Report *report)
{
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *stop = report_stop_text(report);

    if (strcmp(fact_or(report, "status", "finished"), "finished") != 0)
        add_fact(report, out, "PARTIAL: ", "status");
    add_fact(report, out, "design ", "design");
    add_fact(report, out, "", "comparison");
    if (!may_end_early(report) || !stop)
        g_ptr_array_add(out, blocks_text(report));
    g_ptr_array_add(out,
                    g_strdup_printf("%u of %u cells", report->cells_measured,
                                    report->cells_planned));
    add_fact(report, out, "seed ", "seed");
    add_stop(report, out);
    return out;
}

GPtrArray *
report_origins(const Report *report, bool brief)
{
    /* Versions carry the name of what they are the version of. */
    static const struct {
        const char *key, *label;
        bool brief;
    } origins[] = {
        {"host.cpu.model", "", true},  {"version.qemu", "", true},
        {"version.libvirt", "", true}, {"kernel", "guest kernel ", true},
        {"hygiene", "hygiene ", true}, {"storage", "storage ", false},
        {"uri", "connection ", false}, {"confinement", "confinement ", false},
    };
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);

    for (gsize i = 0; i < G_N_ELEMENTS(origins); i++)
        if (!brief || origins[i].brief)
            add_fact(report, out, origins[i].label, origins[i].key);
    return out;
}

/* "74 of 96 windows (steal 62, foreign_cpu 12): noted, ..." */
char *
report_disturbed_text(const Report *report)
{
    guint disturbed = 0, windows = report_windows(report, &disturbed);
    const char *hygiene = report_fact(report, "hygiene");
    g_autofree char *safe = format_safe(hygiene);
    g_autoptr(GString) out = g_string_new(NULL);

    if (disturbed == 0)
        return NULL;
    g_string_append_printf(out, "%u of %u windows (", disturbed, windows);
    for (guint i = 0; i < report->gates->len; i++) {
        const StoreGate *gate = report->gates->pdata[i];
        g_autofree char *id = format_safe(gate->id);

        if (gate->id)
            g_string_append_printf(out, "%s%s %u", i ? ", " : "", id,
                                   gate->windows);
    }
    g_string_append_printf(out, "): noted, not excluded%s%s",
                           hygiene ? " under hygiene " : "", safe);
    return g_strdup(out->str);
}
