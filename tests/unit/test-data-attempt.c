/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attempts: names, the first cause, ownership. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "data/attempt.h"

static void
outcome_names(void **state)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    (void) state;
    for (guint i = 0; i < OUTCOME_MAX; i++) {
        Outcome outcome = OUTCOME_MAX;
        const char *name = outcome_name((Outcome) i);
        const char *summary = outcome_summary((Outcome) i);
        assert_non_null(name);
        assert_true(g_hash_table_add(seen, (gpointer) name));
        assert_true(outcome_parse(name, &outcome));
        assert_int_equal(outcome, i);
        assert_true(strlen(summary) > 0 && !strchr(summary, '\n'));
        assert_false(g_str_has_suffix(summary, "."));
    }
    assert_string_equal(outcome_name(OUTCOME_QEMU_DIED), "qemu-died");
}

static void
unknown_outcomes(void **state)
{
    static const char *const names[] = {"", "OK", "ok ", "no_boot", "failed"};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        Outcome outcome = OUTCOME_HANG;
        assert_false(outcome_parse(names[i], &outcome));
        assert_int_equal(outcome, OUTCOME_HANG); /* untouched */
    }
}

static void
part_names(void **state)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    (void) state;
    for (guint i = 0; i < PART_MAX; i++) {
        assert_non_null(part_name((Part) i));
        assert_true(g_hash_table_add(seen, (gpointer) part_name((Part) i)));
    }
    assert_string_equal(part_name(PART_PREPARE), "prepare");
    assert_string_equal(part_name(PART_OTHER), "other");
}

static void
first_cause_wins(void **state)
{
    g_autoptr(Attempt) attempt = attempt_new(3, 2, 1, 7);

    (void) state;
    assert_int_equal(attempt->block, 3);
    assert_int_equal(attempt->pos, 2);
    assert_int_equal(attempt->try, 1);
    assert_int_equal(attempt->cell, 7);
    assert_int_equal(attempt->outcome, OUTCOME_OK);
    assert_null(attempt->reason);
    attempt_fail(attempt, OUTCOME_PANIC, "cpu %d\nsaid\tno", 1);
    attempt_fail(attempt, OUTCOME_EARLY_OFF, "powered off");
    assert_int_equal(attempt->outcome, OUTCOME_PANIC);
    assert_string_equal(attempt->reason, "cpu 1 said no");
}

static void
cause_behind_a_symptom(void **state)
{
    g_autoptr(Attempt) attempt = attempt_new(1, 0, 1, 0);

    (void) state;
    attempt_fail(attempt, OUTCOME_EARLY_OFF, "powered off");
    attempt_override(attempt, OUTCOME_QEMU_DIED, "signal %d", 9);
    assert_int_equal(attempt->outcome, OUTCOME_QEMU_DIED);
    assert_string_equal(attempt->reason, "signal 9");
}

/* What an attempt's lists are given is freed with it (address sanitizer). */
static void
lists_own_their_entries(void **state)
{
    g_autoptr(Attempt) attempt = attempt_new(1, 0, 1, 0);
    AttemptWindow *window = attempt_window_new("fs.fsync", "run", 2);
    AttemptHist *hist = attempt_hist_new("fs.fsync", "fs.fsync.lat");
    AttemptValue *value = g_new0(AttemptValue, 1);
    HistBin bin = {12, 34};
    gint64 *ticks = g_new0(gint64, 1);

    (void) state;
    assert_string_equal(window->phase, "run");
    assert_int_equal(window->seq, 2);
    g_hash_table_insert(window->before, g_strdup("cpu.user"), ticks);
    g_ptr_array_add(attempt->windows, window);
    g_array_append_val(hist->bins, bin);
    g_ptr_array_add(attempt->hists, hist);
    value->reason = g_strdup("too few samples");
    g_ptr_array_add(attempt->values, value);
    g_hash_table_insert(attempt->facts, g_strdup("a"), g_strdup("b"));
    assert_int_equal(attempt->hists->len, 1);
    attempt_free(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcome_names),
        cmocka_unit_test(unknown_outcomes),
        cmocka_unit_test(part_names),
        cmocka_unit_test(first_cause_wins),
        cmocka_unit_test(cause_behind_a_symptom),
        cmocka_unit_test(lists_own_their_entries),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
