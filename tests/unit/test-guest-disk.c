/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slots, allocation and eviction on real files.
 */
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "base/child.h"
#include "base/fd-auto.h"
#include "base/file.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"
#include "guest-util.h"

static DiskGolden golden;
/* Whether the file system tells written from unwritten extents. */
static bool has_fiemap;

/* Pages of a file in the page cache, counted without disk_evict(). */
static guint
cached_pages(const char *path)
{
    g_autofd int fd = open(path, O_RDONLY);
    g_autofree guint8 *pages = g_malloc0(DISK / DISK_ALIGN);
    void *map = mmap(NULL, DISK, PROT_READ, MAP_SHARED, fd, 0);
    guint count = 0;

    assert_true(map != MAP_FAILED);
    assert_int_equal(mincore(map, DISK, pages), 0);
    for (gsize i = 0; i < DISK / DISK_ALIGN; i++)
        count += pages[i] & 1;
    munmap(map, DISK);
    return count;
}

/* Skips the test with the reason when there is nothing to see. */
static void
need_fiemap(void)
{
    if (!has_fiemap)
        skip_because("the file system of '%s' has no FIEMAP", dir);
}

static void
assert_same_content(const char *image, const char *format)
{
    const char *const argv[] = {"qemu-img", "compare",   "-f",  "raw", "-F",
                                format,     golden.path, image, NULL};
    g_autoptr(GError) err = NULL;

    if (!child_run(argv, NULL, &err))
        fail_msg("%s", err->message);
}

/* Fills a slot or fails the test with the message. */
static DiskSlot
filled(const char *format, const char *prealloc, guint number)
{
    g_autoptr(GError) err = NULL;
    DiskSlot slot = {0};

    if (!disk_slot_fill(&golden, format, prealloc, number, &slot, &err))
        fail_msg("%s", err->message);
    assert_same_content(slot.path, format);
    return slot;
}

static void
allocation(void **state)
{
    g_autofree char *path = below("allocation");
    g_autofree char *text = NULL;
    g_autofd int fd = open(path, O_RDWR | O_CREAT, 0644);
    guint64 allocated = 0;
    bool unwritten = true;

    (void) state;
    need_fiemap();
    assert_int_equal(ftruncate(fd, MIB), 0);
    assert_int_equal(pwrite(fd, "kept", 4, 70000), 4);
    assert_true(disk_allocation(fd, &allocated, &unwritten, NULL));
    assert_true(allocated < MIB);
    assert_false(unwritten);
    assert_int_equal(posix_fallocate(fd, 0, MIB / 2), 0);
    assert_true(disk_allocation(fd, &allocated, &unwritten, NULL));
    assert_true(unwritten);
    assert_true(disk_write_out(fd, MIB, NULL));
    assert_true(disk_allocation(fd, &allocated, &unwritten, NULL));
    assert_true(allocated >= MIB);
    assert_false(unwritten);
    text = file_read(path, MIB, NULL, NULL);
    assert_string_equal(text + 70000, "kept");
    g_unlink(path);
}

/* A full slot is written over in place, with every byte allocated. */
static void
full_slots(void **state)
{
    static const char *const formats[] = {"raw", "qcow2"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        DiskSlot first = filled(formats[i], "full", 7);
        g_autofree char *name =
            g_strdup_printf("/vsweep-slot-%s-full-7.img", formats[i]);
        ino_t inode = inode_of(first.path);
        DiskSlot second = filled(formats[i], "full", 7);

        assert_true(g_str_has_suffix(first.path, name));
        assert_int_equal(inode_of(second.path), inode);
        assert_true(first.allocated >= DISK);
        assert_true(second.allocated >= DISK);
        assert_false(first.unwritten || second.unwritten);
        assert_int_equal(second.generation, first.generation + 1);
        disk_slot_clear(&first);
        disk_slot_clear(&second);
    }
}

/* What the last guest wrote is gone, and so is what it punched out. */
static void
used_slot(void **state)
{
    DiskSlot slot = filled("raw", "full", 8);
    g_autofd int fd = open(slot.path, O_RDWR);
    DiskSlot again = {0};

    (void) state;
    scribble(slot.path, 2 * MIB, MIB, 'x');
    assert_int_equal(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                               8 * MIB, 4 * MIB),
                     0);
    again = filled("raw", "full", 8);
    assert_true(again.allocated >= DISK);
    assert_false(again.unwritten);
    disk_slot_clear(&slot);
    disk_slot_clear(&again);
}

/* A slot of another size, or of no format at all, is made anew. */
static void
wrong_slot(void **state)
{
    g_autofree char *raw = below("vsweep-slot-raw-full-9.img");
    g_autofree char *qcow2 = below("vsweep-slot-qcow2-full-9.img");
    DiskSlot slot = {0};

    (void) state;
    scribble(raw, 0, 2 * DISK, 'x');
    scribble(qcow2, 0, DISK, 'x');
    slot = filled("raw", "full", 9);
    assert_int_equal(disk_virtual_size(raw, "raw"), DISK);
    disk_slot_clear(&slot);
    slot = filled("qcow2", "full", 9);
    assert_int_equal(disk_virtual_size(qcow2, "qcow2"), DISK);
    disk_slot_clear(&slot);
    /* The header lives, the tables behind it do not. */
    scribble(qcow2, 65536, 4 * 65536, 'x');
    slot = filled("qcow2", "full", 9);
    assert_true(slot.allocated >= DISK);
    disk_slot_clear(&slot);
}

/* The other preallocations are about what is not written: it must be so
 * again after the slot was used. */
static void
partial_slots(void **state)
{
    static const struct {
        const char *format, *prealloc;
        bool allocated; /* all of the disk, if not written */
    } cases[] = {{"raw", "off", false},
                 {"raw", "falloc", true},
                 {"qcow2", "off", false},
                 {"qcow2", "metadata", false},
                 {"qcow2", "falloc", true}};

    (void) state;
    need_fiemap();
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint round = 0; round < 2; round++) {
            bool raw = g_str_equal(cases[i].format, "raw");
            DiskSlot slot = filled(cases[i].format, cases[i].prealloc, 1);

            assert_int_equal(slot.allocated >= DISK, cases[i].allocated);
            if (raw) /* qcow2 has unwritten extents of its own */
                assert_int_equal(slot.unwritten, cases[i].allocated);
            /* Made anew, but in place. */
            assert_int_equal(slot.generation, round + 1);
            scribble(slot.path, 4 * MIB, 12 * MIB, 'x');
            disk_slot_clear(&slot);
        }
}

static void
slot_refusals(void **state)
{
    static const struct {
        const char *format, *prealloc, *words;
    } cases[] = {{"raw", "metadata", "off, falloc or full"},
                 {"qcow2", "some", "metadata, off, falloc or full"},
                 {"vmdk", "off", "raw or qcow2"}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) err = NULL;
        DiskSlot slot = {0};

        assert_false(disk_slot_fill(&golden, cases[i].format, cases[i].prealloc,
                                    0, &slot, &err));
        assert_non_null(strstr(err->message, cases[i].words));
        assert_int_equal(vs_error_status(err), 2);
        assert_null(slot.path);
    }
}

static void
eviction(void **state)
{
    g_autofree char *path = below("evict");
    g_autoptr(GError) err = NULL;
    double left = 1;

    (void) state;
    scribble(path, 0, DISK, 'x');
    assert_true(cached_pages(path) > 0);
    assert_true(disk_evict(path, &left, NULL));
    assert_true(left < 0.01);
    assert_true(cached_pages(path) < DISK / DISK_ALIGN / 100);
    assert_false(disk_evict("/nonexistent", &left, &err));
    assert_non_null(strstr(err->message, "/nonexistent"));
    g_unlink(path);
}

/* Pages that are mapped cannot go: the proof has to say so. */
static void
eviction_that_fails(void **state)
{
    g_autofree char *path = below("mapped");
    g_autofd int fd = -1;
    double left = 0;
    void *map = NULL;

    (void) state;
    scribble(path, 0, DISK, 'x');
    fd = open(path, O_RDONLY);
    map = mmap(NULL, 4 * MIB, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
    assert_true(map != MAP_FAILED);
    assert_true(disk_evict(path, &left, NULL));
    assert_true(left >= 0.25 && left < 0.5);
    munmap(map, 4 * MIB);
    g_unlink(path);
}

/* The copy goes past the page cache. */
static void
slot_is_not_cached(void **state)
{
    DiskSlot slot = {0};

    (void) state;
    if (!disk_probe_direct(dir))
        skip_because("no O_DIRECT in '%s'", dir);
    assert_true(disk_slot_fill(&golden, "raw", "full", 7, &slot, NULL));
    assert_true(cached_pages(slot.path) < DISK / DISK_ALIGN / 100);
    disk_slot_clear(&slot);
}

/* In a child with a mount of its own: a ramfs, which refuses O_DIRECT, has no
 * FIEMAP and cannot evict.  Exit status 0: as it should be, else the number
 * of what was not. */
static int
without_direct(void)
{
    g_autofree char *place = below("ramfs");
    g_autofree char *raw = g_build_filename(place, "golden.raw", NULL);
    g_autofree char *warning = NULL;
    DiskGolden other = {.path = raw, .bytes = DISK};
    DiskSlot slot = {0};

    if (unshare(CLONE_NEWNS) < 0 || !file_mkdir(place, NULL) ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("ramfs", place, "ramfs", 0, NULL) < 0)
        return 77;
    if (disk_probe_direct(place))
        return 1;
    if (!disk_check_storage(place, 0, &warning, NULL) || !warning ||
        !strstr(warning, "ramfs"))
        return 2;
    scribble(raw, 0, DISK, 'g');
    if (!disk_slot_fill(&other, "raw", "full", 0, &slot, NULL) ||
        slot.allocated < DISK)
        return 3;
    return 0;
}

static void
refused_direct(void **state)
{
    int status = 0;
    pid_t pid = fork();

    (void) state;
    if (pid == 0)
        _exit(without_direct());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WEXITSTATUS(status) == 77)
        skip_because("mounting a ramfs needs root");
    assert_int_equal(status, 0);
}

/* Tells whether an extent that was only reserved shows as unwritten. */
static bool
probe_fiemap(void)
{
    g_autofree char *path = below("probe");
    g_autofd int fd = open(path, O_RDWR | O_CREAT, 0644);
    guint64 allocated = 0;
    bool unwritten = false;

    assert_int_equal(posix_fallocate(fd, 0, MIB), 0);
    assert_true(disk_allocation(fd, &allocated, &unwritten, NULL));
    g_unlink(path);
    return unwritten;
}

/* The golden image of these tests: data at both ends, zeros between. */
static int
set_up(void **state)
{
    (void) state;
    dir = g_build_filename(VS_BUILD_DIR, "test-guest-disk-XXXXXX", NULL);
    assert_non_null(g_mkdtemp(dir));
    golden.path = below("vsweep-golden-test.raw");
    golden.bytes = DISK;
    scribble(golden.path, 0, DISK, 0);
    scribble(golden.path, 0, 3 * MIB, 'a');
    scribble(golden.path, DISK - MIB, MIB, 'z');
    has_fiemap = probe_fiemap();
    return 0;
}

static int
tear_down(void **state)
{
    (void) state;
    file_remove(dir, NULL);
    g_free(golden.path);
    g_free(dir);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocation),
        cmocka_unit_test(full_slots),
        cmocka_unit_test(used_slot),
        cmocka_unit_test(wrong_slot),
        cmocka_unit_test(partial_slots),
        cmocka_unit_test(slot_refusals),
        cmocka_unit_test(eviction),
        cmocka_unit_test(eviction_that_fails),
        cmocka_unit_test(slot_is_not_cached),
        cmocka_unit_test(refused_direct),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
