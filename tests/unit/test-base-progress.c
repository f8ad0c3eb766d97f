/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line, with a file or a narrow terminal as standard error. */
#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/progress.h"

/* Back to the first column, and the line emptied. */
#define AFRESH "\r\033[K"
/* Longer than any terminal is wide. */
#define LONG 5000

static int real_stderr = -1;
static int seen = -1; /* what standard error has got, from its beginning */

static int
capture(void **state)
{
    (void) state;
    real_stderr = dup(STDERR_FILENO);
    seen = memfd_create("stderr", MFD_CLOEXEC);
    assert_true(seen >= 0);
    assert_int_equal(dup2(seen, STDERR_FILENO), STDERR_FILENO);
    progress_init(true);
    return 0;
}

static int
release(void **state)
{
    (void) state;
    progress_clear();
    assert_int_equal(dup2(real_stderr, STDERR_FILENO), STDERR_FILENO);
    close(real_stderr);
    close(seen);
    return 0;
}

/* Caller frees. */
static char *
said(void)
{
    char *text = g_malloc0(LONG + 1);

    fflush(stderr);
    assert_true(pread(seen, text, LONG, 0) >= 0);
    return text;
}

#define assert_said(expected)               \
    do {                                    \
        g_autofree char *got = said();      \
        assert_string_equal(got, expected); \
    } while (0)

static void
one_line(void **state)
{
    (void) state;
    progress_set("block %d of %d", 1, 8);
    assert_said(AFRESH "block 1 of 8");
    progress_clear();
    assert_said(AFRESH "block 1 of 8" AFRESH);
    /* There is nothing left to take away. */
    progress_clear();
    progress_set("block %d of %d", 2, 8);
    assert_said(AFRESH "block 1 of 8" AFRESH AFRESH "block 2 of 8");
}

static void
line_that_stays(void **state)
{
    (void) state;
    progress_line("cell %s", "none");
    assert_said("cell none\n");
    progress_set("now");
    progress_line("cell %s", "unsafe");
    assert_said("cell none\n" AFRESH "now" AFRESH "cell unsafe\n");
}

static void
control_characters(void **state)
{
    static const struct {
        const char *given, *shown;
    } cases[] = {
        {"two\nlines\r", "two?lines?"},
        {"\033[31mred\a\b\x7f", "?[31mred???"},
        {"tab\there", "tab?here"},
        {"\xc2\x9b"
         "2J",
         "?2J"}, /* CSI in one character */
        {"caf\xc3\xa9 \xe2\x82\xac", "caf\xc3\xa9 \xe2\x82\xac"},
        {"no \xff text", "no \xef\xbf\xbd text"},
    };
    GString *expected = g_string_new(NULL);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        progress_line("%s", cases[i].given);
        g_string_append_printf(expected, "%s\n", cases[i].shown);
        assert_said(expected->str);
    }
    g_string_free(expected, TRUE);
}

/* 80 columns are taken for granted, and the last one is left free. */
static void
no_terminal(void **state)
{
    g_autofree char *text = g_strnfill(LONG - 100, 'x');
    g_autofree char *shown = g_strnfill(79, 'x');
    g_autofree char *expected = g_strconcat(shown, "\n", NULL);

    (void) state;
    progress_line("%s", text);
    assert_said(expected);
}

/* What standard error has got through a terminal of so many columns. */
static char *
through_terminal(unsigned short columns, const char *text)
{
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    struct termios raw = {0};
    char *got = g_malloc0(LONG);
    gsize length = 0;
    int master = -1, slave = -1;

    cfmakeraw(&raw);
    assert_int_equal(openpty(&master, &slave, NULL, &raw, &size), 0);
    assert_int_equal(dup2(slave, STDERR_FILENO), STDERR_FILENO);
    progress_init(false); /* a terminal needs no force */
    progress_set("%s", text);
    progress_clear();
    dup2(seen, STDERR_FILENO);
    close(slave);
    /* With nobody on the other side, a failure follows the last byte. */
    for (gssize n = 1; n > 0;) {
        n = read(master, got + length, LONG - 1 - length);
        length += MAX(n, 0);
    }
    close(master);
    return got;
}

static void
narrow_terminal(void **state)
{
    static const struct {
        unsigned short columns;
        const char *given, *shown;
    } cases[] = {
        {10, "123456789", "123456789"},
        {10, "1234567890", "123456789"},
        {10, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", /* 5 columns */
         "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"},
        /* Two columns each, so the third would end in the sixth. */
        {6, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", "\xe4\xb8\xad\xe4\xb8\xad"},
        {2, "ab", "a"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *got =
            through_terminal(cases[i].columns, cases[i].given);
        g_autofree char *expected =
            g_strconcat(AFRESH, cases[i].shown, AFRESH, NULL);

        assert_string_equal(got, expected);
    }
}

static void
switched_off(void **state)
{
    (void) state;
    progress_init(false);
    progress_set("not a terminal");
    progress_line("not a terminal");
    progress_clear();
    assert_said("");
}

#define TEST(function) \
    cmocka_unit_test_setup_teardown(function, capture, release)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_line),    TEST(line_that_stays), TEST(control_characters),
        TEST(no_terminal), TEST(narrow_terminal), TEST(switched_off),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
