/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The base modules: units, suggestions, random order, tables, files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/random.h"
#include "base/suggest.h"
#include "base/table.h"
#include "base/units.h"

static void
sizes(void **state)
{
    static const struct {
        const char *text;
        guint64 bytes;
    } good[] = {{"4k", 4096},       {"512M", 536870912}, {"1GiB", 1073741824},
                {"17", 17},         {"1.5k", 1536},      {"2 g", 2147483648},
                {"1TB", 1ULL << 40}};
    static const char *const bad[] = {"",    "k",    "-1",  "4x",  "1.0001",
                                      "0x4", "4k k", "nan", "inf", "9e99"};
    guint64 bytes = 0;

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
        assert_true(units_parse_size(good[i].text, &bytes, NULL));
        assert_int_equal(bytes, good[i].bytes);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) err = NULL;

        assert_false(units_parse_size(bad[i], &bytes, &err));
        assert_int_equal(vs_error_status(err), 2);
    }
}

static void
durations_and_ratios(void **state)
{
    gint64 ns = 0;
    double ratio = 0;
    guint64 count = 0;

    (void) state;
    assert_true(units_parse_duration("500ms", &ns, NULL));
    assert_int_equal(ns, 500000000);
    assert_true(units_parse_duration("2h", &ns, NULL));
    assert_int_equal(ns, 7200 * CLOCK_NS_PER_S);
    assert_true(units_parse_duration("5", &ns, NULL));
    assert_int_equal(ns, 5 * CLOCK_NS_PER_S);
    assert_false(units_parse_duration("5 parsecs", &ns, NULL));
    assert_true(units_parse_ratio("2%", &ratio, NULL));
    assert_true(ratio > 0.0199999 && ratio < 0.0200001);
    assert_false(units_parse_ratio("two", &ratio, NULL));
    assert_true(units_parse_count("12", 1, 12, &count, NULL));
    assert_int_equal(count, 12);
    assert_false(units_parse_count("13", 1, 12, &count, NULL));
    assert_false(units_parse_count("-1", 0, 12, &count, NULL));
    assert_false(units_parse_count("99999999999999999999", 0, G_MAXUINT64,
                                   &count, NULL));
}

static void
formats(void **state)
{
    static const struct {
        char *(*format)(gint64 ns);
        gint64 value;
        const char *text;
    } durations[] = {
        {units_format_duration, 350 * CLOCK_NS_PER_MS, "350 ms"},
        {units_format_duration, 7200 * CLOCK_NS_PER_MS, "7.2 s"},
        {units_format_duration, 245 * CLOCK_NS_PER_S, "4 min 05 s"},
        {units_format_duration, 7380 * CLOCK_NS_PER_S, "2 h 03 min"}};
    g_autofree char *size = units_format_size(1536ULL << 20);
    g_autofree char *value = units_format_value(622.4, "us");
    g_autofree char *small = units_format_value(0.1234, "s");

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(durations); i++) {
        g_autofree char *text = durations[i].format(durations[i].value);

        assert_string_equal(text, durations[i].text);
    }
    assert_string_equal(size, "1.5 GiB");
    assert_string_equal(value, "622 us");
    assert_string_equal(small, "0.123 s");
}

static void
suggestions(void **state)
{
    static const char *const names[] = {"disk.cache", "disk.format", "vcpus",
                                        NULL};

    (void) state;
    assert_string_equal(suggest_name("disk.chace", names), "disk.cache");
    assert_string_equal(suggest_name("vcpu", names), "vcpus");
    assert_null(suggest_name("memory", names));
}

/* The vectors of METHOD 4.2. */
static void
random_vectors(void **state)
{
    static const guint64 expected[] = {
        6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
        4593380528125082431ULL, 16408922859458223821ULL};
    static const guint64 tens[] = {7, 4, 6, 3, 4, 5, 8, 2, 5, 5, 3, 6};
    Random random = {0};

    (void) state;
    random_init(&random, 1234567);
    for (gsize i = 0; i < G_N_ELEMENTS(expected); i++)
        assert_true(random_next(&random) == expected[i]);
    random_init(&random, 7);
    for (gsize i = 0; i < G_N_ELEMENTS(tens); i++)
        assert_int_equal(random_bounded(&random, 10), tens[i]);
}

static void
tables(void **state)
{
    static const char *const headings[] = {"name", "value"};
    static const TableAlign align[] = {TABLE_LEFT, TABLE_RIGHT};
    static const char *const row1[] = {"a", "1.5"};
    static const char *const row2[] = {"longer|µ", NULL};
    g_autoptr(Table) table = table_new(2, headings, align);
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GString) markdown = g_string_new(NULL);

    (void) state;
    table_add(table, row1);
    table_add(table, row2);
    table_format(table, 2, text);
    assert_string_equal(text->str, "  name      value\n"
                                   "  a           1.5\n"
                                   "  longer|µ\n");
    table_format_markdown(table, markdown);
    assert_non_null(strstr(markdown->str, "longer\\|µ"));
    assert_non_null(strstr(markdown->str, "|---|---:|"));
}

static void
files(void **state)
{
    g_autofree char *dir = g_dir_make_tmp("vsweep-base-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a", "b", NULL);
    g_autofree char *sub = g_build_filename(dir, "a", NULL);
    g_autofree char *link = g_build_filename(dir, "a", "link", NULL);
    g_autofree char *text = NULL, *sum = NULL, *tail = NULL;
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_true(file_mkdir(sub, NULL));
    assert_true(file_write(path, "one\x01two\n", -1, NULL));
    text = file_read(path, 100, NULL, NULL);
    assert_string_equal(text, "one\x01two\n");
    assert_null(file_read(path, 3, NULL, &err));
    assert_non_null(strstr(err->message, "larger than 3 bytes"));
    sum = file_sha256(path, NULL);
    assert_int_equal(strlen(sum), 64);
    tail = file_tail(path, 5);
    assert_string_equal(tail, ".two\n");
    assert_int_equal(symlink("/etc", link), 0);
    assert_true(file_remove(dir, NULL));
    assert_int_not_equal(access(dir, F_OK), 0);
    assert_int_equal(access("/etc/passwd", F_OK), 0);
    assert_true(file_remove(dir, NULL));
}

static void
children(void **state)
{
    static const char *const good[] = {"sh", "-c", "echo out", NULL};
    static const char *const bad[] = {"sh", "-c", "echo why >&2; exit 3", NULL};
    g_autoptr(GError) err = NULL;
    g_autofree char *out = NULL;
    int status = 0;
    pid_t pid = 0;

    (void) state;
    assert_true(child_run(good, &out, NULL));
    assert_string_equal(out, "out\n");
    assert_false(child_run(bad, NULL, &err));
    assert_string_equal(err->message, "sh failed with status 3: why");
    pid = fork();
    if (pid == 0)
        _exit(5);
    assert_true(child_reap(pid, clock_raw_ns() + 10 * CLOCK_NS_PER_S, &status));
    assert_int_equal(WEXITSTATUS(status), 5);
}

static void
runtime_directory(void **state)
{
    g_autofree char *dir = g_dir_make_tmp("vs-XXXXXX", NULL);
    g_autofree char *shorter = g_build_filename(dir, "r", NULL);
    g_autofree char *longer =
        g_build_filename(dir, "far-too-long-for-a-unix-socket", NULL);
    g_autofree char *got = NULL;
    g_autoptr(GError) err = NULL;

    (void) state;
    g_setenv("VSWEEP_RUNTIME_DIR", shorter, TRUE);
    got = paths_runtime(NULL);
    assert_string_equal(got, shorter);
    g_setenv("VSWEEP_RUNTIME_DIR", longer, TRUE);
    assert_null(paths_runtime(&err));
    assert_non_null(strstr(err->message, "longer than 30 bytes"));
    file_remove(dir, NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(durations_and_ratios),
        cmocka_unit_test(formats),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(random_vectors),
        cmocka_unit_test(tables),
        cmocka_unit_test(files),
        cmocka_unit_test(children),
        cmocka_unit_test(runtime_directory),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
