/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the payload that need no process: histogram, parameters, text,
 * stamped blocks, and the splitting of long histograms into lines.  The
 * payload is no library, so its sources are included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "guest-payload/blocks.c"
#include "guest-payload/conversation.c"
#include "guest-payload/fail.c"
#include "guest-payload/hist.c"
#include "guest-payload/params.c"
#include "guest-payload/text.c"
#include "guest-payload/workfile.c"

#include "stats/histogram.h"

/* METHOD 6.3, and the host's own reading of the bins. */
static void
test_hist_bins(void **state)
{
    (void) state;
    assert_int_equal(hist_bin(127), 127);
    assert_int_equal(hist_bin(128), 128);
    assert_int_equal(hist_bin(255), 255);
    assert_int_equal(hist_bin(256), 256);
    assert_int_equal(hist_bin(257), 256);
    assert_int_equal(hist_bin(UINT64_MAX), HIST_BINS - 1);
    for (uint32_t bin = 0; bin < HIST_BINS; bin++) {
        assert_int_equal(hist_bin(hist_low(bin)), bin);
        assert_int_equal(hist_bin(hist_high(bin)), bin);
    }
    for (uint64_t v = 1; v < UINT64_C(1) << 40; v = v * 3 + 1) {
        assert_int_equal(hist_bin(v), histogram_bin(v));
        assert_int_equal(hist_low(hist_bin(v)), histogram_low(hist_bin(v)));
        assert_int_equal(hist_high(hist_bin(v)), histogram_high(hist_bin(v)));
    }
}

static void
test_hist_percentile(void **state)
{
    g_autofree Hist *hist = g_new0(Hist, 1);

    (void) state;
    assert_int_equal(hist_percentile(hist, 50), 0);
    for (uint64_t v = 1; v <= 100; v++)
        hist_add(hist, v);
    assert_int_equal(hist_percentile(hist, 50), 50);
    assert_int_equal(hist_percentile(hist, 99), 99);
    assert_int_equal(hist_percentile(hist, 99.9), 100);
    assert_true(hist_supports(20, 50));
    assert_false(hist_supports(19, 50));
    assert_true(hist_supports(10000, 99.9));
    assert_false(hist_supports(9999, 99.9));
}

/* Every bin in use: several lines, none too long, adding up. */
static void
test_hist_lines(void **state)
{
    g_autofree Hist *hist = g_new0(Hist, 1);
    g_autofree Conversation *talk = g_new0(Conversation, 1);
    Fail fail;
    gint64 sum = 0;
    guint bins = 0;

    (void) state;
    for (uint32_t bin = 0; bin < HIST_BINS; bin++)
        hist->count[bin] = bin % 2 ? 1 : UINT64_C(1) << 40;
    conversation_alone(talk);
    assert_true(
        conversation_hist(talk, "fs.fsync", "fs.fsync.lat", hist, 1, &fail));
    assert_true(talk->lines > 1);
    g_autofree char *text = g_strndup(talk->kept, talk->kept_size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    assert_int_equal(g_strv_length(lines), talk->lines + 1);
    for (int64_t i = 0; i < talk->lines; i++) {
        assert_true(strlen(lines[i]) < WIRE_LINE_MAX);
        json_t *line = json_loads(lines[i], 0, NULL);
        gint64 n = json_integer_value(json_object_get(line, "n")), part = 0;
        json_t *list = json_object_get(line, "bins"), *bin;
        size_t at;
        json_array_foreach(list, at, bin) part +=
            json_integer_value(json_array_get(bin, 1));
        assert_int_equal(part, n);
        bins += json_array_size(list);
        sum += n;
        json_decref(line);
    }
    assert_int_equal(bins, HIST_BINS);
    assert_int_equal(sum, (HIST_BINS / 2) * (1 + (INT64_C(1) << 40)));
    conversation_close(talk);
}

static void
test_params(void **state)
{
    static const struct {
        const char *workload, *name, *text;
        uint64_t value; /* 0: refused */
    } cases[] = {
        {"fs.fsync", "size", "4k", 4096},
        {"fs.fsync", "size", "4096", 4096},
        {"fs.fsync", "size", "4 k", 0},
        {"fs.fsync", "size", "256", 0},
        {"fs.fsync", "size", "2M", 0},
        {"fs.fsync", "size", "-4k", 0},
        {"fs.fsync", "file", "1.5G", UINT64_C(1610612736)},
        {"fs.fsync", "file", "99999999999999999999", 0},
        {"fs.fsync", "file", "99999999T", 0},
        {"fs.fsync", "time", "5", UINT64_C(5000000000)},
        {"fs.fsync", "time", "1500ms", UINT64_C(1500000000)},
        {"fs.fsync", "time", "0.5s", UINT64_C(500000000)},
        {"fs.fsync", "time", "5x", 0},
        {"fs.fsync", "time", "", 0},
        {"fs.fsync", "bs", "4k", 0},
        {"db.txn", "rows", "2000", 2000},
        {"db.txn", "rows", "20.5", 0},
        {"db.txn", "rows", "1k", 0},
        {"db.txn", "journal", "wal", 1},
        {"db.txn", "journal", "wa", 0},
        {"db.txn", "journal", "delete wal", 0},
    };

    (void) state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        Params params;
        Fail fail;
        const WorkloadInfo *workload = catalogue_workload(cases[i].workload);
        assert_true(params_init(&params, workload, false, &fail));
        bool ok = params_set(&params, cases[i].name, cases[i].text, &fail);
        if (ok != (cases[i].value != 0))
            fail_msg("%s=%s: %d", cases[i].name, cases[i].text, ok);
        if (ok)
            assert_true(params_get(&params, cases[i].name) == cases[i].value);
    }
}

static void
test_text(void **state)
{
    char value[16];
    const char *line = "quiet vsweep.fault=hang vsweep.shell x=";

    (void) state;
    assert_true(text_word(line, "vsweep.fault", value, sizeof(value)));
    assert_string_equal(value, "hang");
    assert_true(text_word(line, "vsweep.shell", value, sizeof(value)));
    assert_string_equal(value, "");
    assert_true(text_word(line, "x", value, sizeof(value)));
    assert_string_equal(value, "");
    assert_false(text_word(line, "vsweep", value, sizeof(value)));
    assert_false(text_word(line, "fault", value, sizeof(value)));
    assert_true(text_field("a\t: one\nflags\t\t: x y\nz : 3", "flags", value,
                           sizeof(value)));
    assert_string_equal(value, "x y");
    assert_false(text_field("a : 1\n", "b", value, sizeof(value)));
}

/* Error texts go into JSON: nothing but printable ASCII may be in them. */
static void
test_fail_text(void **state)
{
    Fail fail;

    (void) state;
    assert_false(fail_set(&fail, 28, "cannot write \xff\xc3\n%s", "x"));
    assert_string_equal(fail.text,
                        "cannot write ???x: No space left on device");
    assert_int_equal(fail.errnum, 28);
}

static void
test_splitmix(void **state)
{
    uint64_t seed = 1234567; /* METHOD 4.2 */

    (void) state;
    assert_true(splitmix64(&seed) == UINT64_C(6457827717110365317));
    assert_true(splitmix64(&seed) == UINT64_C(3203168211198807973));
}

/* Writes more than once round the file, then changes one byte. */
static void
test_blocks(void **state)
{
    g_autofree char *dir = g_dir_make_tmp("vsweep-blocks-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "work", NULL);
    Blocks blocks;
    Fail fail;
    int fd = -1;

    (void) state;
    assert_true(workfile_make(dir, 64 * 1024, &fail));
    assert_false(workfile_open(dir, O_RDWR, 65 * 1024, &fd, &fail));
    assert_non_null(strstr(fail.text, "65536 bytes, 66560 are needed"));
    assert_true(workfile_open(dir, O_RDWR, 64 * 1024, &fd, &fail));
    assert_false(blocks_init(&blocks, 7, 128 * 1024, 64 * 1024, &fail));
    assert_true(blocks_init(&blocks, 7, 4096, 64 * 1024, &fail));
    assert_false(blocks_verify(&blocks, fd, &fail));
    for (int i = 0; i < 21; i++)
        assert_true(blocks_put(&blocks, fd));
    assert_true(blocks_verify(&blocks, fd, &fail));
    /* A block of the first round in the place of one of the second. */
    blocks.written = 3;
    assert_true(blocks_put(&blocks, fd));
    blocks.written = 21;
    assert_false(blocks_verify(&blocks, fd, &fail));
    assert_non_null(strstr(fail.text, "block 3 of the work file"));
    blocks.written = 19;
    assert_true(blocks_put(&blocks, fd));
    blocks.written = 21;
    assert_true(blocks_verify(&blocks, fd, &fail));
    assert_int_equal(pwrite(fd, "x", 1, 15 * 4096 + 4095), 1);
    assert_false(blocks_verify(&blocks, fd, &fail));
    assert_non_null(strstr(fail.text, "block 15 of the work file"));
    close(fd);
    blocks_clear(&blocks);
    assert_int_equal(g_unlink(path), 0);
    assert_int_equal(g_rmdir(dir), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hist_bins),
        cmocka_unit_test(test_hist_percentile),
        cmocka_unit_test(test_hist_lines),
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_fail_text),
        cmocka_unit_test(test_splitmix),
        cmocka_unit_test(test_blocks),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
