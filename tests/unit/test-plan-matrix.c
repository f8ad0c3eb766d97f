/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrix files and options: what is accepted means what it says, what is
 * wrong is complained about as the golden files have it, and the files in
 * matrices/ are right.
 */
#include <unistd.h>
#include <glib/gstdio.h>
#include "base/file.h"
#include "plan-util.h"

#define BAD_DIR "bad-matrices"
#define GOLDEN_MAX (64 * 1024)

/* The example of the manual page, every key of it. */
static const char full_example[] =
    "name: cache-modes\n"
    "question: Which cache mode and image format\n"
    "  cost fsync latency?\n"
    "domain: micro\n"
    "disk: vda\n"
    "storage: /nonexistent/images\n"
    "guest: {kernel: host, fs: ext3, memory: 1024M, disk: 2G, "
    "cmdline: 'a=b c'}\n"
    "baseline: {disk.cache: writeback, disk.io: threads}\n"
    "best: {disk.format: qcow2, disk.cache: none}\n"
    "matrix:\n"
    "  disk.format: [raw, qcow2]\n"
    "  disk.cache: [none, writeback, unsafe]\n"
    "  disk.io: threads\n"
    "design: full\n"
    "exclude:\n"
    "  - {disk.format: raw, disk.cache: unsafe, why: already known}\n"
    "include:\n"
    "  - {disk.format: qcow2, disk.prealloc: metadata, label: thin}\n"
    "blocks: {min: 6, max: 16, precision: 2%, budget: 2h}\n"
    "workloads:\n"
    "  - fs.fsync: {size: 8k, time: 2s}\n"
    "  - db.txn:\n"
    "  - cpu.int\n"
    "primary: [db.txn.rate, fs.fsync.p50]\n"
    "host: none\n"
    "hygiene: strict\n"
    "allow_unsafe: true\n";

static void
assert_param(const WorkloadUse *use, const char *name, const char *value,
             bool given)
{
    const ParamInfo *param = catalogue_param(use->info, name);

    assert_non_null(param);
    assert_string_equal(use->values[param - use->info->params], value);
    assert_int_equal(use->given[param - use->info->params], given);
}

static void
every_key(void **state)
{
    g_autoptr(Matrix) matrix = plan_matrix(full_example, false);
    const Factor *cache = NULL;
    const Rule *rule = NULL;
    const MetricInfo *metric = NULL;

    (void) state;
    assert_string_equal(matrix->path, PLAN_PATH);
    assert_string_equal(matrix->text, full_example);
    assert_string_equal(matrix->name, "cache-modes");
    assert_string_equal(matrix->question,
                        "Which cache mode and image format cost fsync "
                        "latency?");
    assert_true(g_path_is_absolute(matrix->domain_path));
    assert_true(g_str_has_suffix(matrix->domain_path, "domains/micro.xml"));
    assert_string_equal(matrix->disk, "vda");
    assert_string_equal(matrix->storage, "/nonexistent/images");
    assert_null(matrix->kernel);
    assert_string_equal(matrix->fs, "ext3");
    assert_string_equal(matrix->memory, "1024M");
    assert_int_equal(matrix->disk_bytes, G_GUINT64_CONSTANT(2) << 30);
    assert_true(matrix->baseline_given);
    assert_int_equal(matrix->best->settings->len, 2);
    assert_string_equal(matrix->best->levels->pdata[0], "qcow2");

    assert_int_equal(matrix->factors->len, 2);
    cache = matrix->factors->pdata[1];
    assert_string_equal(cache->setting->name, "disk.cache");
    assert_int_equal(cache->levels->len, 3);
    assert_int_equal(cache->baseline, 1);
    assert_int_equal(matrix->fixed->settings->len, 3);

    rule = matrix->excludes->pdata[0];
    assert_int_equal(rule->settings->len, 2);
    assert_string_equal(rule->why, "already known");
    rule = matrix->includes->pdata[0];
    assert_string_equal(rule->label, "thin");
    assert_int_equal(matrix->design, DESIGN_FULL);
    assert_int_equal(matrix->blocks_min, 6);
    assert_int_equal(matrix->blocks_max, 16);
    assert_true(matrix->precision > 0.0199 && matrix->precision < 0.0201);
    assert_int_equal(matrix->budget_ns, G_GINT64_CONSTANT(7200000000000));

    assert_int_equal(matrix->workloads->len, 3);
    assert_param(matrix->workloads->pdata[0], "size", "8k", true);
    assert_param(matrix->workloads->pdata[0], "time", "2s", true);
    assert_param(matrix->workloads->pdata[0], "file", "256M", false);
    assert_param(matrix->workloads->pdata[1], "rows", "2000", false);
    assert_int_equal(matrix_work_bytes(matrix), 256 << 20);
    assert_int_equal(matrix->primary->len, 2);
    metric = matrix->primary->pdata[0];
    assert_string_equal(metric->id, "db.txn.rate");
    assert_int_equal(matrix->host, HOST_NONE);
    assert_int_equal(matrix->hygiene, HYGIENE_STRICT);
    assert_true(matrix->allow_unsafe);
}

static void
defaults(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix("matrix: {disk.cache: [none, unsafe]}\n"
                    "workloads: [fs.fsync, cpu.rsa]\n",
                    false);

    (void) state;
    assert_string_equal(matrix->name, "test");
    assert_null(matrix->question);
    assert_null(matrix->disk);
    assert_null(matrix->storage);
    assert_null(matrix->kernel);
    assert_string_equal(matrix->fs, "ext4");
    assert_string_equal(matrix->memory, "1G");
    assert_int_equal(matrix->disk_bytes, 512 << 20);
    assert_false(matrix->baseline_given);
    assert_null(matrix->best);
    assert_int_equal(matrix->fixed->settings->len, 0);
    assert_int_equal(matrix->design, DESIGN_AUTO);
    assert_int_equal(matrix->blocks_min, 0);
    assert_int_equal(matrix->budget_ns, 0);
    /* One primary metric a workload. */
    assert_int_equal(matrix->primary->len, 2);
    assert_int_equal(matrix->host, HOST_HOST);
    assert_int_equal(matrix->hygiene, HYGIENE_NORMAL);
    assert_false(matrix->allow_unsafe);
    assert_false(matrix->quick);
}

static void
quick_values(void **state)
{
    g_autoptr(Matrix) matrix =
        plan_matrix("matrix: {memory: [512M, 1G]}\nbaseline: {memory: 1024M}\n"
                    "workloads: [fs.fsync: {time: 4s}, db.txn]\n",
                    true);

    (void) state;
    /* What the file gives wins over --quick. */
    assert_param(matrix->workloads->pdata[0], "time", "4s", true);
    assert_param(matrix->workloads->pdata[0], "file", "64M", false);
    assert_param(matrix->workloads->pdata[1], "rows", "100", false);
    assert_int_equal(matrix->hygiene, HYGIENE_QUICK);
    /* Swept memory: the baseline's level, found by what it comes to. */
    assert_string_equal(matrix->memory, "1G");
}

static void
options(void **state)
{
    static const char *const sets[] = {"disk.cache=none,writeback",
                                       "disk.format=raw", NULL};
    static const char *const workloads[] = {"fs.fsync,db.txn",
                                            "fs.dsync:size=8k,time=2s", NULL};
    g_autoptr(GError) err = NULL;
    g_autoptr(Matrix) matrix =
        matrix_from_options(sets, workloads, false, &err);
    g_autoptr(Matrix) again = NULL;

    (void) state;
    assert_null(err);
    assert_string_equal(matrix->path, "(command line)");
    assert_string_equal(matrix->text, "name: adhoc\n"
                                      "matrix:\n"
                                      "  disk.cache: [none, writeback]\n"
                                      "  disk.format: [raw]\n"
                                      "workloads:\n"
                                      "  - fs.fsync\n"
                                      "  - db.txn\n"
                                      "  - fs.dsync: {size: 8k, time: 2s}\n");
    assert_int_equal(matrix->factors->len, 1);
    assert_int_equal(matrix->workloads->len, 3);
    assert_param(matrix->workloads->pdata[2], "time", "2s", true);
    /* The text is a matrix file of its own. */
    again = plan_matrix(matrix->text, false);
    assert_int_equal(again->workloads->len, 3);
}

static void
bad_options(void **state)
{
    static const struct {
        const char *set[4], *workload[4], *message;
    } cases[] = {
        {{"disk.cache=none,nome"},
         {"fs.fsync"},
         "--set disk.cache=none,nome: disk.cache: no level 'nome'; did you "
         "mean 'none'?"},
        {{"disk.cahce=none,unsafe"},
         {"fs.fsync"},
         "--set disk.cahce=none,unsafe: unknown setting 'disk.cahce'; did "
         "you mean 'disk.cache'?"},
        {{"disk.cache"},
         {"fs.fsync"},
         "--set disk.cache: write SETTING=LEVEL,LEVEL, such as --set "
         "disk.cache=none,writeback"},
        {{"disk.cache=none", "disk.cache=unsafe"},
         {"fs.fsync"},
         "--set disk.cache=unsafe: this setting was given before: put all "
         "its levels into one --set, with commas between them"},
        {{"disk.cache=none,unsafe"},
         {"fs.fsnyc:time=4s"},
         "-w fs.fsnyc:time=4s: unknown workload 'fs.fsnyc'; did you mean "
         "'fs.fsync'?"},
        {{"disk.cache=none,unsafe"},
         {"fs.fsync:time"},
         "-w fs.fsync:time: write WORKLOAD:PARAMETER=VALUE,PARAMETER=VALUE, "
         "such as -w fs.fsync:size=4k,time=2s"},
        {{"disk.cache=none,unsafe"},
         {"fs.fsync:time=1ms"},
         "-w fs.fsync:time=1ms: time of fs.fsync: '1ms' is not from 100ms to "
         "10m"},
        {{"disk.cache=none,unsafe"},
         {NULL},
         "(command line): no workload is given: add -w WORKLOAD, such as -w "
         "fs.fsync"},
        {{NULL},
         {"fs.fsync"},
         "(command line): no setting is given: add --set "
         "SETTING=LEVEL,LEVEL, such as --set disk.cache=none,writeback"},
        {{"disk.cache=none\nworkloads: [x]"},
         {"fs.fsync"},
         "--set disk.cache=none?workloads: [x]: this holds control "
         "characters or is not UTF-8"},
        {{"disk.cache=none,'\"]}: &x"},
         {"fs.fsync"},
         "--set disk.cache=none,'\"]}: &x: disk.cache: no level ''\"]}: &x'; "
         "it has none, writethrough, writeback, directsync, unsafe"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) err = NULL;

        assert_null(
            matrix_from_options(cases[i].set, cases[i].workload, false, &err));
        assert_string_equal(err->message, cases[i].message);
        assert_int_equal(vs_error_status(err), 2);
    }
}

static void
missing_file(void **state)
{
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_null(matrix_load("/nonexistent/x.yaml", false, &err));
    assert_int_equal(vs_error_status(err), 2);
    assert_non_null(strstr(err->message, "/nonexistent/x.yaml"));
}

/* ---------------------------------------------------------------- goldens */

/* Paths in complaints are relative to tests/data, so they look alike
 * everywhere. */
static void
check_golden(const char *yaml, GString *failures)
{
    g_autofree char *stem = g_strndup(yaml, strlen(yaml) - strlen(".yaml"));
    g_autofree char *path = g_strdup_printf(BAD_DIR "/%s", yaml);
    g_autofree char *golden = g_strdup_printf(BAD_DIR "/%s.err", stem);
    g_autofree char *expected = NULL, *got = NULL;
    g_autoptr(GError) err = NULL;
    g_autoptr(Matrix) matrix = matrix_load(path, false, &err);

    if (matrix) {
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
bad_matrices(void **state)
{
    g_autoptr(GDir) dir = NULL;
    g_autoptr(GString) failures = g_string_new(NULL);
    const char *name = NULL;
    guint n = 0;

    (void) state;
    assert_int_equal(chdir(VS_SOURCE_DIR "/tests/data"), 0);
    dir = g_dir_open(BAD_DIR, 0, NULL);
    assert_non_null(dir);
    while ((name = g_dir_read_name(dir)))
        if (g_str_has_suffix(name, ".yaml")) {
            check_golden(name, failures);
            n++;
        }
    if (failures->len)
        print_error("%s", failures->str);
    assert_int_equal(failures->len, 0);
    assert_true(n >= 40);
}

/* ----------------------------------------------------- the files we ship */

static void
shipped_matrices(void **state)
{
    g_autoptr(GDir) dir = g_dir_open(VS_SOURCE_DIR "/matrices", 0, NULL);
    const char *name = NULL;
    guint n = 0;

    (void) state;
    assert_non_null(dir);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path =
            g_build_filename(VS_SOURCE_DIR, "matrices", name, NULL);
        g_autoptr(GError) err = NULL;
        g_autoptr(Matrix) matrix = matrix_load(path, false, &err);
        g_autofree char *file = NULL;

        if (!matrix)
            print_error("%s\n", err->message);
        assert_non_null(matrix);
        file = g_strdup_printf("%s.yaml", matrix->name);
        assert_string_equal(file, name);
        assert_non_null(matrix->question);
        assert_true(matrix->baseline_given);
        assert_true(g_str_has_prefix(matrix->text, "# "));
        assert_non_null(strstr(matrix->text, "# Run time:"));
        assert_non_null(strstr(matrix->text, "# What to expect"));
        n++;
    }
    assert_true(n >= 7);
}

/* The verbatim block under =head1 EXAMPLE of the manual page. */
static char *
manual_example(const char *pod)
{
    const char *line = strstr(pod, "=head1 EXAMPLE\n\n    ");
    GString *text = g_string_new(NULL);

    assert_non_null(line);
    line = strstr(line, "    ");
    while (g_str_has_prefix(line, "    ")) {
        const char *end = strchr(line, '\n');

        g_string_append_len(text, line + 4, end + 1 - (line + 4));
        line = end + 1;
    }
    return g_string_free(text, FALSE);
}

/* The manual's example is right, and has every key there is. */
static void
manual(void **state)
{
    g_autofree char *pod = file_read(
        VS_SOURCE_DIR "/src/man/vsweep-matrix.5.pod", 1 << 20, NULL, NULL);
    g_autofree char *text = manual_example(pod);
    g_autoptr(Matrix) matrix = plan_matrix(text, false);
    g_autofree char *wrong = g_strconcat(text, "unknown_key: x\n", NULL);
    g_autoptr(GError) err = NULL;
    g_auto(GStrv) keys = NULL;
    const char *known = NULL;

    (void) state;
    assert_int_equal(matrix->workloads->len, 2);
    /* The complaint about an unknown key lists all that are known. */
    assert_null(matrix_parse(wrong, PLAN_PATH, false, &err));
    known = strstr(err->message, "known are ");
    assert_non_null(known);
    keys = g_strsplit(known + strlen("known are "), ", ", -1);
    assert_true(g_strv_length(keys) >= 18);
    for (gsize i = 0; keys[i]; i++) {
        g_autofree char *in_text = g_strdup_printf("\n%s:", keys[i]);
        g_autofree char *item = g_strdup_printf("=item B<%s>\n", keys[i]);

        /* The first key has no line before it. */
        assert_true(i == 0 || strstr(text, in_text) != NULL);
        assert_non_null(strstr(pod, item));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key),        cmocka_unit_test(defaults),
        cmocka_unit_test(quick_values),     cmocka_unit_test(options),
        cmocka_unit_test(bad_options),      cmocka_unit_test(missing_file),
        cmocka_unit_test(bad_matrices),     cmocka_unit_test(manual),
        cmocka_unit_test(shipped_matrices),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
