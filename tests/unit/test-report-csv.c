/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports from CSV files: what must not change them (METHOD 14.4), what a
 * missing cell costs (14.5), files as other programs write them, and that no
 * damage to a file does worse than an error.
 */
#include <math.h>
#include <unistd.h>
#include "base/random.h"
#include "report-util.h"
#include "report/format.h"
#include "report/from-csv.h"

/* Differences of logarithms of about 10: three digits go. */
#define ROUNDING 1e-12
#define BLOCKS_MAX 8
#define DAMAGES 600
#define SEED 1945 /* any; fixed, so that a failure can be run again */

static const char *const cells[] = {"raw,none", "raw,wb", "qcow2,none",
                                    "qcow2,wb"};

/* A file of a test's own, gone when the test ends. */
static Report *
read_text(const char *text, gssize length, const CsvOptions *options,
          GError **err)
{
    g_autofree char *path = NULL;
    int fd = g_file_open_tmp("vsweep-csv-XXXXXX", &path, NULL);
    Report *report = NULL;

    assert_true(fd >= 0);
    close(fd);
    assert_true(g_file_set_contents(path, text, length, NULL));
    report = report_from_csv(path, options, err);
    unlink(path);
    return report;
}

static Report *
must_read(const char *text, const CsvOptions *options)
{
    g_autoptr(GError) err = NULL;
    Report *report = read_text(text, -1, options, &err);

    must(report);
    return report;
}

/* Four cells, `blocks` blocks; the value of each by a function. */
static char *
make_text(guint blocks, double (*value)(guint block, guint cell))
{
    GString *out = g_string_new("block,format,cache,speed\n");

    for (guint b = 0; b < blocks; b++)
        for (guint c = 0; c < G_N_ELEMENTS(cells); c++)
            g_string_append_printf(out, "b%u,%s,%.17g\n", b, cells[c],
                                   value(b, c));
    return g_string_free(out, FALSE);
}

/* Whole numbers make the noise, so that it is the same everywhere. */
static double
plain(guint b, guint c)
{
    return 100 * (1 + 0.05 * c) *
           (1 + (double) ((b * 7919 + c * 104729) % 97) / 1000);
}

static double
scaled(guint b, guint c)
{
    return plain(b, c) * (b + 1) * 3;
}

static double
inverted(guint b, guint c)
{
    return 1 / plain(b, c);
}

static double
swapped(guint b, guint c)
{
    const guint other[] = {1, 0, 2, 3};

    return plain(b, other[c]);
}

static void
same(double a, double b)
{
    if (isnan(a) ? !isnan(b) : !(fabs(a - b) <= ROUNDING))
        fail_msg("%.17g is not %.17g", a, b);
}

static void
same_estimates(const Report *a, const Report *b)
{
    assert_int_equal(a->contrasts->len, b->contrasts->len);
    assert_int_equal(a->interactions->len, b->interactions->len);
    for (guint i = 0; i < a->contrasts->len; i++) {
        const ReportContrast *x = a->contrasts->pdata[i];
        const ReportContrast *y =
            report_contrast(b, x->metric, x->setting, x->level);

        assert_non_null(y);
        assert_int_equal(x->estimate.n, y->estimate.n);
        same(x->estimate.est, y->estimate.est);
        same(x->estimate.lo, y->estimate.lo);
        same(x->estimate.hi, y->estimate.hi);
        same(x->p_adjusted, y->p_adjusted);
        assert_string_equal(x->word, y->word);
    }
    for (guint i = 0; i < a->interactions->len; i++) {
        const ReportInteraction *x = a->interactions->pdata[i];
        const ReportInteraction *y = b->interactions->pdata[i];

        same(x->estimate.est, y->estimate.est);
        same(x->estimate.lo, y->estimate.lo);
        same(x->p_adjusted, y->p_adjusted);
    }
}

static void
blocks_scaled(void **state)
{
    const CsvOptions options = {0};
    g_autofree char *text = make_text(BLOCKS_MAX, plain);
    g_autofree char *other = make_text(BLOCKS_MAX, scaled);

    (void) state;
    g_autoptr(Report) a = must_read(text, &options);
    g_autoptr(Report) b = must_read(other, &options);
    assert_int_equal(a->contrasts->len, 2);
    assert_int_equal(a->interactions->len, 1);
    same_estimates(a, b);
}

static void
inverse_values(void **state)
{
    const CsvOptions options = {0}, lower = {.lower = "speed"};
    g_autofree char *text = make_text(BLOCKS_MAX, plain);
    g_autofree char *other = make_text(BLOCKS_MAX, inverted);

    (void) state;
    g_autoptr(Report) a = must_read(text, &options);
    g_autoptr(Report) b = must_read(other, &lower);
    same_estimates(a, b);
}

/* Two cells, x and y. */
static char *
make_two(double (*value)(guint block, guint cell))
{
    GString *out = g_string_new("block,cell,speed\n");

    for (guint b = 0; b < BLOCKS_MAX; b++)
        for (guint c = 0; c < 2; c++)
            g_string_append_printf(out, "%u,%c,%.17g\n", b, 'x' + (int) c,
                                   value(b, c));
    return g_string_free(out, FALSE);
}

static void
cells_swapped(void **state)
{
    const CsvOptions options = {0};
    g_autofree char *text = make_two(plain);
    g_autofree char *other = make_two(swapped);

    (void) state;
    g_autoptr(Report) a = must_read(text, &options);
    g_autoptr(Report) b = must_read(other, &options);
    const ReportContrast *x = report_contrast(a, 0, "cell", "y");
    const ReportContrast *y = report_contrast(b, 0, "cell", "y");
    same(x->estimate.est, -y->estimate.est);
    same(x->estimate.lo, -y->estimate.hi);
    same(x->estimate.hi, -y->estimate.lo);
    same(x->estimate.p, y->estimate.p);
}

/* The heading stays; the baseline is named, because it is the first cell
 * otherwise. */
static char *
shuffle(const char *text, Random *random)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n = g_strv_length(lines) - 1; /* behind the last line: nothing */

    for (guint i = n - 1; i > 1; i--) {
        guint k = 1 + (guint) random_bounded(random, i);
        char *line = lines[i];

        lines[i] = lines[k];
        lines[k] = line;
    }
    return g_strjoinv("\n", lines);
}

static void
rows_permuted(void **state)
{
    const CsvOptions options = {.baseline = "format=raw,cache=none"};
    g_autofree char *text = make_text(BLOCKS_MAX, plain);
    Random random = {SEED};

    (void) state;
    g_autoptr(Report) a = must_read(text, &options);
    for (guint i = 0; i < 20; i++) {
        g_autofree char *other = shuffle(text, &random);
        g_autoptr(Report) b = must_read(other, &options);

        same_estimates(a, b);
    }
}

/* METHOD 14.5. */
static void
missing_cell(void **state)
{
    const char *text = "block,cell,speed\n"
                       "1,a,10\n1,b,11\n1,c,12\n2,a,10.5\n2,b,11.1\n"
                       "3,a,10.1\n3,b,11.7\n3,c,12.2\n4,a,10.2\n4,b,NA\n"
                       "4,c,12.5\n5,a,10\n5,b,0\n5,c,12.1\n";
    const CsvOptions options = {0};

    (void) state;
    g_autoptr(Report) report = must_read(text, &options);
    assert_int_equal(report_contrast(report, 0, "cell", "b")->estimate.n, 3);
    assert_int_equal(report_contrast(report, 0, "cell", "c")->estimate.n, 4);
    g_autofree char *shown = text_of(report, report_text);
    assert_non_null(strstr(shown, "speed: 1 line without a value (first: line "
                                  "11): missing"));
    assert_non_null(strstr(shown, "speed: 1 line at or below zero, which has "
                                  "no logarithm (first: line 14): missing"));
}

/* The same table as a spreadsheet, an old Mac and a careful program write
 * it. */
static void
other_writers(void **state)
{
    const CsvOptions options = {0};
    static const char *const same_files[] = {
        "\xef\xbb\xbf"
        "block,cell,speed\r\n1,a,10\r\n1,b,12\r\n2,a,11\r\n2,b,13\r\n",
        "block;cell;speed\n1;a;10\n1;b;12\n2;a;11\n2;b;13",
        "block\tcell\tspeed\n1\ta\t10\n1\tb\t12\n2\ta\t11\n2\tb\t13\n",
        "block,cell,speed\r1,a,10\r1,b,12\r2,a,11\r2,b,13\r",
        "\n\"block\",\"cell\",\"speed\"\n\n\"1\",\"a\",\"10\"\n1, b ,+12.0\n"
        "\n2,a,1.1e1\n2,b,13\n\n",
        "Block,CELL,speed\n1,a,10\n1,b,12\n2,a,11\n2,b,13\n",
        "block,cell,metric,value\n1,a,speed,10\n1,b,speed,12\n2,a,speed,11\n"
        "2,b,speed,13\n",
        "block,cell,attempt,speed\n1,a,1,10\n1,b,2,12\n1,b,1,99\n2,a,1,11\n"
        "2,b,1,13\n",
        "block,cell,iter,speed\n1,a,1,9\n1,a,2,11\n1,b,1,12\n2,a,1,11\n"
        "2,b,1,13\n",
        "block,cell,valid,reason,speed\n1,a,yes,,10\n1,b,1,,12\n2,a,,,11\n"
        "2,b,true,,13\n3,a,no,steal,20\n3,b,0,,7\n",
    };

    (void) state;
    g_autoptr(Report) a = must_read(
        "block,cell,speed\n1,a,10\n1,b,12\n2,a,11\n2,b,13\n", &options);
    for (gsize i = 0; i < G_N_ELEMENTS(same_files); i++) {
        g_autoptr(Report) b = must_read(same_files[i], &options);

        same_estimates(a, b);
    }
}

/* A field with line ends counts for the numbers of later lines. */
static void
line_numbers(void **state)
{
    const char *text = "block,cell,\"the\nspeed\"\n1,\"a\r\nb\",10\n\n1,c,x\n";
    const CsvOptions options = {0};
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_null(read_text(text, -1, &options, &err));
    assert_non_null(strstr(err->message, ":6:the?speed: 'x' is no number"));
    assert_int_equal(vs_error_status(err), 2);
}

static void
huge_and_small(void **state)
{
    const char *text = "block,cell,speed\n1,a,1e308\n1,b,1e-308\n2,a,1e308\n"
                       "2,b,2e-308\n3,a,1e308\n3,b,5e-324\n";
    const CsvOptions options = {0};

    (void) state;
    g_autoptr(Report) report = must_read(text, &options);
    g_autofree char *shown = text_of(report, report_text);
    g_autofree char *json = text_of(report, report_json);
    assert_non_null(strstr(shown, "100 % lower"));
    assert_true(format_widest(shown) <= FORMAT_WIDTH);
    assert_true(json && *json);
    assert_true(report_contrast(report, 0, "cell", "b")->estimate.est < -1400);
}

static void
long_line(void **state)
{
    const gsize length = 10 << 20;
    g_autofree char *text = g_malloc(length + 1);
    const CsvOptions options = {0};
    g_autoptr(GError) err = NULL, again = NULL;

    (void) state;
    memset(text, 'x', length);
    text[length] = '\0';
    assert_null(read_text(text, -1, &options, &err));
    assert_non_null(strstr(err->message, "a field of more than"));
    memset(text, ',', length);
    for (gsize i = 0; i < length; i += 2)
        text[i] = 'x';
    assert_null(read_text(text, -1, &options, &again));
    assert_non_null(strstr(again->message, "columns"));
}

/* Overwrites, drops or doubles a few bytes. */
static GString *
damage(const char *text, Random *random)
{
    static const char bytes[] = ",;\n\r\"\t0-.eE \xff\x00na";
    GString *out = g_string_new(text);
    guint changes = 1 + (guint) random_bounded(random, 4);

    for (guint i = 0; i < changes && out->len > 0; i++) {
        gsize at = (gsize) random_bounded(random, out->len);
        gsize piece = 1 + (gsize) random_bounded(random, 30);

        switch (random_bounded(random, 4)) {
        case 0:
            out->str[at] = bytes[random_bounded(random, sizeof bytes)];
            break;
        case 1:
            g_string_insert_c(out, (gssize) at,
                              bytes[random_bounded(random, sizeof bytes)]);
            break;
        case 2:
            g_string_erase(out, (gssize) at,
                           (gssize) MIN(piece, out->len - at));
            break;
        default: {
            g_autofree char *copy =
                g_memdup2(out->str + at, MIN(piece, out->len - at));
            g_string_insert_len(out, (gssize) at, copy,
                                (gssize) MIN(piece, out->len - at));
        }
        }
    }
    return out;
}

/* A report or a complaint, never a crash; what is made can be shown. */
static void
damaged_files(void **state)
{
    static const CsvOptions options[] = {
        {0},
        {.lower = "all", .unblocked = true},
        {.settings = "cache,threads", .metrics = "speed"}};
    const char *text =
        "block,cell,kind,cache,threads,metric,value,attempt,pos,valid,unit\n"
        "1,a,cell,none,1,speed,10,1,0,1,s\n1,b,cell,wb,1,speed,12,1,1,1,s\n"
        "1,aa,aa,none,1,speed,10.2,1,2,1,s\n1,host,host,,,speed,14,1,3,1,s\n"
        "2,b,cell,wb,1,speed,11,1,0,1,s\n2,a,cell,none,1,speed,\"10\",1,1,0,s\n"
        "2,a,cell,none,1,speed,10.4,2,2,1,s\n2,aa,aa,none,1,speed,10,1,3,1,\n";
    Random random = {SEED};
    guint good = 0;

    (void) state;
    for (guint i = 0; i < DAMAGES; i++) {
        GString *other = damage(text, &random);
        g_autoptr(GError) err = NULL;
        g_autoptr(Report) report =
            read_text(other->str, (gssize) other->len,
                      &options[i % G_N_ELEMENTS(options)], &err);

        assert_true(!report == !!err);
        if (report) {
            g_autofree char *shown = text_of(report, report_text_all);
            g_autofree char *summary = text_of(report, report_markdown);
            g_autofree char *json = text_of(report, report_json);

            assert_true(g_utf8_validate(shown, -1, NULL));
            good++;
        }
        g_string_free(other, TRUE);
    }
    if (good < DAMAGES / 20 || good == DAMAGES)
        fail_msg("%u of %u damaged files were taken", good, DAMAGES);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_scaled), cmocka_unit_test(inverse_values),
        cmocka_unit_test(cells_swapped), cmocka_unit_test(rows_permuted),
        cmocka_unit_test(missing_cell),  cmocka_unit_test(other_writers),
        cmocka_unit_test(line_numbers),  cmocka_unit_test(huge_and_small),
        cmocka_unit_test(long_line),     cmocka_unit_test(damaged_files),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("report-csv", tests, NULL, NULL);
}
