/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes wrong in simulated sweeps, and what their reports say of it. */
#include <unistd.h>
#include "report/write.h"
#include "simulate-util.h"

/* What disturbs a window is found by the gates of real windows. */
static void
gates_judge(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *model, *id;
    } rows[] = {
        {"steal: {disk.cache: writeback, share: 12%}", "steal: 12 % of 1 vCPU"},
        {"clock_skew: {disk.cache: writeback, rate: 3%}", "clock: "},
        {"steal: {cell: host, share: 12%}", "host_steal: 12 % of"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(Simulated) s = {0};
        g_autoptr(GPtrArray) runs = NULL;
        guint invalid = 0;

        simulated_run(&s, MATRIX, rows[i].model, 3);
        runs = runs_of(s.result.db);
        for (guint r = 0; r < runs->len; r++) {
            const StoreRun *run = runs->pdata[r];

            if (run->outcome == OUTCOME_OK)
                continue;
            assert_int_equal(run->outcome, OUTCOME_INVALID);
            assert_true(g_str_has_prefix(run->reason, rows[i].id));
            assert_true(run->block <= 2); /* then it is left out */
            assert_true(run->try <= 3);
            invalid++;
        }
        assert_int_equal(invalid % 6, 0); /* two blocks, three tries each */
        assert_true(invalid > 0 && s.result.failed_cells == invalid / 6);
    }
}

/* A theft below the limit, and one that is only noted. */
static void
small_thefts_pass(void **state G_GNUC_UNUSED)
{
    g_auto(Simulated) small = {0}, quick = {0};
    g_autoptr(Report) report = NULL;
    guint disturbed = 0;

    simulated_run(&small, MATRIX, "steal: {share: 0.4%}", 3);
    assert_int_equal(small.result.failed_cells, 0);
    simulated_run(&quick, MATRIX "hygiene: quick\n", "steal: {share: 5%}", 3);
    assert_int_equal(quick.result.failed_cells, 0);
    report = report_load(quick.result.db, NULL);
    assert_non_null(report);
    assert_true(report_windows(report, &disturbed) > 0 && disturbed > 0);
}

static void
every_outcome(void **state G_GNUC_UNUSED)
{
    for (Outcome o = OUTCOME_OK; o < OUTCOME_MAX; o++) {
        g_autofree char *text = g_strdup_printf(
            "fail: {disk.cache: writeback, outcome: %s, words: as told}",
            outcome_name(o));
        g_auto(Simulated) s = {0};
        g_autoptr(GPtrArray) runs = NULL;
        g_autoptr(GError) err = NULL;
        guint failed = 0;

        if (o == OUTCOME_OK || o == OUTCOME_INVALID ||
            o == OUTCOME_INTERRUPTED) {
            assert_null(model_parse(text, "m", &err));
            continue;
        }
        simulated_run(&s, SMALL, text, 3);
        runs = runs_of(s.result.db);
        for (guint r = 0; r < runs->len; r++) {
            const StoreRun *run = runs->pdata[r];

            if (run->outcome == OUTCOME_OK)
                continue;
            assert_int_equal(run->outcome, o);
            assert_string_equal(run->reason, "as told");
            failed++;
        }
        assert_true(failed > 0);
    }
}

/* A baseline that cannot run is no sweep. */
static void
unsupported_baseline(void **state G_GNUC_UNUSED)
{
    g_auto(Simulated) s = {0};
    g_autoptr(GError) err = NULL;

    assert_false(simulated_prepare(
        &s, MATRIX, "unsupported: {disk.cache: none, why: gone}", &err));
    assert_non_null(strstr(err->message, "none/threads"));
    assert_non_null(strstr(err->message, "gone"));
}

/* Excluded by rule, unsupported before and during the sweep, failed: each by
 * its own name in every face (METHOD 14.6). */
static void
states_are_kept_apart(void **state G_GNUC_UNUSED)
{
    static const char model[] =
        "unsupported: {disk.cache: directsync, disk.io: native, why: never}\n"
        "fail:\n"
        "  - {disk.cache: directsync, disk.io: threads, outcome: refused,\n"
        "     words: not today}\n"
        "  - {disk.cache: none, disk.io: native, outcome: panic}\n";
    static const char *const sentences[] = {
        "cell writeback/native: excluded: ",
        "cell directsync/native: unsupported: never",
        "cell directsync/threads: unsupported: not today",
        "cell none/native: 6 of 6 failed: panic",
    };
    static void (*const faces[])(const Report *, GString *) = {
        report_text, report_markdown, report_json};
    g_auto(Simulated) s = {0};
    g_autoptr(Report) report = NULL;
    g_autoptr(GString) out = g_string_new(NULL);

    simulated_run(&s, MATRIX, model, 3);
    assert_int_equal(s.result.failed_cells, 1);
    report = report_load(s.result.db, NULL);
    assert_non_null(report);
    for (gsize f = 0; f < G_N_ELEMENTS(faces); f++) {
        faces[f](report, g_string_truncate(out, 0));
        for (gsize i = 0; i < G_N_ELEMENTS(sentences); i++)
            if (count(out->str, sentences[i]) != 1)
                fail_msg("face %zu: %s\n%s", f, sentences[i], out->str);
    }
    report_text(report, g_string_truncate(out, 0));
    assert_int_equal(count(out->str, "cell directsync/threads"), 1);
}

/* It can be taken for a measurement nowhere. */
static void
every_face_says_so(void **state G_GNUC_UNUSED)
{
    g_auto(Simulated) s = {0};
    g_autoptr(Report) report = NULL;
    g_autoptr(GString) out = g_string_new(NULL);

    simulated_run(&s, MATRIX, lively, 3);
    report = report_load(s.result.db, NULL);
    assert_non_null(report);
    assert_string_equal(report_fact(report, "accel"), "simulated");
    assert_string_equal(report_fact(report, "model.text"), lively);
    report_text(report, out);
    assert_non_null(strstr(out->str, "simulated, no measurement"));
    assert_non_null(strstr(out->str, " in a simulation"));
    assert_non_null(strstr(out->str, ", simulated"));
    report_markdown(report, g_string_truncate(out, 0));
    assert_non_null(strstr(out->str, "**simulated, no measurement"));
    report_json(report, g_string_truncate(out, 0));
    assert_non_null(strstr(out->str, "\"simulated\": true"));
    report_runs_csv(report, g_string_truncate(out, 0));
    assert_int_equal(count(out->str, ",simulated"), count(out->str, "\n") - 1);
    report_contrasts_csv(report, g_string_truncate(out, 0));
    assert_int_equal(count(out->str, ",simulated"), count(out->str, "\n") - 1);
    assert_true(report_compare(report, "disk.cache", NULL, "fs.fsync.p50",
                               g_string_truncate(out, 0), NULL));
    assert_non_null(strstr(out->str, "simulated, no measurement"));
}

/* ---------------------------------------------------------- bad models */

#define BAD_DIR "bad-models"
#define GOLDEN_MAX (64 * 1024)

/* Every complaint of tests/data/bad-models/STEM.yaml is in STEM.err. */
static void
check_golden(const char *stem, GString *failures)
{
    g_autofree char *path = g_strdup_printf(BAD_DIR "/%s.yaml", stem);
    g_autofree char *golden = g_strdup_printf(BAD_DIR "/%s.err", stem);
    g_autofree char *expected = NULL, *got = NULL;
    g_autoptr(GError) err = NULL;
    g_autoptr(Model) model = model_load(path, &err);

    if (model) {
        g_string_append_printf(failures, "%s was accepted\n", path);
        return;
    }
    got = g_strdup_printf("%s\n", err->message);
    assert_int_equal(vs_error_status(err), 2);
    if (g_getenv("VSWEEP_REGENERATE"))
        assert_true(file_write(golden, got, -1, NULL));
    expected = file_read(golden, GOLDEN_MAX, NULL, NULL);
    if (g_strcmp0(expected, got) != 0)
        g_string_append_printf(failures, "%s: expected\n%sgot\n%s", path,
                               expected ? expected : "no golden file\n", got);
}

static void
bad_models(void **state G_GNUC_UNUSED)
{
    g_autoptr(GDir) dir = NULL;
    g_autoptr(GString) failures = g_string_new(NULL);
    const char *name = NULL;
    guint n = 0;

    assert_int_equal(chdir(VS_SOURCE_DIR "/tests/data"), 0);
    dir = g_dir_open(BAD_DIR, 0, NULL);
    assert_non_null(dir);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *stem = g_strdup(name);

        if (!g_str_has_suffix(name, ".yaml"))
            continue;
        stem[strlen(stem) - strlen(".yaml")] = '\0';
        check_golden(stem, failures);
        n++;
    }
    if (failures->len)
        fail_msg("%s", failures->str);
    assert_true(n >= 10);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gates_judge),
        cmocka_unit_test(small_thefts_pass),
        cmocka_unit_test(every_outcome),
        cmocka_unit_test(unsupported_baseline),
        cmocka_unit_test(states_are_kept_apart),
        cmocka_unit_test(every_face_says_so),
        cmocka_unit_test(bad_models),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
