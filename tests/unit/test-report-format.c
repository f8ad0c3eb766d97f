/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, escapes and wrapping, and CSV that reads back. */
#include "report-sweeps.h"
#include "report/from-csv.h"

#include "report/format.h"

#define same(call, expected)                   \
    do {                                       \
        g_autofree char *got_ = (call);        \
        assert_string_equal(got_, (expected)); \
    } while (0)

static void
percentages(void **state)
{
    (void) state;
    same(report_percent(1.182), "+18.2 %");
    same(report_percent(0.976), "-2.4 %");
    same(report_percent(1.0), "0.0 %");
    same(report_percent(0.9999), "0.0 %");
    same(report_percent(3.5), "+250 %");
    same(report_percent(NAN), "-");
    same(format_interval(0.95, 1.001), "[-5.0, +0.1]");
    same(format_interval(NAN, 1), "-");
}

static void
probabilities(void **state)
{
    (void) state;
    same(format_p(0.03125), "0.031");
    same(format_p(0.0078125), "0.0078");
    same(format_p(0.84375), "0.84");
    same(format_p(1.8e-8), "<0.0001");
    same(format_p(NAN), "-");
    same(format_confidence(0.9609375), "96.1");
    same(format_confidence(0.95), "95");
}

static void
exact_numbers_read_back(void **state)
{
    static const double values[] = {0.1,    3224.3,       1.0 / 3, 1e300,
                                    5e-324, -0.000123456, 0,       1e15 + 0.3};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autofree char *text = format_exact(values[i]);

        assert_true(g_ascii_strtod(text, NULL) == values[i]);
    }
    same(format_exact(3224.3), "3224.3");
    same(format_exact(NAN), "");
}

static void
hostile_texts(void **state)
{
    (void) state;
    same(format_safe("a\x1b[2Jb\nc\td"), "a?[2Jb c d");
    same(format_safe("\xff\xfe"), "\xef\xbf\xbd\xef\xbf\xbd");
    same(format_safe("\xe2\x80\xae"
                     "abc\xc2\x9b"),
         "?abc?");
    same(format_safe(NULL), "");
    same(format_markdown("a|b <script> [x](y) `z` *w*"),
         "a&#124;b &lt;script&gt; \\[x\\](y) \\`z\\` \\*w\\*");
    same(format_cut("abcdef", 4), "abc…");
    same(format_cut("abcd", 4), "abcd");
}

static void
wrapping(void **state)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *word = g_strnfill(250, 'x');

    (void) state;
    format_wrap(out, 2, 4, word);
    format_line(out, 0, 2, "%s %s 18.2 %% tail", word, "and then 99.99");
    g_auto(GStrv) lines = g_strsplit(out->str, "\n", -1);
    assert_true(g_str_has_prefix(lines[0], "  xx"));
    assert_true(g_str_has_prefix(lines[1], "    xx"));
    for (guint i = 0; lines[i]; i++)
        assert_true(g_utf8_strlen(lines[i], -1) <= FORMAT_WIDTH);
}

/* A number and its percent sign stay on one line. */
static void
percent_stays(void **state)
{
    (void) state;
    for (guint lead = 80; lead < 100; lead++) {
        g_autoptr(GString) out = g_string_new(NULL);
        g_autofree char *word = g_strnfill(lead, 'x');

        format_line(out, 0, 2, "%s 18.2 %% tail", word);
        assert_non_null(strstr(out->str, "18.2 %"));
    }
}

/* One CSV record; returns what is behind it. */
static const char *
read_record(const char *p, GPtrArray *fields)
{
    g_autoptr(GString) field = g_string_new(NULL);
    bool quoted = false;

    for (; *p && (quoted || *p != '\n'); p++) {
        if (quoted && p[0] == '"' && p[1] == '"')
            g_string_append_c(field, *p++);
        else if (*p == '"')
            quoted = !quoted;
        else if (*p == ',' && !quoted) {
            g_ptr_array_add(fields, g_strdup(field->str));
            g_string_truncate(field, 0);
        } else
            g_string_append_c(field, *p);
    }
    g_ptr_array_add(fields, g_strdup(field->str));
    return *p ? p + 1 : p;
}

/* Records of a CSV text, all of one width.  (GPtrArray of char *) */
static GPtrArray *
read_csv(const char *text)
{
    GPtrArray *records =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);

    while (*text) {
        GPtrArray *fields = g_ptr_array_new_with_free_func(g_free);

        text = read_record(text, fields);
        g_ptr_array_add(records, fields);
        assert_int_equal(fields->len, ((GPtrArray *) records->pdata[0])->len);
    }
    return records;
}

static const char *
field(const GPtrArray *records, guint row, const char *column)
{
    const GPtrArray *head = records->pdata[0];

    for (guint i = 0; i < head->len; i++)
        if (strcmp(head->pdata[i], column) == 0)
            return ((GPtrArray *) records->pdata[row])->pdata[i];
    fail_msg("no column %s", column);
    return NULL;
}

static void
runs_csv_round_trip(void **state)
{
    Sweep *sweep = *state;

    make_e1(sweep, 8);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_runs_csv);
    g_autoptr(GPtrArray) records = read_csv(text);
    assert_int_equal(records->len, report->values->len + 1);
    for (guint i = 0; i < report->values->len; i++) {
        const StoreValue *value = report->values->pdata[i];

        assert_true(g_ascii_strtod(field(records, i + 1, "value"), NULL) ==
                    value->value);
        assert_int_equal(atoi(field(records, i + 1, "block")), value->block);
        assert_string_equal(field(records, i + 1, "metric"), value->metric);
        assert_string_equal(field(records, i + 1, "valid"), "1");
    }
}

/* What `vsweep analyze` says of runs.csv is what the report says of the
 * sweep. */
static void
runs_csv_analysed(void **state)
{
    Sweep *sweep = *state;
    const CsvOptions options = {0};
    g_autoptr(GError) err = NULL;
    g_autofree char *path = g_build_filename(sweep->dir, "runs.csv", NULL);

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_runs_csv);
    must(g_file_set_contents(path, text, -1, &err));
    g_autoptr(Report) again = report_from_csv(path, &options, &err);
    must(again);
    assert_int_equal(again->contrasts->len, report->contrasts->len);
    assert_int_equal(again->blocks, report->blocks);
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];
        const ReportMetric *metric = report->metrics->pdata[c->metric];
        int m = report_metric(again, metric->id);
        assert_true(m >= 0);
        const ReportContrast *other =
            report_contrast(again, (guint) m, c->setting, c->level);

        assert_non_null(other);
        assert_string_equal(other->word, c->word);
        assert_string_equal(other->base, c->base);
        assert_string_equal(other->class_level, c->class_level);
        assert_true(fabs(other->estimate.est - c->estimate.est) < 1e-12);
        assert_true(fabs(other->estimate.lo - c->estimate.lo) < 1e-12);
        assert_int_equal(other->estimate.n, c->estimate.n);
    }
}

/* Failures and interrupted runs are none of the analysis, and counted. */
static void
runs_csv_with_trouble(void **state)
{
    Sweep *sweep = *state;
    const CsvOptions options = {0};
    g_autoptr(GError) err = NULL;
    g_autofree char *path = g_build_filename(sweep->dir, "runs.csv", NULL);

    make_trouble(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_runs_csv);
    must(g_file_set_contents(path, text, -1, &err));
    g_autoptr(Report) again = report_from_csv(path, &options, &err);
    must(again);
    assert_int_equal(again->runs->len, report->runs->len);
    g_autofree char *shown = text_of(again, report_text);
    assert_non_null(
        strstr(shown, "cell raw/writeback: 1 of 4 failed: panic (Kernel"));
    assert_non_null(strstr(shown, "cell raw/writethrough: 4 of 4 failed"));
}

static void
csv_keeps_awkward_texts(void **state)
{
    Sweep *sweep = *state;

    begin_storage(sweep);
    sweep_fact(sweep, "matrix.name", "a,\"b\"");
    sweep_design(sweep);
    Attempt *attempt = sweep_attempt(sweep, 1, "raw/none");
    attempt_fail(attempt, OUTCOME_PANIC, "%s", "oops, \"x\"\x07");
    sweep_put(sweep, attempt);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_runs_csv);
    g_autoptr(GPtrArray) records = read_csv(text);
    assert_int_equal(records->len, 2);
    assert_string_equal(field(records, 1, "campaign"), "a,\"b\"");
    assert_string_equal(field(records, 1, "reason"), "panic: oops, \"x\"?");
    assert_string_equal(field(records, 1, "valid"), "0");
}

static void
contrasts_csv_has_every_row(void **state)
{
    Sweep *sweep = *state;

    make_storage(sweep);
    g_autoptr(Report) report = sweep_load(sweep);
    g_autofree char *text = text_of(report, report_contrasts_csv);
    g_autoptr(GPtrArray) records = read_csv(text);
    /* Two ladders follow, each of two steps and the total. */
    assert_int_equal(records->len, report->contrasts->len + 1 + 2 * 3);
    for (guint i = 0; i < report->contrasts->len; i++) {
        const ReportContrast *c = report->contrasts->pdata[i];

        assert_string_equal(field(records, i + 1, "verdict"), c->word);
        assert_float_equal(g_ascii_strtod(field(records, i + 1, "ratio"), NULL),
                           c->ratio, 1e-9);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentages),
        cmocka_unit_test(probabilities),
        cmocka_unit_test(exact_numbers_read_back),
        cmocka_unit_test(hostile_texts),
        cmocka_unit_test(wrapping),
        cmocka_unit_test(percent_stays),
        TEST(runs_csv_round_trip),
        TEST(runs_csv_analysed),
        TEST(runs_csv_with_trouble),
        TEST(csv_keeps_awkward_texts),
        TEST(contrasts_csv_has_every_row),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-format", tests, NULL, NULL);
}
