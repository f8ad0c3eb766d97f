/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole reports of whole sweeps against files under tests/data/report.  Look
 * at the difference before VSWEEP_REGENERATE=1.
 */
#include "report-sweeps.h"

#include "report/format.h"

static void
make_e1_whole(Sweep *sweep)
{
    make_e1(sweep, 8);
}

/* Which sweep a test is about. */
typedef struct Case {
    const char *name;
    void (*make)(Sweep *sweep);
} Case;

static const Case cases[] = {
    {"e1", make_e1_whole},       {"e2", make_e2},
    {"storage", make_storage},   {"trouble", make_trouble},
    {"emulated", make_emulated}, {"one-block", make_one_block},
    {"empty", make_empty},       {"screening", make_screening},
};

static const struct {
    const char *extension;
    void (*format)(const Report *report, GString *out);
} faces[] = {
    {"txt", report_text},
    {"md", report_markdown},
    {"runs.csv", report_runs_csv},
    {"contrasts.csv", report_contrasts_csv},
    {"interactions.csv", report_interactions_csv},
    {"json", report_json},
};

static void
check_widths(const char *name, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (guint i = 0; lines[i]; i++) {
        if (g_utf8_strlen(lines[i], -1) > FORMAT_WIDTH)
            fail_msg("%s: too wide: %s", name, lines[i]);
        if (g_str_has_suffix(lines[i], " "))
            fail_msg("%s: ends in white space: '%s'", name, lines[i]);
    }
}

static void
check_plain(const char *text)
{
    assert_true(g_utf8_validate(text, -1, NULL));
    for (const char *p = text; *p; p++)
        if (g_ascii_iscntrl(*p) && *p != '\n')
            fail_msg("control character %d", *p);
}

static void
check_case(Sweep *sweep, const Case *which)
{
    which->make(sweep);
    g_autoptr(Report) report = sweep_load(sweep);

    for (gsize i = 0; i < G_N_ELEMENTS(faces); i++) {
        g_autofree char *text = text_of(report, faces[i].format);
        g_autofree char *name =
            g_strdup_printf("%s.%s", which->name, faces[i].extension);

        check_plain(text);
        if (faces[i].format == report_text)
            check_widths(name, text);
        assert_null(strstr(text, "no effect"));
        assert_null(strstr(text, "identical"));
        check_golden(name, text);
    }
}

#define CASE(index, function)              \
    static void function(void **state)     \
    {                                      \
        check_case(*state, &cases[index]); \
    }

CASE(0, e1)
CASE(1, e2)
CASE(2, storage)
CASE(3, trouble)
CASE(4, emulated)
CASE(5, one_block)
CASE(6, empty)
CASE(7, screening)

/* Every row of a delta says which direction is better. */
static void
direction_on_every_row(void **state)
{
    Sweep *sweep = *state;
    guint rows = 0;

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_text_all);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        if (!strstr(lines[i], " → ") || strstr(lines[i], "base → level"))
            continue;
        rows++;
        assert_true(strstr(lines[i], "higher is better") ||
                    strstr(lines[i], "lower is better"));
    }
    assert_int_equal(rows, 3 * 5); /* metrics times levels and the host */
}

/* Ten seconds: what was asked, whether to believe it, and all plain numbers
 * are on the first screen, before any delta. */
static void
first_screen(void **state)
{
    static const char *const needed[] = {
        "cache-modes: Which cache mode",
        "under emulation (TCG)",
        "grade      D, emulated",
        "this host, no guest",
        "raw/none (baseline)",
        "raw/unsafe ‡",
        "aa (baseline again)",
        "QEMU 7.2.22, libvirt 9.0.0",
        "baseline   disk.format=raw disk.cache=none"};
    Sweep *sweep = *state;
    const char *end = NULL;

    make_emulated(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_text);
    end = text;
    for (guint line = 0; line < 24; line++)
        end = strchr(end, '\n') + 1;
    for (gsize i = 0; i < G_N_ELEMENTS(needed); i++) {
        const char *found = strstr(text, needed[i]);

        if (!found || found >= end)
            fail_msg("not on the first screen: %s", needed[i]);
    }
    assert_true(strstr(text, "band ±") > strstr(text, "raw/unsafe ‡"));
}

/* The terminal shows primary metrics and says how to see the others. */
static void
exploratory_only_when_asked(void **state)
{
    Sweep *sweep = *state;

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_text);
    g_autofree char *all = text_of(report, report_text_all);
    assert_null(strstr(text, "fs.fsync.p99 in us"));
    assert_non_null(strstr(text, "1 more metric, exploratory: vsweep report "
                                 "--all, summary.md"));
    assert_non_null(strstr(all, "fs.fsync.p99 in us"));
    assert_null(strstr(all, "vsweep report --all"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(e1),
        TEST(e2),
        TEST(storage),
        TEST(trouble),
        TEST(emulated),
        TEST(one_block),
        TEST(empty),
        TEST(screening),
        TEST(direction_on_every_row),
        TEST(first_screen),
        TEST(exploratory_only_when_asked),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-golden", tests, NULL, NULL);
}
