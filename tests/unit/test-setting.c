/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of settings: consistent with itself, strict about levels, and
 * its edits do what setting.h says.
 */
#include "setting-util.h"
#include "setting/xpath.h"

/* ------------------------------------------------------------- the table */

static void
test_rows_are_complete(void **state)
{
    (void) state;
    for (const Setting *row = setting_table; row->name; row++) {
        assert_ptr_equal(setting_find(row->name), row);
        assert_true(strlen(row->summary) > 10);
        assert_true(strlen(row->summary) < 60);
        assert_non_null(row->levels[0]);
        assert_true(g_strv_contains(setting_names(), row->name));
    }
    assert_null(setting_find("disk.colour"));
}

/* A misspelt level in an edit or proof would silently never apply. */
static void
assert_selector(const Setting *row, const char *level)
{
    if (!level)
        return;
    if (strcmp(level, SETTING_OTHER) == 0)
        assert_non_null(row->check);
    else if (!g_strv_contains(row->levels, level))
        fail_msg("%s: an edit or proof is for level '%s', which is none",
                 row->name, level);
}

static void
test_edits_name_levels(void **state)
{
    (void) state;
    for (const Setting *row = setting_table; row->name; row++) {
        for (const SettingEdit *edit = row->edits; edit && edit->path; edit++)
            assert_selector(row, edit->level);
    }
}

static void
assert_exception(const char *except)
{
    g_auto(GStrv) pair = g_strsplit(except, "=", 2);
    const Setting *other = setting_find(pair[0]);

    assert_non_null(other);
    assert_true(setting_check_level(other, pair[1], NULL));
}

static void
assert_proof(const Setting *row, const SettingProof *proof)
{
    assert_selector(row, proof->level);
    assert_non_null(proof->expected);
    if (proof->except)
        assert_exception(proof->except);
    if (proof->source == PROOF_ARGV) {
        g_autoptr(GRegex) regex =
            g_regex_new(proof->selector, G_REGEX_MULTILINE, 0, NULL);

        assert_non_null(regex);
        assert_true(g_regex_get_capture_count(regex) <= 1);
    }
}

static void
test_proofs_are_sound(void **state)
{
    (void) state;
    for (const Setting *row = setting_table; row->name; row++) {
        for (const SettingProof *proof = row->proofs; proof && proof->selector;
             proof++)
            assert_proof(row, proof);
    }
}

/* Only disk.prealloc has none: the slot's own allocation is its proof. */
static void
test_every_level_has_a_proof(void **state)
{
    (void) state;
    for (const Setting *row = setting_table; row->name; row++) {
        if (strcmp(row->name, "disk.prealloc") == 0)
            continue;
        for (guint i = 0; row->levels[i]; i++) {
            bool proved = *row->levels[i] == '\0';

            for (const SettingProof *proof = row->proofs;
                 proof && proof->selector; proof++)
                proved = proved ||
                         setting_level_is(row, row->levels[i], proof->level);
            if (!proved)
                fail_msg("nothing proves %s %s", row->name, row->levels[i]);
        }
    }
}

/* ---------------------------------------------------------------- levels */

typedef struct LevelCase {
    const char *setting, *level;
    const char *complaint; /* NULL: the level is right */
} LevelCase;

static const LevelCase level_cases[] = {
    {"disk.cache", "none", NULL},
    {"disk.cache", "directsync", NULL},
    {"disk.cache", "writebak",
     "disk.cache: no level 'writebak'; did you mean 'writeback'?"},
    {"disk.cache", "", "disk.cache: no level ''; it has none, writethrough"},
    {"disk.io", "uring", "disk.io: no level 'uring'"},
    {"cpu.mode", "host-model", NULL},
    {"cpu.mode", "Nehalem", NULL},
    {"cpu.mode", "host-modle", "did you mean 'host-model'?"},
    {"cpu.mode", "a b", "cpu.mode: 'a b' is no name of a CPU model"},
    {"cpu.mode", "<x/>", "is no name of a CPU model"},
    {"vcpus", "255", NULL},
    {"vcpus", "0", "vcpus: a number of virtual CPUs from 1 to 255, not '0'"},
    {"vcpus", "256", "from 1 to 255"},
    {"vcpus", "2.5", "from 1 to 255"},
    {"memory", "512M", NULL},
    {"memory", "2GiB", NULL},
    {"memory", "lots", "memory: a size such as 512M or 2G, not 'lots'"},
    {"memory", "63M", "from 64M to 16T"},
    {"memory", "17T", "from 64M to 16T"},
    {"memory", "100000k", "memory comes in whole MiB"},
    {"guest.scheduler", "kyber", NULL},
    {"guest.scheduler", "deadline", NULL},
    {"guest.scheduler", "cfq", NULL},
    {"guest.scheduler", "kybre", "did you mean 'kyber'?"},
    {"guest.scheduler", "noop", "cfq means bfq"},
    {"guest.cmdline", "", NULL},
    {"guest.cmdline", "mitigations=off quiet", NULL},
    {"guest.cmdline", "a\nb", "one line"},
    {"guest.cmdline", "\xff", "not UTF-8"},
};

static void
test_levels(void **state)
{
    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(level_cases); i++) {
        const LevelCase *c = &level_cases[i];
        g_autoptr(GError) err = NULL;
        bool ok = setting_check_level(setting_find(c->setting), c->level, &err);

        if (ok != !c->complaint ||
            (c->complaint && !strstr(err->message, c->complaint)))
            fail_msg("%s '%s': %s", c->setting, c->level,
                     err ? err->message : "accepted");
    }
}

static void
test_long_cmdline_is_refused(void **state)
{
    g_autofree char *text = g_strnfill(5000, 'x');
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_false(
        setting_check_level(setting_find("guest.cmdline"), text, &err));
    assert_non_null(strstr(err->message, "at most"));
    /* The message must not quote 5000 bytes. */
    assert_true(strlen(err->message) < 200);
}

static void
assert_value(const char *setting, const char *level, const char *value)
{
    g_autofree char *found = setting_value(setting_find(setting), level);

    assert_string_equal(found, value);
}

static void
test_values(void **state)
{
    (void) state;
    assert_value("memory", "1G", "1048576");
    assert_value("memory", "512M", "524288");
    assert_value("guest.scheduler", "deadline", "mq-deadline");
    assert_value("guest.scheduler", "cfq", "bfq");
    assert_value("guest.scheduler", "none", "none");
    assert_value("disk.cache", "unsafe", "unsafe");
}

static void
test_expand(void **state)
{
    g_autofree char *twice = setting_expand("a%sb%s", "X");
    g_autofree char *never = setting_expand("100%", "X");
    /* What is put in is not expanded again. */
    g_autofree char *self = setting_expand("<%s>", "%s");

    (void) state;
    assert_string_equal(twice, "aXbX");
    assert_string_equal(never, "100%");
    assert_string_equal(self, "<%s>");
}

static void
assert_modules(const char *setting, const char *level, const char *expected)
{
    g_autoptr(GPtrArray) modules = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *joined = NULL;

    g_ptr_array_add(modules, g_strdup("sd_mod"));
    setting_modules(setting_find(setting), level, modules);
    g_ptr_array_add(modules, NULL);
    joined = g_strjoinv(" ", (char **) modules->pdata);
    assert_string_equal(joined, expected);
}

static void
test_modules(void **state)
{
    (void) state;
    assert_modules("disk.bus", "virtio", "sd_mod virtio_pci virtio_blk");
    /* Not twice. */
    assert_modules("disk.bus", "scsi", "sd_mod virtio_pci virtio_scsi");
    assert_modules("guest.scheduler", "kyber", "sd_mod kyber-iosched");
    assert_modules("guest.scheduler", "cfq", "sd_mod bfq");
    assert_modules("guest.scheduler", "none", "sd_mod");
    assert_modules("disk.cache", "none", "sd_mod");
}

/* ----------------------------------------------------------------- edits */

#define DOCUMENT                                                   \
    "<domain><name>n</name><devices><disk id='1'><driver io='x'/>" \
    "<address/></disk><disk id='2'/></devices></domain>"

/* Applies one edit with the level `level` to DOCUMENT, the first disk bound;
 * the outcome is the document's text, or the message of the failure. */
static char *
edited(const SettingEdit *edit, const char *level)
{
    const SettingEdit edits[] = {*edit, {0}};
    const Setting setting = {.name = "t",
                             .levels = (const char *const[]){"one", NULL},
                             .edits = edits};
    g_autoptr(GError) err = NULL;
    g_autoptr(xmlDoc) doc = xpath_parse(DOCUMENT, "document", NULL);
    xmlNodePtr disk = xpath_element(doc, NULL, "//disk");
    xmlChar *text = NULL;
    g_autofree char *body = NULL;
    int length = 0;

    if (!setting_apply(&setting, level, doc, disk, &err))
        return g_strdup(err->message);
    xmlDocDumpMemory(doc, &text, &length);
    body = g_strndup((const char *) text, (gsize) length);
    xmlFree(text);
    return g_strdup(strstr(body, "<domain>") + strlen("<domain>"));
}

#define DISK2 "<disk id=\"2\"/></devices></domain>\n"
#define DISK1 "<name>n</name><devices><disk id=\"1\">"

typedef struct EditCase {
    SettingEdit edit;
    const char *level, *expected;
} EditCase;

static const EditCase edit_cases[] = {
    {{NULL, EDIT_ATTRIBUTE, "$disk/driver", "io", "a%s"},
     "<&\"",
     DISK1 "<driver io=\"a&lt;&amp;&quot;\"/><address/></disk>" DISK2},
    {{NULL, EDIT_ATTRIBUTE, "//disk", "k", "v"},
     "one",
     "<name>n</name><devices><disk id=\"1\" k=\"v\"><driver io=\"x\"/>"
     "<address/></disk><disk id=\"2\" k=\"v\"/></devices></domain>\n"},
    /* Missing elements are made, before <devices>. */
    {{NULL, EDIT_TEXT, "/domain/a/b", NULL, "%s"},
     "<&",
     "<name>n</name><a><b>&lt;&amp;</b></a><devices><disk id=\"1\">"
     "<driver io=\"x\"/><address/></disk>" DISK2},
    {{NULL, EDIT_ATTRIBUTE, "$disk/new", "k", "v"},
     "one",
     DISK1 "<driver io=\"x\"/><address/><new k=\"v\"/></disk>" DISK2},
    {{NULL, EDIT_TEXT, "/domain/name", NULL, "%s"},
     "m",
     "<name>m</name><devices><disk id=\"1\"><driver io=\"x\"/><address/>"
     "</disk>" DISK2},
    {{NULL, EDIT_APPEND_TEXT, "/domain/name", NULL, "%s"},
     "m",
     "<name>n m</name><devices><disk id=\"1\"><driver io=\"x\"/><address/>"
     "</disk>" DISK2},
    {{NULL, EDIT_APPEND_TEXT, "/domain/name", NULL, "%s"},
     "",
     DISK1 "<driver io=\"x\"/><address/></disk>" DISK2},
    {{NULL, EDIT_FRAGMENT, "/domain", "name", "<name a='%s'/>"},
     "'<",
     "<name a=\"'&lt;\"/><devices><disk id=\"1\"><driver io=\"x\"/><address/>"
     "</disk>" DISK2},
    {{NULL, EDIT_APPEND, "$disk", NULL, "<driver/>"},
     "one",
     DISK1 "<driver io=\"x\"/><address/><driver/></disk>" DISK2},
    {{NULL, EDIT_REMOVE, "$disk/driver/@io | $disk/address | $disk/none", NULL,
      NULL},
     "one",
     DISK1 "<driver/></disk>" DISK2},
    /* Nested: the inner one goes with the outer one, once. */
    {{NULL, EDIT_REMOVE, "//disk | //driver", NULL, NULL},
     "one",
     "<name>n</name><devices/></domain>\n"},
    {{"two", EDIT_REMOVE, "//disk", NULL, NULL},
     "one",
     DISK1 "<driver io=\"x\"/><address/></disk>" DISK2},
    {{SETTING_OTHER, EDIT_REMOVE, "$disk/address", NULL, NULL},
     "one",
     DISK1 "<driver io=\"x\"/><address/></disk>" DISK2},
    {{SETTING_OTHER, EDIT_REMOVE, "$disk/address", NULL, NULL},
     "two",
     DISK1 "<driver io=\"x\"/></disk>" DISK2},
    /* The level reaches into paths too. */
    {{NULL, EDIT_REMOVE, "//disk[@id >= %s]", NULL, NULL},
     "2",
     DISK1 "<driver io=\"x\"/><address/></disk></devices></domain>\n"},
    {{NULL, EDIT_TEXT, "//nowhere[1]", NULL, "x"},
     "one",
     "t: nothing at '//nowhere[1]' in the domain document"},
    {{NULL, EDIT_TEXT, "/domain/a[1]/b", NULL, "x"},
     "one",
     "t: nothing at '/domain/a[1]/b' in the domain document"},
    {{NULL, EDIT_REMOVE, "//[", NULL, NULL},
     "one",
     "t: '//[' is no XPath, or says $disk where there is no disk"},
};

static void
test_edits(void **state)
{
    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(edit_cases); i++) {
        g_autofree char *found =
            edited(&edit_cases[i].edit, edit_cases[i].level);

        if (strcmp(found, edit_cases[i].expected) != 0)
            fail_msg("edit %u:\n%s\nexpected:\n%s", i, found,
                     edit_cases[i].expected);
    }
}

static void
test_parse_refuses_entities(void **state)
{
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_null(xpath_parse("<!DOCTYPE d [<!ENTITY e SYSTEM "
                            "'file:///etc/hostname'>]><d>&e;</d>",
                            "t.xml", &err));
    assert_non_null(strstr(err->message, "t.xml: "));
    assert_non_null(strstr(err->message, "DOCTYPE"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_edits_name_levels),
        cmocka_unit_test(test_proofs_are_sound),
        cmocka_unit_test(test_every_level_has_a_proof),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_long_cmdline_is_refused),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_expand),
        cmocka_unit_test(test_modules),
        cmocka_unit_test(test_edits),
        cmocka_unit_test(test_parse_refuses_entities),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("setting", tests, NULL, NULL);
}
