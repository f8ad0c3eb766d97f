/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Domain documents: one golden file for every level of every setting, all
 * valid by libvirt's schema; what a user's dumpxml becomes; what is refused.
 */
#include "setting-util.h"

#define DUMPXML VS_SOURCE_DIR "/tests/data/domain/dumpxml.in"

typedef struct OpenLevel {
    const char *setting, *level;
} OpenLevel;

/* Levels beyond the known ones. */
static const OpenLevel open_levels[] = {
    {"cpu.mode", "Nehalem"},
    {"vcpus", "4"},
    {"memory", "512M"},
    {"guest.scheduler", "cfq"},
    {"guest.cmdline", "a='<&>' b"},
};

static char *
golden_name(const char *setting, const char *level)
{
    g_autofree char *name =
        g_strdup_printf("%s-%s.xml", setting, *level ? level : "empty");

    return g_strdup(
        g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-", '_'));
}

static void
assert_valid(const char *name, const char *xml)
{
    g_autoptr(GError) err = NULL;

    if (!domain_validate(xml, &err))
        fail_msg("%s: %s\n%s", name, err->message, xml);
}

static void
check_level(const char *setting, const char *level)
{
    g_autoptr(OneCell) one = one_cell_new(setting, level, NULL);
    /* q35 has no IDE controller. */
    const char *template_path =
        strcmp(level, "ide") == 0 ? TEMPLATE_PC : TEMPLATE;
    g_autofree char *xml = build_cell(one, template_path, fixed_params());
    g_autofree char *name = golden_name(setting, level);

    assert_valid(name, xml);
    assert_golden("domain", name, xml);
}

static void
test_every_level(void **state)
{
    (void) state;
    for (const Setting *row = setting_table; row->name; row++) {
        for (guint i = 0; row->levels[i]; i++)
            check_level(row->name, row->levels[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(open_levels); i++)
        check_level(open_levels[i].setting, open_levels[i].level);
}

static char *
xpath_of(const char *xml, const char *path)
{
    GError *err = NULL;
    char *text = domain_xpath_string(xml, path, &err);

    if (!text)
        fail_msg("%s", err->message);
    return text;
}

static void
assert_xpath(const char *xml, const char *path, const char *expected)
{
    g_autofree char *found = xpath_of(xml, path);

    if (strcmp(found, expected) != 0)
        fail_msg("%s is '%s', not '%s', in\n%s", path, found, expected, xml);
}

static void
test_settings_combine(void **state)
{
    g_autoptr(OneCell) one = one_cell_new(
        "disk.format", "qcow2", "disk.cache", "directsync", "disk.io", "native",
        "disk.bus", "scsi", "cpu.mode", "host-model", "vcpus", "2", NULL);
    g_autofree char *xml = build_cell(one, TEMPLATE, fixed_params());

    (void) state;
    assert_valid("combination", xml);
    assert_golden("domain", "combination.xml", xml);
}

static void
test_shell_has_a_terminal_and_no_channel(void **state)
{
    g_autoptr(OneCell) one = one_cell_new(NULL);
    DomainParams params = *fixed_params();
    g_autofree char *xml = NULL;

    (void) state;
    params.channel = false;
    params.kvm = false;
    xml = build_cell(one, TEMPLATE, &params);
    assert_valid("shell", xml);
    assert_xpath(xml, "string(/domain/@type)", "qemu");
    assert_xpath(xml, "count(//channel)", "0");
    assert_xpath(xml, "count(//serial)", "1");
    assert_xpath(xml, "string(//serial/@type)", "pty");
}

/* ------------------------------------------------------ a user's template */

static void
test_dumpxml_becomes_a_cell(void **state)
{
    g_autoptr(OneCell) one =
        one_cell_new("disk.bus", "sata", "disk.cache", "writeback", NULL);
    g_autofree char *xml = build_cell(one, DUMPXML, fixed_params());

    (void) state;
    assert_valid("dumpxml", xml);
    assert_golden("domain", "dumpxml.xml", xml);
}

/* What must never reach a guest of ours: see vm/domain-template.c. */
static void
test_nothing_of_the_person_is_opened(void **state)
{
    static const char *const secrets[] = {
        "/home/somebody", "/dev/vg0", "nvram",    "52:54:00",
        "b0c7d1f2",       "virbr0",   "/dev/pts", "debian12_VARS"};
    g_autoptr(OneCell) one = one_cell_new(NULL);
    g_autofree char *xml = build_cell(one, DUMPXML, fixed_params());

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(secrets); i++) {
        if (strstr(xml, secrets[i]))
            fail_msg("'%s' is still in\n%s", secrets[i], xml);
    }
    assert_xpath(xml, "count(//disk)", "1");
    assert_xpath(xml, "string(//disk/source/@file)", fixed_params()->image);
    assert_xpath(xml, "string(/domain/name)", fixed_params()->name);
    /* The person's other choices stay. */
    assert_xpath(xml, "string($disk/driver/@discard)", "unmap");
    assert_xpath(xml, "string(/domain/iothreads)", "1");
}

static void
test_the_named_disk_is_taken(void **state)
{
    g_autoptr(OneCell) one = one_cell_new("disk.bus", "scsi", NULL);
    g_autofree char *xml = NULL;

    (void) state;
    one->matrix.disk = (char *) "vdb";
    xml = build_cell(one, DUMPXML, fixed_params());
    /* vda has discard, vdb has not. */
    assert_xpath(xml, "count($disk/driver/@discard)", "0");
    assert_xpath(xml, "string($disk/target/@dev)", "sda");
}

/* A document of ours is as good a template as any, and marks are not
 * doubled. */
static void
test_own_document_as_template(void **state)
{
    g_autoptr(OneCell) one = one_cell_new("disk.bus", "scsi", NULL);
    g_autofree char *first = build_cell(one, TEMPLATE, fixed_params());
    g_autofree char *second = domain_build(first, "first", &one->design,
                                           &one->cell, fixed_params(), NULL);

    (void) state;
    assert_non_null(second);
    assert_xpath(second, "count(//channel)", "1");
    assert_xpath(second, "count(//serial)", "1");
    assert_xpath(second, "count(//panic)", "1");
    assert_xpath(second, "count(/domain/metadata/*)", "1");
    assert_xpath(second, "count(//controller[@type='scsi'])", "1");
    assert_xpath(second, "string(/domain/os/cmdline)", fixed_params()->cmdline);
}

static void
test_disk_target(void **state)
{
    g_autofree char *text = read_whole(DUMPXML);
    g_autofree char *first = domain_disk_target(text, DUMPXML, NULL, NULL);
    g_autofree char *second = domain_disk_target(text, DUMPXML, "vdb", NULL);

    (void) state;
    assert_string_equal(first, "vda");
    assert_string_equal(second, "vdb");
}

/* --------------------------------------------------------------- refusals */

#define HVM "<os><type arch='x86_64'>hvm</type></os>"

typedef struct Refusal {
    const char *xml, *disk, *complaint;
} Refusal;

static const Refusal refusals[] = {
    {"<domain>\n<name>\n</domain>", NULL, "t.xml:3: "},
    {"", NULL, "t.xml:1: "},
    {"<!DOCTYPE domain []><domain/>", NULL, "DOCTYPE"},
    {"<domainsnapshot/>", NULL,
     "is a <domainsnapshot>, not a libvirt <domain>"},
    {"<domain><os><type>exe</type></os></domain>", NULL, "needs hvm"},
    {"<domain><os><type arch='aarch64'>hvm</type></os></domain>", NULL,
     "'hvm' for 'aarch64'"},
    {"<domain>" HVM "<devices/></domain>", NULL, "add one"},
    {"<domain>" HVM "<devices><disk device='cdrom'><target dev='sda'/></disk>"
     "</devices></domain>",
     NULL, "add one"},
    {"<domain>" HVM "<devices><disk device='cdrom'><target dev='sda'/></disk>"
     "<disk><target dev='vda'/></disk><disk><target dev='vdb'/></disk>"
     "</devices></domain>",
     "vdc", "disk 'vdc' is not there; disks that can be under test: vda, vdb"},
    {"<domain>" HVM "<devices><disk device='cdrom'><target dev='sda'/></disk>"
     "<disk><target dev='vda'/></disk></devices></domain>",
     "sda", "disk 'sda' is a CD-ROM or floppy"},
    {"<domain>" HVM "<devices><disk/></devices></domain>", NULL,
     "without <target dev='...'/>"},
};

static void
test_refusals(void **state)
{
    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(refusals); i++) {
        g_autoptr(GError) err = NULL;
        g_autofree char *target = domain_disk_target(refusals[i].xml, "t.xml",
                                                     refusals[i].disk, &err);

        if (target || !strstr(err->message, refusals[i].complaint) ||
            !g_str_has_prefix(err->message, "t.xml"))
            fail_msg("refusal %u: %s", i, target ? target : err->message);
    }
}

static void
test_a_host_cell_has_no_domain(void **state)
{
    g_autoptr(OneCell) one = one_cell_new(NULL);
    g_autofree char *text = read_whole(TEMPLATE);
    g_autoptr(GError) err = NULL;

    (void) state;
    one->cell.kind = CELL_HOST;
    assert_null(domain_build(text, TEMPLATE, &one->design, &one->cell,
                             fixed_params(), &err));
    assert_non_null(strstr(err->message, "is no guest"));
}

/* ----------------------------------------------------------------- schema */

/* Runs first: the schema is read once. */
static void
test_missing_schema_is_named(void **state)
{
    g_autofree char *xml = read_whole(TEMPLATE);
    g_autoptr(GError) err = NULL;

    (void) state;
    g_setenv("VSWEEP_SCHEMAS", "/nonexistent", TRUE);
    assert_false(domain_validate(xml, &err));
    g_unsetenv("VSWEEP_SCHEMAS");
    assert_non_null(strstr(err->message, "/nonexistent/domain.rng"));
    assert_non_null(strstr(err->message, "VSWEEP_SCHEMAS"));
}

static void
test_templates_are_valid(void **state)
{
    g_autofree char *micro = read_whole(TEMPLATE);
    g_autofree char *micro_pc = read_whole(TEMPLATE_PC);
    g_autofree char *dumpxml = read_whole(DUMPXML);

    (void) state;
    assert_valid("micro.xml", micro);
    assert_valid("micro-pc.xml", micro_pc);
    assert_valid("dumpxml.in", dumpxml);
}

static void
test_schema_complains(void **state)
{
    g_autoptr(OneCell) one = one_cell_new(NULL);
    g_autofree char *xml = build_cell(one, TEMPLATE, fixed_params());
    g_auto(GStrv) parts = g_strsplit(xml, "cache=\"none\"", 2);
    g_autofree char *wrong = g_strjoinv("cache=\"sometimes\"", parts);
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_string_not_equal(xml, wrong);
    assert_false(domain_validate(wrong, &err));
    assert_non_null(strstr(err->message, "libvirt's schema: "));
    assert_non_null(strstr(err->message, "line "));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_schema_is_named),
        cmocka_unit_test(test_templates_are_valid),
        cmocka_unit_test(test_schema_complains),
        cmocka_unit_test(test_every_level),
        cmocka_unit_test(test_settings_combine),
        cmocka_unit_test(test_shell_has_a_terminal_and_no_channel),
        cmocka_unit_test(test_dumpxml_becomes_a_cell),
        cmocka_unit_test(test_nothing_of_the_person_is_opened),
        cmocka_unit_test(test_the_named_disk_is_taken),
        cmocka_unit_test(test_own_document_as_template),
        cmocka_unit_test(test_disk_target),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_a_host_cell_has_no_domain),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("domain", tests, NULL, NULL);
}
