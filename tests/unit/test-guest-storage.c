/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The storage directory: room, description, work files, cleaning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/file.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"
#include "guest-util.h"

static void
room(void **state)
{
    g_autofree char *deep = below("a/new/place");
    g_autofree char *warning = NULL;
    g_autoptr(GError) err = NULL;

    (void) state;
    assert_true(disk_check_storage(deep, MIB, &warning, NULL));
    assert_true(g_file_test(deep, G_FILE_TEST_IS_DIR));
    assert_false(disk_check_storage(deep, G_MAXINT64, &warning, &err));
    assert_non_null(strstr(err->message, deep));
    assert_non_null(strstr(err->message, "(9223372036854775807 bytes), "));
    assert_non_null(strstr(err->message, " free ("));
    g_clear_error(&err);
    assert_false(disk_check_storage("/proc/no", 0, &warning, &err));
    assert_non_null(err);
}

static void
descriptions(void **state)
{
    static const char mounts[] =
        "26 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
        "30 26 8:1 / /srv rw,noatime shared:1 - xfs /dev/sdb1 rw,noquota\n"
        "31 30 0:9 / /srv/my\\040disks rw - btrfs /dev/sdc rw,compress=zstd\n"
        "32 30 0:9 / /over rw - tmpfs lower rw\n"
        "33 30 0:9 / /over rw - ext4 upper rw\n"
        "nonsense\n";
    static const struct {
        const char *path, *text;
    } cases[] = {{"/home", "ext4 on /dev/vda (rw,relatime,discard)"},
                 {"/srv", "xfs on /dev/sdb1 (rw,noatime,noquota)"},
                 {"/srvx", "ext4 on /dev/vda (rw,relatime,discard)"},
                 {"/srv/my disks/a", "btrfs on /dev/sdc (rw,compress=zstd)"},
                 {"/over/x", "ext4 on upper (rw)"}};
    g_autofree char *here = disk_describe_storage(dir);
    g_autofree char *none = disk_describe_mount("", "/");

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = disk_describe_mount(mounts, cases[i].path);

        assert_string_equal(text, cases[i].text);
    }
    assert_non_null(strstr(here, " on "));
    assert_string_equal(none, "unknown");
}

static void
needed_bytes(void **state)
{
    g_autofree char *storage = below("needed");
    g_autofree char *payload = below("payload");
    g_autofree char *slot = NULL;
    DiskGoldenSpec spec = {.storage = storage,
                           .fs = "ext4",
                           .bytes = DISK,
                           .work_bytes = 4 * MIB,
                           .payload = payload};
    guint64 none = 0, two = 0, one = 0;

    (void) state;
    assert_true(file_mkdir(storage, NULL));
    assert_true(file_write(payload, "payload", -1, NULL));
    none = disk_bytes_needed(&spec, 0);
    two = disk_bytes_needed(&spec, 2);
    assert_true(none >= DISK + 4 * MIB && none < DISK + 8 * MIB);
    assert_true(two >= none + 2 * DISK && two < none + 3 * DISK);
    slot = g_build_filename(storage, "vsweep-slot-raw-full-0.img", NULL);
    scribble(slot, 0, DISK, 'x');
    one = disk_bytes_needed(&spec, 2);
    assert_true(one >= none + DISK && one < none + 2 * DISK);
}

static void
work_file(void **state)
{
    const gsize size = 5 * MIB + 123;
    g_autofree char *path = below("work");
    g_autofree char *text = NULL;
    g_autoptr(GError) err = NULL;
    gsize length = 0;
    ino_t inode = 0;
    guint zeros = 0;

    (void) state;
    assert_true(disk_work_file(path, size, NULL));
    inode = inode_of(path);
    assert_true(disk_work_file(path, size, NULL));
    assert_int_equal(inode_of(path), inode);
    text = file_read(path, 2 * size, &length, NULL);
    assert_int_equal(length, size);
    for (gsize i = 0; i < size; i++)
        zeros += text[i] == 0;
    /* One in 256, give or take ten standard deviations. */
    assert_in_range(zeros, size / 256 - 1500, size / 256 + 1500);
    assert_false(disk_work_file("/nonexistent/work", 1, &err));
    assert_non_null(strstr(err->message, "/nonexistent"));
}

/* How many names in `storage` begin with `prefix`. */
static guint
count_names(const char *storage, const char *prefix)
{
    g_autoptr(GDir) list = g_dir_open(storage, 0, NULL);
    const char *name = NULL;
    guint count = 0;

    while (list && (name = g_dir_read_name(list)))
        count += g_str_has_prefix(name, prefix);
    return count;
}

/* None of these gets as far as libguestfs; none leaves anything behind. */
static void
golden_refusals(void **state)
{
    g_autofree char *storage = below("golden");
    g_autofree char *payload = below("payload");
    const DiskGoldenSpec good = {.storage = storage,
                                 .fs = "ext4",
                                 .bytes = DISK,
                                 .work_bytes = MIB,
                                 .payload = payload};
    DiskGoldenSpec cases[] = {good, good, good, good, good};
    static const char *const words[] = {"'xfs'", "multiple", "does not fit",
                                        "mke2fs", "/nonexistent"};

    (void) state;
    assert_true(file_write(payload, "payload", -1, NULL));
    cases[0].fs = "xfs";
    cases[1].bytes = DISK + 1;
    cases[2].work_bytes = DISK;
    cases[3].work_bytes = DISK - MIB; /* no room for the file system */
    cases[4].payload = "/nonexistent";
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) err = NULL;

        assert_null(disk_golden(&cases[i], &err));
        assert_non_null(err);
        if (!strstr(err->message, words[i]))
            fail_msg("%s", err->message);
        assert_int_equal(vs_error_status(err), i < 3 ? 2 : 1);
        assert_int_equal(count_names(storage, ""), 0);
    }
}

static void
cleaning(void **state)
{
    static const char *const names[] = {
        ".vsweep-tmp-abc/image", "vsweep-slot-raw-full-0.img",
        "vsweep-golden-ext4-1MiB-0.raw", "vsweep-host/work", "mine.img"};
    g_autofree char *storage = below("clean");
    g_autoptr(GPtrArray) report = g_ptr_array_new_with_free_func(g_free);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(storage, names[i], NULL);
        g_autofree char *parent = g_path_get_dirname(path);

        assert_true(file_mkdir(parent, NULL));
        assert_true(file_write(path, "x", -1, NULL));
    }
    assert_true(disk_clean(storage, false, report, NULL));
    assert_int_equal(report->len, 2);
    assert_int_equal(count_names(storage, ""), 3);
    assert_true(disk_clean(storage, true, report, NULL));
    assert_int_equal(report->len, 4);
    assert_int_equal(count_names(storage, ""), 1);
    assert_int_equal(count_names(storage, "mine.img"), 1);
    assert_true(disk_clean("/nonexistent", true, NULL, NULL));
}

static int
set_up(void **state)
{
    (void) state;
    dir = g_build_filename(VS_BUILD_DIR, "test-guest-storage-XXXXXX", NULL);
    assert_non_null(g_mkdtemp(dir));
    return 0;
}

static int
tear_down(void **state)
{
    (void) state;
    file_remove(dir, NULL);
    g_free(dir);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room),
        cmocka_unit_test(descriptions),
        cmocka_unit_test(needed_bytes),
        cmocka_unit_test(work_file),
        cmocka_unit_test(golden_refusals),
        cmocka_unit_test(cleaning),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
