/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Proofs: tests/data/proof holds the live documents and QEMU arguments of two
 * real guests (libvirt 9.0, QEMU 7.2).  The truth must hold, and every lie
 * told about it must be caught.
 */
#include "setting-util.h"
#include "run/proof.h"

#define PROOF_DATA VS_SOURCE_DIR "/tests/data/proof/"

/* What was seen of a guest, and the cell it was meant to be. */
typedef struct Seen {
    OneCell *one;
    char *xml, *argv;
    GHashTable *facts;
} Seen;

static void
free_proof(gpointer data)
{
    AttemptProof *proof = data;

    g_free(proof->setting);
    g_free(proof->source);
    g_free(proof->requested);
    g_free(proof->effective);
    g_free(proof);
}

static Seen *
seen_new(const char *name, OneCell *one)
{
    Seen *seen = g_new0(Seen, 1);
    g_autofree char *xml = g_strconcat(PROOF_DATA, name, ".xml", NULL);
    g_autofree char *argv = g_strconcat(PROOF_DATA, name, ".argv", NULL);

    seen->one = one;
    seen->xml = read_whole(xml);
    seen->argv = read_whole(argv);
    seen->facts = g_hash_table_new(g_str_hash, g_str_equal);
    return seen;
}

static void
seen_free(Seen *seen)
{
    one_cell_free(seen->one);
    g_free(seen->xml);
    g_free(seen->argv);
    g_hash_table_unref(seen->facts);
    g_free(seen);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Seen, seen_free)

static void
set_fact(Seen *seen, const char *name, const char *text)
{
    g_hash_table_insert(seen->facts, (gpointer) name, (gpointer) text);
}

/* virtio, cache none, two virtual CPUs, a word on the command line. */
static Seen *
seen_none(void)
{
    Seen *seen = seen_new("none", one_cell_new("vcpus", "2", "guest.cmdline",
                                               "mitigations=off", NULL));

    set_fact(seen, "nr_cpus", "2");
    set_fact(seen, "disk.write_cache", "write back");
    set_fact(seen, "disk.scheduler", "none");
    return seen;
}

/* virtio-scsi, qcow2, writethrough, a named CPU. */
static Seen *
seen_scsi(void)
{
    Seen *seen = seen_new(
        "scsi", one_cell_new("disk.bus", "scsi", "disk.cache", "writethrough",
                             "disk.format", "qcow2", "cpu.mode", "Nehalem",
                             "guest.scheduler", "deadline", NULL));

    set_fact(seen, "nr_cpus", "1");
    set_fact(seen, "disk.write_cache", "write through");
    set_fact(seen, "disk.scheduler", "mq-deadline");
    return seen;
}

static bool
check(const Seen *seen, GPtrArray *proofs)
{
    return proof_check(&seen->one->design, &seen->one->cell, seen->xml,
                       seen->argv, seen->facts, proofs);
}

/* All proofs, one a line, as they would be stored. */
static char *
all_lines(const GPtrArray *proofs)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < proofs->len; i++) {
        const AttemptProof *proof = proofs->pdata[i];

        g_string_append_printf(text, "%s\t%s\t%s\t%s\t%s\n", proof->setting,
                               proof->source, proof->requested,
                               proof->effective, proof->ok ? "ok" : "FAILED");
    }
    return g_string_free(text, FALSE);
}

static void
assert_truth(Seen *seen_owned, const char *golden)
{
    g_autoptr(Seen) seen = seen_owned;
    g_autoptr(GPtrArray) proofs = g_ptr_array_new_with_free_func(free_proof);
    bool ok = check(seen, proofs);
    g_autofree char *lines = all_lines(proofs);

    if (!ok)
        fail_msg("the truth was not believed:\n%s", lines);
    assert_golden("proof", golden, lines);
}

static void
test_the_truth_holds(void **state)
{
    (void) state;
    assert_truth(seen_none(), "none.txt");
    assert_truth(seen_scsi(), "scsi.txt");
}

/* -------------------------------------------------------------------- lies */

/* Exactly the proofs of `setting` that look at `source` must fail. */
static void
assert_caught(const Seen *seen, const char *setting, const char *source)
{
    g_autoptr(GPtrArray) proofs = g_ptr_array_new_with_free_func(free_proof);
    bool ok = check(seen, proofs);
    g_autofree char *lines = all_lines(proofs);
    bool caught = false;

    for (guint i = 0; i < proofs->len; i++) {
        const AttemptProof *proof = proofs->pdata[i];

        if (proof->ok)
            continue;
        if (strcmp(proof->setting, setting) != 0 ||
            strcmp(proof->source, source) != 0)
            fail_msg("%s, %s was to be caught:\n%s", setting, source, lines);
        caught = true;
    }
    if (ok || !caught)
        fail_msg("%s: the lie was believed:\n%s", setting, lines);
}

static void
replace(char **text, const char *old, const char *new)
{
    g_auto(GStrv) parts = g_strsplit(*text, old, -1);

    if (!parts[1])
        fail_msg("'%s' is not in\n%s", old, *text);
    g_free(*text);
    *text = g_strjoinv(new, parts);
}

typedef struct Lie {
    const char *what, *old, *new, *setting;
} Lie;

#define XML_LIE "live XML"
#define ARGV_LIE "QEMU arguments"

static const Lie lies_none[] = {
    {XML_LIE, "cache='none'", "cache='unsafe'", "disk.cache"},
    {XML_LIE, "io='threads'", "io='io_uring'", "disk.io"},
    {XML_LIE, " io='threads'", "", "disk.io"},
    {XML_LIE, "type='raw'", "type='qcow2'", "disk.format"},
    {XML_LIE, "bus='virtio'", "bus='sata'", "disk.bus"},
    {XML_LIE, ">2</vcpu>", ">1</vcpu>", "vcpus"},
    {XML_LIE, "1048576</memory>", "524288</memory>", "memory"},
    {XML_LIE, "1048576</currentMemory>", "524288</currentMemory>", "memory"},
    {ARGV_LIE, "\"direct\":true", "\"direct\":false", "disk.cache"},
    {ARGV_LIE, "\"no-flush\":false", "\"no-flush\":true", "disk.cache"},
    {ARGV_LIE, "\"write-cache\":\"on\"", "\"write-cache\":\"off\"",
     "disk.cache"},
    {ARGV_LIE, ",\"write-cache\":\"on\"", "", "disk.cache"},
    {ARGV_LIE, "\"aio\":\"threads\"", "\"aio\":\"native\"", "disk.io"},
    {ARGV_LIE, "\"driver\":\"raw\"", "\"driver\":\"qcow2\"", "disk.format"},
    {ARGV_LIE, "virtio-blk-pci", "scsi-hd", "disk.bus"},
    {ARGV_LIE, "-cpu\nqemu64", "-cpu\nhost,migratable=on", "cpu.mode"},
    {ARGV_LIE, " mitigations=off", "", "guest.cmdline"},
    {ARGV_LIE, " mitigations=off", " nomitigations=off", "guest.cmdline"},
};

static const Lie lies_scsi[] = {
    {XML_LIE, "cache='writethrough'", "cache='none'", "disk.cache"},
    {XML_LIE, "model='virtio-scsi'", "model='lsilogic'", "disk.bus"},
    {XML_LIE, ">Nehalem</model>", ">Westmere</model>", "cpu.mode"},
    {XML_LIE, "policy='require' name='hypervisor'",
     "policy='disable' name='sse4.2'", "cpu.mode"},
    {ARGV_LIE, "-cpu\nNehalem", "-cpu\nNehalem-IBRS", "cpu.mode"},
    {ARGV_LIE, "\"driver\":\"qcow2\"", "\"driver\":\"raw\"", "disk.format"},
    {ARGV_LIE, "\"write-cache\":\"off\"", "\"write-cache\":\"on\"",
     "disk.cache"},
    {ARGV_LIE, "\"driver\":\"scsi-hd\"", "\"driver\":\"scsi-block\"",
     "disk.bus"},
};

static void
catch_lie(Seen *seen_owned, const Lie *lie)
{
    g_autoptr(Seen) seen = seen_owned;

    replace(strcmp(lie->what, XML_LIE) == 0 ? &seen->xml : &seen->argv,
            lie->old, lie->new);
    assert_caught(seen, lie->setting, lie->what);
}

static void
test_host_side_lies_are_caught(void **state)
{
    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(lies_none); i++)
        catch_lie(seen_none(), &lies_none[i]);
    for (guint i = 0; i < G_N_ELEMENTS(lies_scsi); i++)
        catch_lie(seen_scsi(), &lies_scsi[i]);
}

typedef struct FactLie {
    const char *fact, *text, *setting;
} FactLie;

static const FactLie fact_lies[] = {
    {"disk.write_cache", "write through", "disk.cache"},
    {"disk.scheduler", "mq-deadline", "guest.scheduler"},
    {"disk.scheduler", NULL, "guest.scheduler"},
    {"nr_cpus", "1", "vcpus"},
    {"nr_cpus", "20", "vcpus"},
};

static void
test_guest_side_lies_are_caught(void **state)
{
    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(fact_lies); i++) {
        g_autoptr(Seen) seen = seen_none();
        g_autofree char *source =
            g_strdup_printf("guest %s", fact_lies[i].fact);

        set_fact(seen, fact_lies[i].fact, fact_lies[i].text);
        assert_caught(seen, fact_lies[i].setting, source);
    }
}

/* -------------------------------------------------------------- more disks */

/* Another disk's flags are not taken for those of the disk under test. */
static void
test_only_the_disk_under_test_counts(void **state)
{
    static const char other[] =
        "-blockdev\n{\"driver\":\"file\",\"filename\":\"/x\",\"aio\":"
        "\"native\",\"node-name\":\"libvirt-11-storage\",\"cache\":{"
        "\"direct\":false,\"no-flush\":true}}\n-device\n{\"driver\":"
        "\"ide-hd\",\"drive\":\"libvirt-11-format\",\"write-cache\":"
        "\"off\"}\n";
    g_autoptr(Seen) seen = seen_none();
    g_autoptr(GPtrArray) proofs = g_ptr_array_new_with_free_func(free_proof);
    char *argv = g_strconcat(other, seen->argv, NULL);

    (void) state;
    g_free(seen->argv);
    seen->argv = argv;
    assert_true(check(seen, proofs));
}

/* Linux takes every USB disk for write back: nothing to be seen there. */
static void
test_an_exception_is_left_out(void **state)
{
    g_autoptr(Seen) seen = seen_scsi();
    g_autoptr(GPtrArray) proofs = g_ptr_array_new_with_free_func(free_proof);
    g_autofree char *lines = NULL;

    (void) state;
    g_ptr_array_set_size(seen->one->extra.settings, 0);
    g_ptr_array_set_size(seen->one->extra.levels, 0);
    one_cell_set(seen->one, "disk.bus", "usb");
    check(seen, proofs);
    lines = all_lines(proofs);
    assert_null(strstr(lines, "disk.write_cache"));
    assert_non_null(strstr(lines, "write-cache"));
}

static void
test_what_is_not_there_proves_nothing(void **state)
{
    g_autoptr(Seen) seen = seen_none();
    g_autoptr(GPtrArray) proofs = g_ptr_array_new_with_free_func(free_proof);

    (void) state;
    assert_false(proof_check(&seen->one->design, &seen->one->cell, NULL, NULL,
                             NULL, proofs));
    assert_true(proofs->len > 10);
    for (guint i = 0; i < proofs->len; i++) {
        const AttemptProof *proof = proofs->pdata[i];

        assert_false(proof->ok);
        assert_string_equal(proof->effective, "cannot be seen");
    }
}

/* A guest may say anything: it is cut, made UTF-8, and not believed. */
static void
test_a_rude_guest(void **state)
{
    g_autoptr(Seen) seen = seen_none();
    g_autoptr(GPtrArray) proofs = g_ptr_array_new_with_free_func(free_proof);
    g_autofree char *rude = g_strnfill(100000, '\xff');

    (void) state;
    set_fact(seen, "disk.scheduler", rude);
    assert_false(check(seen, proofs));
    for (guint i = 0; i < proofs->len; i++) {
        const AttemptProof *proof = proofs->pdata[i];

        assert_true(g_utf8_validate(proof->effective, -1, NULL));
        assert_true(strlen(proof->effective) < 1000);
    }
}

static void
test_the_host_has_no_proofs(void **state)
{
    g_autoptr(Seen) seen = seen_none();
    g_autoptr(GPtrArray) proofs = g_ptr_array_new_with_free_func(free_proof);

    (void) state;
    seen->one->cell.kind = CELL_HOST;
    assert_true(check(seen, proofs));
    assert_int_equal(proofs->len, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_truth_holds),
        cmocka_unit_test(test_host_side_lies_are_caught),
        cmocka_unit_test(test_guest_side_lies_are_caught),
        cmocka_unit_test(test_only_the_disk_under_test_counts),
        cmocka_unit_test(test_an_exception_is_left_out),
        cmocka_unit_test(test_what_is_not_there_proves_nothing),
        cmocka_unit_test(test_a_rude_guest),
        cmocka_unit_test(test_the_host_has_no_proofs),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("proof", tests, NULL, NULL);
}
