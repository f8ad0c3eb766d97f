/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The YAML reader: positions, and everything it must refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "plan/yaml.h"

static YamlNode *
parse(const char *text, YamlProblems *problems)
{
    return yaml_parse(text, strlen(text), problems);
}

static void
assert_at(const YamlNode *node, guint line, guint column)
{
    assert_non_null(node);
    assert_int_equal(node->line, line);
    assert_int_equal(node->column, column);
}

static void
tree_and_places(void **state)
{
    g_autoptr(YamlProblems) problems = yaml_problems_new("t.yaml");
    g_autoptr(YamlNode) root = parse("a: 1\n"
                                     "b:\n"
                                     "  - x\n"
                                     "  - {c: 'y z', \xc3\xa4: \"\"}\n",
                                     problems);
    const YamlNode *b = NULL, *inner = NULL;

    (void) state;
    assert_int_equal(problems->lines->len, 0);
    assert_at(root, 1, 1);
    assert_int_equal(root->type, YAML_MAPPING);
    assert_at(yaml_get(root, "a"), 1, 4);
    assert_true(yaml_get(root, "a")->plain);
    b = yaml_get(root, "b");
    assert_int_equal(b->type, YAML_SEQUENCE);
    assert_int_equal(b->values->len, 2);
    inner = b->values->pdata[1];
    assert_at(inner, 4, 5);
    assert_string_equal(yaml_get(inner, "c")->text, "y z");
    assert_false(yaml_get(inner, "c")->plain);
    /* Columns count characters, not bytes. */
    assert_at(yaml_get(inner, "\xc3\xa4"), 4, 19);
    assert_null(yaml_get(inner, "d"));
    assert_null(yaml_get(yaml_get(root, "a"), "d"));
    assert_null(yaml_get(NULL, "a"));
}

static void
refusals(void **state)
{
    /* What is refused, where, and whether a tree comes out all the same. */
    static const struct {
        const char *text, *begin;
        bool tree;
    } cases[] = {
        {"a: &x 1\n", "t:1:4: anchor '&x'", true},
        {"a: *x\n", "t:1:4: alias '*x'", true},
        {"a: !!int 1\n", "t:1:4: tag '!!int'", true},
        {"a: !mine {b: c}\n", "t:1:4: tag '!mine'", true},
        {"b: 1\n<<: {a: 1}\n", "t:2:1: merge key", true},
        {"b: 1\na: 1\nb: 2\n", "t:3:1: key 'b' stands in line 1", true},
        {"{a: 1}: 2\n", "t:1:1: a key is plain text", true},
        {"a: 1\n---\nb: 2\n", "t:2:1: a second document", true},
        {"%TAG ! tag:x,2000:\n---\na: 1\n", "t:1:1: directives", true},
        {"a: \"x\\0y\"\n", "t:1:4: this text holds a NUL", true},
        {"a: \"\\e[31m\"\n", "t:1:4: this text holds a NUL", true},
        {"", "t:1:1: the file is empty", false},
        {"---\n", "t:1:1: the file is empty", false},
        {"a: [1\n", "t:2:1: not YAML", false},
        {"a: 'x\n", "t:2:1: not YAML", false},
        {"a: b: c\n", "t:1:5: not YAML", false},
        {"\ta: b\n", "t:1:1: not YAML", false},
        {"a: \x01\n", "t:1:4: not YAML", false},
        {"a: \xff\n", "t:1:4: byte 0xff is not UTF-8", false},
        {"\xc3\xa4: \xc0\x80\n", "t:1:4: byte 0xc0 is not UTF-8", false},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(YamlProblems) problems = yaml_problems_new("t");
        g_autoptr(YamlNode) root = parse(cases[i].text, problems);

        if (problems->lines->len != 1 ||
            !g_str_has_prefix(problems->lines->pdata[0], cases[i].begin))
            fail_msg("%s gives %u: %s", cases[i].text, problems->lines->len,
                     problems->lines->len ? (char *) problems->lines->pdata[0]
                                          : "");
        assert_int_equal(root != NULL, cases[i].tree);
    }
}

static void
refused_nodes_are_quiet(void **state)
{
    g_autoptr(YamlProblems) problems = yaml_problems_new("t");
    g_autoptr(YamlNode) root = parse("a: *x\n", problems);

    (void) state;
    yaml_problems_add(problems, yaml_get(root, "a"), "and another thing");
    assert_int_equal(problems->lines->len, 1);
}

static void
nul_byte(void **state)
{
    static const char text[] = "a: b\nc: \0d\n";
    g_autoptr(YamlProblems) problems = yaml_problems_new("t");

    (void) state;
    assert_null(yaml_parse(text, sizeof(text) - 1, problems));
    assert_true(
        g_str_has_prefix(problems->lines->pdata[0], "t:2:4: a NUL byte"));
}

static char *
repeat(const char *before, const char *what, guint times)
{
    GString *text = g_string_new(before);

    for (guint i = 0; i < times; i++)
        g_string_append(text, what);
    return g_string_free(text, FALSE);
}

static void
limits(void **state)
{
    const struct {
        const char *before, *what;
        guint times;
        const char *complaint;
    } cases[] = {
        {"a: ", "[", 1000, "within one another"},
        {"a: ", "[", 100000, "within one another"},
        {"", "- 1\n", YAML_NODES_MAX + 1, "keys and values"},
        {"a: 1 #", "x", YAML_BYTES_MAX, "bytes are too many"},
        {"a: ", "x", YAML_TEXT_MAX + 1, "bytes: at most"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            repeat(cases[i].before, cases[i].what, cases[i].times);
        g_autoptr(YamlProblems) problems = yaml_problems_new("t");
        g_autoptr(YamlNode) root = parse(text, problems);

        assert_int_equal(problems->lines->len, 1);
        assert_non_null(strstr(problems->lines->pdata[0], cases[i].complaint));
    }
}

static void
problems_are_sorted(void **state)
{
    g_autoptr(YamlProblems) problems = yaml_problems_new("m.yaml");
    g_autoptr(GError) err = NULL;
    YamlNode late = {.line = 12, .column = 1}, early = {.line = 2, .column = 9};
    YamlNode option = {.origin = (char *) "--set a=b"};

    (void) state;
    assert_true(yaml_problems_check(problems, &err));
    yaml_problems_add(problems, &late, "second '%s'", "\x1b[31m\n");
    yaml_problems_add(problems, &early, "first");
    yaml_problems_add(problems, NULL, "whole");
    yaml_problems_add(problems, &option, "option");
    assert_false(yaml_problems_check(problems, &err));
    assert_int_equal(vs_error_status(err), 2);
    assert_string_equal(err->message, "m.yaml: whole\n"
                                      "--set a=b: option\n"
                                      "m.yaml:2:9: first\n"
                                      "m.yaml:12:1: second '?[31m?'");
}

static void
many_problems_are_counted(void **state)
{
    g_autoptr(YamlProblems) problems = yaml_problems_new("m");
    g_autoptr(GError) err = NULL;

    (void) state;
    for (guint i = 1; i <= 130; i++) {
        YamlNode where = {.line = i, .column = 1};

        yaml_problems_add(problems, &where, "bad");
    }
    assert_false(yaml_problems_check(problems, &err));
    assert_true(g_str_has_suffix(err->message, "m:100:1: bad\nm: and 30 more"));
}

/* Nothing a cut-off or damaged file holds may do more than complain. */
static void
damaged_texts(void **state)
{
    static const char text[] =
        "name: x\nguest: {fs: ext4, 'memory': \"1\\tG\"}\nmatrix:\n"
        "  disk.cache: [none, &a writeback, *a]\n  ? [k]\n  : !!str |\n    v\n";
    const gsize length = sizeof(text) - 1;

    (void) state;
    for (gsize cut = 0; cut <= length; cut++) {
        g_autoptr(YamlProblems) problems = yaml_problems_new("t");
        g_autoptr(YamlNode) root = yaml_parse(text, cut, problems);

        assert_true(root || problems->lines->len > 0);
    }
    for (gsize at = 0; at < length; at++)
        for (const char *c = "\"'[]{}:,-&*!|\x01\xff\n"; *c; c++) {
            g_autofree char *changed = g_strndup(text, length);
            g_autoptr(YamlProblems) problems = yaml_problems_new("t");
            g_autoptr(YamlNode) root = NULL;

            changed[at] = *c;
            root = yaml_parse(changed, length, problems);
            assert_true(root || problems->lines->len > 0);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_and_places),
        cmocka_unit_test(refusals),
        cmocka_unit_test(refused_nodes_are_quiet),
        cmocka_unit_test(nul_byte),
        cmocka_unit_test(limits),
        cmocka_unit_test(problems_are_sorted),
        cmocka_unit_test(many_problems_are_counted),
        cmocka_unit_test(damaged_texts),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
