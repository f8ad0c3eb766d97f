/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The payload's agent over a socket pair: every line against wire.h, and
 * what it does when its work is spoilt behind its back.  A job stands still
 * between `end` and `go`, which is when these tests spoil it.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include "guest-payload/catalogue.h"
#include "payload-agent.h"

static void
test_ready(void **state)
{
    static const char *const names[] = {
        "kernel",         "nr_cpus",   "mem_total_kb", "clocksource",
        "clock_ns",       "cpu_model", "cpu_flags",    "cpu_flags_sha256",
        "payload_sha256", "cmdline",
    };
    Agent *agent = *state;
    json_t *ready = expect(agent, "ready");
    json_t *facts = json_object_get(ready, "facts");

    assert_int_equal(number_of(ready, "v"), WIRE_VERSION);
    assert_string_equal(text_of(ready, "role"), "agent");
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (!text_of(facts, names[i]) || !*text_of(facts, names[i]))
            fail_msg("no fact %s", names[i]);
    g_autofree char *data = NULL;
    gsize size = 0;
    assert_true(g_file_get_contents(PAYLOAD, &data, &size, NULL));
    g_autofree char *sum = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, (const guchar *) data, size);
    assert_string_equal(text_of(facts, "payload_sha256"), sum);
    json_decref(ready);
    say_job(agent, "");
    json_decref(expect(agent, "note"));
    expect_done(agent);
}

static void
check_hist(const json_t *line, json_int_t want)
{
    json_int_t sum = 0, last = -1;
    json_t *bin;
    size_t i;

    json_array_foreach(json_object_get(line, "bins"), i, bin)
    {
        json_int_t index = json_integer_value(json_array_get(bin, 0));
        json_int_t count = json_integer_value(json_array_get(bin, 1));
        assert_true(index > last && count > 0);
        last = index;
        sum += count;
    }
    assert_int_equal(sum, number_of(line, "n"));
    assert_int_equal(sum, want);
}

/* Takes results until a line that is none, which is returned. */
static json_t *
take_results(Agent *agent, const char *workload, GHashTable *samples)
{
    json_int_t hist = 0;
    json_t *line;

    while ((line = next(agent))) {
        bool sample = strcmp(type_of(line), "sample") == 0;
        if (!sample && strcmp(type_of(line), "hist") != 0)
            return line;
        assert_string_equal(text_of(line, "workload"), workload);
        if (sample) {
            const char *id = text_of(line, "metric");
            const WorkloadInfo *owner = NULL;
            assert_non_null(catalogue_metric(id, &owner));
            assert_string_equal(owner->name, workload);
            assert_true(json_number_value(json_object_get(line, "value")) > 0);
            assert_true(number_of(line, "n") > 0);
            assert_true(!hist || hist == number_of(line, "n"));
            assert_true(g_hash_table_add(samples, g_strdup(id)));
        } else {
            g_autofree char *id = g_strconcat(workload, ".lat", NULL);
            assert_string_equal(text_of(line, "metric"), id);
            hist = number_of(line, "n");
            check_hist(line, hist);
            assert_true(g_hash_table_add(samples, g_strdup(id)));
        }
        json_decref(line);
    }
    return NULL;
}

typedef struct Case {
    const char *workload, *params;
    const char *phases; /* in order */
} Case;

static const Case cases[] = {
    {"fs.fsync", "\"file\":\"1M\",\"time\":\"200ms\"", "run"},
    {"fs.dsync", "\"file\":\"1M\",\"time\":\"200ms\"", "run"},
    {"fs.seqwrite", "\"file\":\"4M\",\"bs\":\"64k\"", "run"},
    {"fs.seqread", "\"file\":\"4M\"", "cold warm"},
    {"db.txn", "\"rows\":\"20\"", "run"},
    {"db.txn", "\"rows\":\"20\",\"journal\":\"wal\"", "run"},
    {"cpu.int", "\"time\":\"100ms\"", "run"},
    {"cpu.rsa", "\"time\":\"100ms\"", "sign verify sign.all verify.all"},
};

static char *
workload_json(const char *name, const char *params)
{
    return g_strdup_printf("{\"name\":\"%s\",\"params\":{%s}}", name, params);
}

/* Every metric of the catalogue comes, as a sample or with the histogram. */
static void
check_complete(const char *workload, GHashTable *samples)
{
    const WorkloadInfo *info = catalogue_workload(workload);
    g_autofree char *hist = g_strconcat(workload, ".lat", NULL);

    for (const MetricInfo *m = info->metrics; m->id; m++)
        if (!g_hash_table_contains(samples, m->percentile > 0 ? hist : m->id))
            fail_msg("%s did not come", m->id);
}

static void
test_all_workloads(void **state)
{
    Agent *agent = *state;
    g_autoptr(GString) list = g_string_new(NULL);
    json_int_t seq = 0;

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *one =
            workload_json(cases[i].workload, cases[i].params);
        g_string_append_printf(list, "%s%s", i ? "," : "", one);
    }
    greet(agent, list->str);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(GStrv) phases = g_strsplit(cases[i].phases, " ", -1);
        g_autoptr(GHashTable) samples =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        for (char **phase = phases; *phase; phase++) {
            assert_int_equal(pass_window(agent, *phase), ++seq);
            say_go(agent, seq);
        }
        /* Results end where the next workload, or done, begins: that line
         * goes back to the front of the queue. */
        json_t *line = take_results(agent, cases[i].workload, samples);
        check_complete(cases[i].workload, samples);
        g_autofree char *text = json_dumps(line, JSON_COMPACT);
        g_string_prepend(agent->input, "\n");
        g_string_prepend(agent->input, text);
        agent->lines--;
        json_decref(line);
    }
    expect_done(agent);
    assert_false(g_file_test(agent->db, G_FILE_TEST_EXISTS));
}

/* What spoils the work between `end` and `go`. */
typedef void (*Spoil)(Agent *agent);

static void
spoil_block(Agent *agent)
{
    int fd = g_open(agent->work, O_WRONLY, 0);

    assert_int_equal(pwrite(fd, "spoilt", 6, 100), 6);
    close(fd);
}

static void
spoil_length(Agent *agent)
{
    assert_int_equal(truncate(agent->work, 4096 + 17), 0);
}

static void
spoil_rows(Agent *agent)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(agent->db, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "DELETE FROM txn WHERE id = 24", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
}

static void
spoil_row(Agent *agent)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(agent->db, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE txn SET key = 1 WHERE id = 7",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
}

/* One byte of the first page, where the pass before has read another. */
static void
spoil_before_warm(Agent *agent)
{
    int fd = g_open(agent->work, O_WRONLY, 0);

    assert_int_equal(pwrite(fd, "spoilt!!", 8, 0), 8);
    close(fd);
}

static void
check_spoilt(Agent *agent, const char *workload, const char *params,
             const char *phases, Spoil spoil, const char *says)
{
    g_autofree char *one = workload_json(workload, params);
    g_auto(GStrv) list = g_strsplit(phases, " ", -1);

    greet(agent, one);
    for (char **phase = list; *phase; phase++) {
        json_int_t seq = pass_window(agent, *phase);
        if (phase == list)
            spoil(agent);
        say_go(agent, seq);
    }
    json_t *error = expect(agent, "error");
    assert_string_equal(text_of(error, "workload"), workload);
    if (!strstr(text_of(error, "text"), says))
        fail_msg("\"%s\" does not say \"%s\"", text_of(error, "text"), says);
    json_decref(error);
    expect_done(agent);
}

static void
test_spoilt_fsync(void **state)
{
    check_spoilt(*state, "fs.fsync", "\"file\":\"1M\",\"time\":\"100ms\"",
                 "run", spoil_block, "block 0 of the work file");
}

static void
test_spoilt_dsync(void **state)
{
    check_spoilt(*state, "fs.dsync", "\"file\":\"1M\",\"time\":\"100ms\"",
                 "run", spoil_block, "block 0 of the work file");
}

static void
test_spoilt_seqwrite(void **state)
{
    check_spoilt(*state, "fs.seqwrite", "\"file\":\"4M\"", "run", spoil_length,
                 "cannot read back block");
}

static void
test_spoilt_seqread(void **state)
{
    check_spoilt(*state, "fs.seqread", "\"file\":\"4M\"", "cold warm",
                 spoil_before_warm, "not what the work file holds");
}

static void
test_spoilt_count(void **state)
{
    check_spoilt(*state, "db.txn", "\"rows\":\"20\"", "run", spoil_rows,
                 "the table has 24 rows, 25 were inserted");
}

static void
test_spoilt_row(void **state)
{
    check_spoilt(*state, "db.txn", "\"rows\":\"20\"", "run", spoil_row,
                 "row 7 is not what was inserted");
}

static void
check_refused(Agent *agent, const char *line, const char *workload,
              const char *says)
{
    json_decref(expect(agent, "ready"));
    say(agent, line);
    json_t *error = expect(agent, "error");
    assert_string_equal(text_of(error, "workload"), workload);
    if (!strstr(text_of(error, "text"), says))
        fail_msg("\"%s\" does not say \"%s\"", text_of(error, "text"), says);
    json_decref(error);
    json_t *done = expect(agent, "done");
    assert_int_equal(number_of(done, "lines"), 2);
    json_decref(done);
    say_go(agent, 0);
    assert_int_equal(ended(agent), 1);
}

static void
test_unknown_workload(void **state)
{
    check_refused(*state,
                  "{\"type\":\"job\",\"v\":1,\"workloads\":["
                  "{\"name\":\"cpu.int\"},{\"name\":\"fs.nothing\"}]}",
                  "fs.nothing", "unknown workload");
}

static void
test_bad_param(void **state)
{
    check_refused(*state,
                  "{\"type\":\"job\",\"v\":1,\"workloads\":[{\"name\":"
                  "\"cpu.int\",\"params\":{\"time\":\"5d\"}}]}",
                  "cpu.int", "is not a duration");
}

static void
test_other_version(void **state)
{
    check_refused(*state, "{\"type\":\"job\",\"v\":2,\"workloads\":[]}", "",
                  "version 1 only");
}

static void
test_not_json(void **state)
{
    check_refused(*state, "{\"type\":\"job\",", "", "job is not JSON");
}

static void
test_payload_outside(void **state)
{
    check_refused(*state,
                  "{\"type\":\"job\",\"v\":1,\"guest\":{\"payload\":"
                  "\"a/../../etc/passwd\"},\"workloads\":[]}",
                  "", "not below the disk's root");
}

/* A workload that cannot run is an error line; the next one runs. */
static void
test_file_too_small(void **state)
{
    Agent *agent = *state;

    greet(agent, "{\"name\":\"fs.fsync\",\"params\":{\"file\":\"1G\"}},"
                 "{\"name\":\"cpu.int\",\"params\":{\"time\":\"100ms\"}}");
    json_t *error = expect(agent, "error");
    assert_non_null(strstr(text_of(error, "text"), "1073741824 are needed"));
    json_decref(error);
    say_go(agent, pass_window(agent, "run"));
    json_decref(expect(agent, "sample"));
    expect_done(agent);
}

static void
test_host_gone(void **state)
{
    Agent *agent = *state;

    greet(agent, "{\"name\":\"cpu.int\",\"params\":{\"time\":\"100ms\"}}");
    json_decref(expect(agent, "phase"));
    close(agent->fd);
    agent->fd = -1;
    assert_int_equal(ended(agent), 3);
}

static void
test_wrong_go(void **state)
{
    Agent *agent = *state;

    greet(agent, "{\"name\":\"cpu.int\",\"params\":{\"time\":\"100ms\"}}");
    json_decref(expect(agent, "phase"));
    say_go(agent, 7);
    json_t *error = expect(agent, "error");
    assert_non_null(strstr(text_of(error, "text"), "expected go 1"));
    json_decref(error);
    assert_null(next(agent));
    assert_int_equal(ended(agent), 1);
}

static void
test_sigterm(void **state)
{
    Agent *agent = *state;

    greet(agent, "{\"name\":\"cpu.int\",\"params\":{\"time\":\"5m\"}}");
    json_decref(expect(agent, "phase"));
    say_go(agent, 1);
    kill(agent->pid, SIGTERM);
    json_t *error = expect(agent, "error");
    assert_string_equal(text_of(error, "text"), "stopped by SIGTERM");
    json_decref(error);
    assert_null(next(agent));
    assert_int_equal(ended(agent), 1);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_ready),
        TEST(test_all_workloads),
        TEST(test_spoilt_fsync),
        TEST(test_spoilt_dsync),
        TEST(test_spoilt_seqwrite),
        TEST(test_spoilt_seqread),
        TEST(test_spoilt_count),
        TEST(test_spoilt_row),
        TEST(test_unknown_workload),
        TEST(test_bad_param),
        TEST(test_other_version),
        TEST(test_not_json),
        TEST(test_payload_outside),
        TEST(test_file_too_small),
        TEST(test_host_gone),
        TEST(test_wrong_go),
        TEST(test_sigterm),
    };

    if (!g_file_test(PAYLOAD, G_FILE_TEST_IS_EXECUTABLE)) {
        g_print("1..0 # SKIP build/vsweep-payload is not built\n");
        return 0;
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
