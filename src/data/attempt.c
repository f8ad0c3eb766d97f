/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attempts: their names, making and freeing.  The names are what results.db
 * and every report show, so they never change.
 */
#include "data/attempt.h"

#include <string.h>

typedef struct OutcomeInfo {
    const char *name, *summary;
} OutcomeInfo;

static const OutcomeInfo outcomes[] = {
    [OUTCOME_OK] = {"ok", "measured"},
    [OUTCOME_INVALID] = {"invalid", "something disturbed a measured window"},
    [OUTCOME_MISMATCH] = {"mismatch", "a setting did not take effect"},
    [OUTCOME_REFUSED] = {"refused", "libvirt or QEMU refused to start it"},
    [OUTCOME_NO_BOOT] = {"no-boot", "the guest did not report in time"},
    [OUTCOME_HANG] = {"hang", "the guest fell silent after it had booted"},
    [OUTCOME_PANIC] = {"panic", "the guest's kernel crashed"},
    [OUTCOME_EARLY_OFF] = {"early-off", "the guest powered off before its end"},
    [OUTCOME_RUBBISH] = {"rubbish", "the guest talked against the protocol"},
    [OUTCOME_QEMU_DIED] = {"qemu-died", "QEMU was killed or aborted"},
    [OUTCOME_QEMU_STUCK] = {"qemu-stuck",
                            "QEMU answered nothing and was killed"},
    [OUTCOME_GUEST_ERROR] = {"guest-error", "a workload or its check failed"},
    [OUTCOME_IMAGE] = {"image", "the disk image could not be made"},
    [OUTCOME_INTERRUPTED] = {"interrupted", "vsweep was told to stop"},
};
G_STATIC_ASSERT(G_N_ELEMENTS(outcomes) == OUTCOME_MAX);

static const char *const parts[] = {
    [PART_PREPARE] = "prepare", [PART_BOOT] = "boot",
    [PART_MEASURE] = "measure", [PART_STOP] = "stop",
    [PART_IMAGES] = "images",   [PART_WAIT] = "wait",
    [PART_OTHER] = "other",
};
G_STATIC_ASSERT(G_N_ELEMENTS(parts) == PART_MAX);

const char *
outcome_name(Outcome outcome)
{
    g_return_val_if_fail(outcome < OUTCOME_MAX, "?");
    return outcomes[outcome].name;
}

const char *
outcome_summary(Outcome outcome)
{
    g_return_val_if_fail(outcome < OUTCOME_MAX, "?");
    return outcomes[outcome].summary;
}

bool
outcome_parse(const char *name, Outcome *ret_outcome)
{
    for (guint i = 0; i < OUTCOME_MAX; i++) {
        if (strcmp(outcomes[i].name, name) == 0) {
            *ret_outcome = (Outcome) i;
            return true;
        }
    }
    return false;
}

const char *
part_name(Part part)
{
    g_return_val_if_fail(part < PART_MAX, "?");
    return parts[part];
}

void
attempt_value_free(AttemptValue *value)
{
    if (!value)
        return;
    g_free(value->workload);
    g_free(value->metric);
    g_free(value->unit);
    g_free(value->reason);
    g_free(value);
}

void
attempt_hist_free(AttemptHist *hist)
{
    if (!hist)
        return;
    g_free(hist->workload);
    g_free(hist->metric);
    if (hist->bins)
        g_array_unref(hist->bins);
    g_free(hist);
}

void
attempt_window_free(AttemptWindow *window)
{
    if (!window)
        return;
    g_free(window->workload);
    g_free(window->phase);
    if (window->before)
        g_hash_table_unref(window->before);
    if (window->after)
        g_hash_table_unref(window->after);
    g_free(window->breach);
    g_free(window);
}

void
attempt_proof_free(AttemptProof *proof)
{
    if (!proof)
        return;
    g_free(proof->setting);
    g_free(proof->source);
    g_free(proof->requested);
    g_free(proof->effective);
    g_free(proof);
}

Attempt *
attempt_new(guint block, guint pos, guint try, guint cell)
{
    Attempt *attempt = g_new0(Attempt, 1);

    attempt->block = block;
    attempt->pos = pos;
    attempt->try = try;
    attempt->cell = cell;
    attempt->outcome = OUTCOME_OK;
    attempt->facts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    attempt->values =
        g_ptr_array_new_with_free_func((GDestroyNotify) attempt_value_free);
    attempt->hists =
        g_ptr_array_new_with_free_func((GDestroyNotify) attempt_hist_free);
    attempt->windows =
        g_ptr_array_new_with_free_func((GDestroyNotify) attempt_window_free);
    attempt->proofs =
        g_ptr_array_new_with_free_func((GDestroyNotify) attempt_proof_free);
    attempt->lines = g_ptr_array_new_with_free_func(g_free);
    return attempt;
}

static void set_outcome(Attempt *attempt, Outcome outcome, const char *format,
                        va_list args) G_GNUC_PRINTF(3, 0);

static void
set_outcome(Attempt *attempt, Outcome outcome, const char *format, va_list args)
{
    attempt->outcome = outcome;
    g_free(attempt->reason);
    attempt->reason = g_strdup_vprintf(format, args);
    g_strdelimit(attempt->reason, "\r\n\t", ' '); /* it is one line */
}

void
attempt_fail(Attempt *attempt, Outcome outcome, const char *format, ...)
{
    va_list args;

    g_return_if_fail(outcome != OUTCOME_OK && outcome < OUTCOME_MAX);
    if (attempt->outcome != OUTCOME_OK)
        return; /* what follows from the first cause explains nothing */
    va_start(args, format);
    set_outcome(attempt, outcome, format, args);
    va_end(args);
}

void
attempt_override(Attempt *attempt, Outcome outcome, const char *format, ...)
{
    va_list args;

    g_return_if_fail(outcome != OUTCOME_OK && outcome < OUTCOME_MAX);
    va_start(args, format);
    set_outcome(attempt, outcome, format, args);
    va_end(args);
}

AttemptHist *
attempt_hist_new(const char *workload, const char *metric)
{
    AttemptHist *hist = g_new0(AttemptHist, 1);

    hist->workload = g_strdup(workload);
    hist->metric = g_strdup(metric);
    hist->bins = g_array_new(FALSE, FALSE, sizeof(HistBin));
    return hist;
}

AttemptWindow *
attempt_window_new(const char *workload, const char *phase, guint seq)
{
    AttemptWindow *window = g_new0(AttemptWindow, 1);

    window->workload = g_strdup(workload);
    window->phase = g_strdup(phase);
    window->seq = seq;
    window->before =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    window->after =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return window;
}

void
attempt_free(Attempt *attempt)
{
    if (!attempt)
        return;
    g_free(attempt->reason);
    g_free(attempt->started);
    g_free(attempt->asked_xml);
    g_free(attempt->live_xml);
    g_free(attempt->argv);
    g_free(attempt->console);
    g_free(attempt->slot);
    g_hash_table_unref(attempt->facts);
    g_ptr_array_unref(attempt->values);
    g_ptr_array_unref(attempt->hists);
    g_ptr_array_unref(attempt->windows);
    g_ptr_array_unref(attempt->proofs);
    g_ptr_array_unref(attempt->lines);
    g_free(attempt);
}
