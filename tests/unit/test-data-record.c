/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines from a payload that cannot be trusted: good ones come out typed, bad
 * ones are refused with a reason, none crashes (run under SANITIZE too).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/random.h"
#include "data/record.h"
#include "guest-payload/wire.h"

/* Mutated lines tried; every one is parsed in some microseconds. */
#define MUTATIONS 20000

static const char *const good_lines[] = {
    "{\"type\":\"ready\",\"v\":1,\"role\":\"init\",\"facts\":{\"kernel\":"
    "\"6.1.0\",\"nr_cpus\":\"2\"}}",
    "{\"type\":\"note\",\"text\":\"mounted\",\"facts\":{\"mount.fs\":\"ext4\"}"
    "}",
    "{\"type\":\"note\",\"text\":\"\"}",
    "{\"type\":\"phase\",\"workload\":\"fs.fsync\",\"phase\":\"run\","
    "\"seq\":1,\"cold\":true}",
    "{\"type\":\"end\",\"workload\":\"fs.fsync\",\"phase\":\"run\",\"seq\":1,"
    "\"t0\":9007199254740993,\"t1\":9223372036854775807,\"ops\":3384}",
    "{\"type\":\"sample\",\"workload\":\"fs.fsync\",\"metric\":"
    "\"fs.fsync.rate\",\"value\":1584.25,\"n\":3384,\"seq\":1}",
    "{\"type\":\"hist\",\"workload\":\"fs.fsync\",\"metric\":\"fs.fsync.lat\","
    "\"seq\":1,\"n\":10,\"bins\":[[0,1],[128,4],[8191,5]]}",
    "{\"type\":\"error\",\"workload\":\"\",\"errno\":28,\"text\":\"disk "
    "full\"}",
    "{\"type\":\"done\",\"lines\":42}",
};

static Record *
parse_good(const char *line)
{
    g_autoptr(GError) err = NULL;
    Record *record = record_parse(line, &err);

    if (!record)
        fail_msg("%s: %s", line, err->message);
    return record;
}

static void
good_records(void **state)
{
    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(good_lines); i++) {
        g_autoptr(Record) record = parse_good(good_lines[i]);
        assert_non_null(record);
    }
}

static void
ready(void **state)
{
    g_autoptr(Record) record = parse_good(good_lines[0]);

    (void) state;
    assert_int_equal(record->type, RECORD_READY);
    assert_string_equal(record->role, "init");
    assert_int_equal(g_hash_table_size(record->facts), 2);
    assert_string_equal(g_hash_table_lookup(record->facts, "kernel"), "6.1.0");
}

/* Integers keep all 64 bits: a double would round them. */
static void
window_ends(void **state)
{
    g_autoptr(Record) record = parse_good(good_lines[4]);

    (void) state;
    assert_int_equal(record->type, RECORD_END);
    assert_true(record->t0 == G_GINT64_CONSTANT(9007199254740993));
    assert_true(record->t1 == G_MAXINT64);
    assert_int_equal(record->ops, 3384);
    assert_int_equal(record->seq, 1);
}

static void
samples(void **state)
{
    g_autoptr(Record) record = parse_good(good_lines[5]);
    g_autoptr(Record) whole =
        parse_good("{\"type\":\"sample\",\"workload\":\"w\",\"metric\":\"w.m\","
                   "\"value\":7,\"n\":0,\"seq\":0,\"extra\":[null]}");

    (void) state;
    assert_string_equal(record->metric, "fs.fsync.rate");
    assert_true(record->value == 1584.25);
    assert_int_equal(record->n, 3384);
    assert_true(whole->value == 7);
}

static void
histograms(void **state)
{
    g_autoptr(Record) record = parse_good(good_lines[6]);
    const HistBin *bins = (const HistBin *) (void *) record->bins->data;

    (void) state;
    assert_int_equal(record->n, 10);
    assert_int_equal(record->bins->len, 3);
    assert_int_equal(bins[1].index, 128);
    assert_int_equal(bins[1].count, 4);
    assert_int_equal(bins[2].index, 8191);
}

static void
text_is_cleaned(void **state)
{
    g_autofree char *text = g_strnfill(3000, 'x');
    g_autofree char *line = g_strdup_printf(
        "{\"type\":\"error\",\"workload\":\"fs.meta\",\"errno\":0,"
        "\"text\":\"a\\u001b[2Jb\\nc\\u202ed\xc3\xa4%s\"}",
        text);
    g_autoptr(Record) record = parse_good(line);

    (void) state;
    assert_memory_equal(record->text, "a?[2Jb c?d\xc3\xa4xx", 14);
    assert_int_equal(strlen(record->text), 1024);
}

/* The limit falls between characters, never into one. */
static void
text_is_cut_between_characters(void **state)
{
    g_autofree char *text = g_strnfill(1023, 'x');
    g_autofree char *line = g_strdup_printf(
        "{\"type\":\"note\",\"text\":\"%s\xc3\xa4tail\"}", text);
    g_autoptr(Record) record = parse_good(line);

    (void) state;
    assert_string_equal(record->text, text);
}

#define HIST(n, bins)                                                       \
    "{\"type\":\"hist\",\"workload\":\"w\",\"metric\":\"w.lat\",\"seq\":1," \
    "\"n\":" n ",\"bins\":" bins "}"
#define SAMPLE(value, n)                                          \
    "{\"type\":\"sample\",\"workload\":\"w\",\"metric\":\"w.m\"," \
    "\"value\":" value ",\"n\":" n ",\"seq\":1}"
#define PHASE(workload, phase, seq, cold)                            \
    "{\"type\":\"phase\",\"workload\":" workload ",\"phase\":" phase \
    ",\"seq\":" seq ",\"cold\":" cold "}"
#define END(t0, t1, ops)                                                \
    "{\"type\":\"end\",\"workload\":\"w\",\"phase\":\"run\",\"seq\":1," \
    "\"t0\":" t0 ",\"t1\":" t1 ",\"ops\":" ops "}"
#define READY(v, role, facts) \
    "{\"type\":\"ready\",\"v\":" v ",\"role\":" role ",\"facts\":" facts "}"
#define ERROR(workload, number, text)                                 \
    "{\"type\":\"error\",\"workload\":" workload ",\"errno\":" number \
    ",\"text\":" text "}"

static const struct {
    const char *line, *says;
} bad_lines[] = {
    {"", "not JSON"},
    {" ", "not JSON"},
    {"hello", "not JSON"},
    {"{", "not JSON"},
    {"{}", "not an object with a type"},
    {"[]", "not an object with a type"},
    {"[{\"type\":\"done\",\"lines\":1}]", "not an object"},
    {"\"done\"", "not JSON"},
    {"null", "not JSON"},
    {"1e999", "not JSON"},
    {"{\"type\":1}", "type"},
    {"{\"type\":null}", "type"},
    {"{\"type\":\"\"}", "the type ''"},
    {"{\"type\":\"Done\",\"lines\":1}", "'Done'"},
    {"{\"type\":\"go\",\"seq\":1}", "'go'"},
    {"{\"type\":\"job\"}", "'job'"},
    {"{\"type\":\"\\u001b[31m\"}", "'?[31m'"},
    {"{\"type\":\"done\"}", "done: no lines"},
    {"{\"type\":\"done\",\"lines\":-1}", "done: lines: -1"},
    {"{\"type\":\"done\",\"lines\":20001}", "20001"},
    {"{\"type\":\"done\",\"lines\":1.0}", "whole number"},
    {"{\"type\":\"done\",\"lines\":\"1\"}", "whole number"},
    {"{\"type\":\"done\",\"lines\":true}", "whole number"},
    {"{\"type\":\"done\",\"lines\":99999999999999999999}", "not JSON"},
    {"{\"type\":\"done\",\"lines\":1,\"lines\":2}", "duplicate"},
    {"{\"type\":\"done\",\"type\":\"note\",\"lines\":1}", "duplicate"},
    {"{\"type\":\"done\",\"lines\":1}{\"type\":\"done\"}", "not JSON"},
    {"{\"type\":\"done\",\"lines\":1} x", "not JSON"},
    {"{'type':'done','lines':1}", "not JSON"},
    {"{\"type\":\"note\"}", "note: no text"},
    {"{\"type\":\"note\",\"text\":7}", "not a string"},
    {"{\"type\":\"note\",\"text\":\"\xff\xfe\"}", "not JSON"},
    {"{\"type\":\"note\",\"text\":\"\xc3\"}", "not JSON"},
    {"{\"type\":\"note\",\"text\":\"a\\u0000b\"}", "not JSON"},
    {"{\"type\":\"note\",\"text\":\"\\ud800\"}", "not JSON"},
    {"{\"type\":\"note\",\"text\":\"a\nb\"}", "not JSON"},
    {"{\"type\":\"note\",\"text\":\"\",\"facts\":[]}", "not an object"},
    {READY("2", "\"init\"", "{}"), "version 2"},
    {READY("0", "\"init\"", "{}"), "rebuild"},
    {READY("\"1\"", "\"init\"", "{}"), "whole number"},
    {READY("1", "\"peer\"", "{}"), "'peer'"},
    {READY("1", "7", "{}"), "role: is not a string"},
    {READY("1", "\"init\"", "7"), "not an object"},
    {READY("1", "\"init\"", "{\"a\":1}"), "a is not a string"},
    {READY("1", "\"init\"", "{\"a b\":\"1\"}"), "'a b'"},
    {READY("1", "\"init\"", "{\"\":\"1\"}"), "''"},
    {"{\"type\":\"ready\",\"role\":\"init\",\"facts\":{}}", "no v"},
    {"{\"type\":\"ready\",\"v\":1,\"facts\":{}}", "no role"},
    {"{\"type\":\"ready\",\"v\":1,\"role\":\"init\"}", "no facts"},
    {PHASE("\"w\"", "\"run\"", "1", "1"), "true or false"},
    {PHASE("\"w\"", "\"run\"", "1", "null"), "true or false"},
    {PHASE("\"w\"", "\"run\"", "-1", "true"), "seq: -1"},
    {PHASE("\"w\"", "\"run\"", "4294967296", "true"), "4294967296"},
    {PHASE("\"\"", "\"run\"", "1", "true"), "workload: ''"},
    {PHASE("\"../x\"", "\"run\"", "1", "true"), "'../x'"},
    {PHASE("\"W\"", "\"run\"", "1", "true"), "'W'"},
    {PHASE("\"w\"", "\"r n\"", "1", "true"), "'r n'"},
    {PHASE("\"w\"", "null", "1", "true"), "not a string"},
    {PHASE("[\"w\"]", "\"run\"", "1", "true"), "not a string"},
    {END("2", "1", "1"), "ends before it begins"},
    {END("-1", "1", "1"), "t0: -1"},
    {END("1", "2.5", "1"), "t1"},
    {END("1", "2", "-3"), "ops: -3"},
    {END("1", "9223372036854775808", "1"), "not JSON"},
    {SAMPLE("\"7\"", "1"), "value: is not a number"},
    {SAMPLE("null", "1"), "value: is not a number"},
    {SAMPLE("NaN", "1"), "not JSON"},
    {SAMPLE("1e400", "1"), "not JSON"},
    {SAMPLE("1", "-1"), "n: -1"},
    {SAMPLE("1", "1e3"), "n: is not a whole number"},
    {HIST("1", "{}"), "not an array"},
    {HIST("1", "[1]"), "[index, count]"},
    {HIST("1", "[[1]]"), "[index, count]"},
    {HIST("1", "[[1,1,1]]"), "[index, count]"},
    {HIST("1", "[[1.5,1]]"), "[index, count]"},
    {HIST("1", "[[1,\"1\"]]"), "[index, count]"},
    {HIST("1", "[[-1,1]]"), "index -1"},
    {HIST("1", "[[8192,1]]"), "index 8192"},
    {HIST("9", "[[2,1],[1,1]]"), "bin 1 comes after bin 2"},
    {HIST("9", "[[2,1],[2,1]]"), "bin 2 comes after bin 2"},
    {HIST("9", "[[2,0]]"), "bin 2 counts 0"},
    {HIST("9", "[[2,-4]]"), "bin 2 counts -4"},
    {HIST("2", "[[1,1],[2,2]]"), "more than n (2)"},
    {HIST("9223372036854775807", "[[1,9223372036854775807],[2,1]]"),
     "more than n"},
    {HIST("-1", "[]"), "n: -1"},
    {ERROR("null", "1", "\"x\""), "workload"},
    {ERROR("\"w\"", "4096", "\"x\""), "errno: 4096"},
    {ERROR("\"w\"", "-5", "\"x\""), "errno: -5"},
    {ERROR("\"w\"", "5", "{}"), "text: is not a string"},
};

static void
bad_records(void **state)
{
    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(bad_lines); i++) {
        g_autoptr(GError) err = NULL;
        g_autoptr(Record) record = record_parse(bad_lines[i].line, &err);
        if (record)
            fail_msg("accepted: %s", bad_lines[i].line);
        if (!strstr(err->message, bad_lines[i].says))
            fail_msg("%s: says '%s', not '%s'", bad_lines[i].line, err->message,
                     bad_lines[i].says);
        assert_true(g_utf8_validate(err->message, -1, NULL));
        assert_null(strpbrk(err->message, "\n\033"));
    }
}

static void
refuse(const char *line, const char *says)
{
    g_autoptr(GError) err = NULL;

    assert_null(record_parse(line, &err));
    assert_non_null(strstr(err->message, says));
    assert_true(strlen(err->message) < 400);
}

static void
long_names(void **state)
{
    g_autofree char *name = g_strnfill(64, 'a');
    g_autofree char *good =
        g_strdup_printf(PHASE("\"%s\"", "\"run\"", "1", "false"), name);
    g_autofree char *bad =
        g_strdup_printf(PHASE("\"%sa\"", "\"run\"", "1", "false"), name);
    g_autoptr(Record) record = parse_good(good);

    (void) state;
    assert_string_equal(record->workload, name);
    refuse(bad, "not a name");
}

static char *
ready_with_facts(guint count, gsize length)
{
    g_autoptr(GString) facts = g_string_new(NULL);
    g_autofree char *value = g_strnfill(length, 'v');

    for (guint i = 0; i < count; i++)
        g_string_append_printf(facts, "%s\"f%u\":\"%s\"", i ? "," : "", i,
                               value);
    return g_strdup_printf(READY("1", "\"local\"", "{%s}"), facts->str);
}

static void
fact_limits(void **state)
{
    g_autofree char *most = ready_with_facts(64, 10);
    g_autofree char *many = ready_with_facts(65, 10);
    g_autofree char *longest = ready_with_facts(1, 8192);
    g_autofree char *longer = ready_with_facts(1, 8193);
    g_autoptr(Record) all = parse_good(most);
    g_autoptr(Record) one = parse_good(longest);

    (void) state;
    assert_int_equal(g_hash_table_size(all->facts), 64);
    assert_int_equal(strlen(g_hash_table_lookup(one->facts, "f0")), 8192);
    refuse(many, "more than 64");
    refuse(longer, "f0 is longer than 8192 bytes");
}

static void
line_limits(void **state)
{
    g_autofree char *fill = g_strnfill(WIRE_LINE_MAX, ' ');
    g_autofree char *line = g_strconcat(good_lines[8], fill, NULL);
    g_autofree char *deep = g_strnfill(WIRE_LINE_MAX - 1, '[');

    (void) state;
    refuse(line, "longer than");
    refuse(deep, "not JSON"); /* and no stack overflow */
    line[WIRE_LINE_MAX - 1] = '\0';
    g_autoptr(Record) record = parse_good(line);
    assert_int_equal(record->lines, 42);
}

/* One random change: a byte replaced, removed, doubled, or a piece of another
 * line put in. */
static void
mutate(Random *random, GString *line)
{
    const gsize at = (gsize) random_bounded(random, line->len);
    const char *other =
        good_lines[random_bounded(random, G_N_ELEMENTS(good_lines))];

    switch (random_bounded(random, 4)) {
    case 0: /* 1..255: a line has no NUL */
        line->str[at] = (char) (1 + random_bounded(random, 255));
        break;
    case 1:
        g_string_erase(line, (gssize) at, 1);
        break;
    case 2:
        g_string_insert_c(line, (gssize) at, line->str[at]);
        break;
    default:
        g_string_insert(line, (gssize) at,
                        other + random_bounded(random, strlen(other)));
    }
}

/* Whatever comes through obeys the rules. */
static void
check_record(const Record *record)
{
    assert_true(record->type <= RECORD_DONE);
    assert_true(record->seq >= 0 && record->t0 >= 0 && record->t1 >= 0);
    assert_true(record->n >= 0 && record->ops >= 0 && record->lines >= 0);
    assert_true(isfinite(record->value));
    if (record->text) {
        assert_true(strlen(record->text) <= 1024);
        assert_true(g_utf8_validate(record->text, -1, NULL));
    }
    for (guint i = 0; record->bins && i < record->bins->len; i++)
        assert_true(g_array_index(record->bins, HistBin, i).index < 8192);
}

static void
mutations(void **state)
{
    Random random;
    guint accepted = 0;

    (void) state;
    random_init(&random, 20261130);
    for (guint i = 0; i < MUTATIONS; i++) {
        g_autoptr(GError) err = NULL;
        g_autoptr(GString) line =
            g_string_new(good_lines[i % G_N_ELEMENTS(good_lines)]);
        for (guint n = 1 + (guint) random_bounded(&random, 4); n > 0; n--)
            if (line->len > 0)
                mutate(&random, line);
        g_autoptr(Record) record = record_parse(line->str, &err);
        assert_true((record == NULL) == (err != NULL));
        if (record) {
            check_record(record);
            accepted++;
        } else {
            assert_true(g_utf8_validate(err->message, -1, NULL));
        }
    }
    /* Some mutations hit a digit or a text and stay good. */
    assert_true(accepted > 0 && accepted < MUTATIONS);
}

static void
job_lines(void **state)
{
    RecordJob *job = record_job_new();

    (void) state;
    record_job_workload(job, "fs.fsync");
    record_job_param(job, "size", "4k");
    record_job_param(job, "time", "5s");
    record_job_workload(job, "cpu.int");
    record_job_guest(job, "disk", "vda");
    record_job_guest(job, "mount", "noatime,data=\"x\"");
    record_job_dir(job, "/tmp/w\xff");
    g_autofree char *line = record_job_line(job);
    assert_string_equal(
        line, "{\"type\":\"job\",\"v\":1,\"dir\":\"/tmp/w\xef\xbf\xbd\","
              "\"guest\":{\"disk\":\"vda\",\"mount\":"
              "\"noatime,data=\\\"x\\\"\"},\"workloads\":["
              "{\"name\":\"fs.fsync\",\"params\":{\"size\":\"4k\","
              "\"time\":\"5s\"}},{\"name\":\"cpu.int\",\"params\":{}}]}");
}

static void
small_lines(void **state)
{
    g_autofree char *job = record_job_line(record_job_new());
    g_autofree char *go = record_go_line(4294967295U);

    (void) state;
    assert_string_equal(job, "{\"type\":\"job\",\"v\":1,\"workloads\":[]}");
    assert_string_equal(go, "{\"type\":\"go\",\"seq\":4294967295}");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_records),
        cmocka_unit_test(ready),
        cmocka_unit_test(window_ends),
        cmocka_unit_test(samples),
        cmocka_unit_test(histograms),
        cmocka_unit_test(text_is_cleaned),
        cmocka_unit_test(text_is_cut_between_characters),
        cmocka_unit_test(bad_records),
        cmocka_unit_test(long_names),
        cmocka_unit_test(fact_limits),
        cmocka_unit_test(line_limits),
        cmocka_unit_test(mutations),
        cmocka_unit_test(job_lines),
        cmocka_unit_test(small_lines),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
