/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The initramfs: what is in it, that it is always the same, and its cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <utime.h>
#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "base/file.h"
#include "guest/initramfs.h"

static char *dir;
static char *payload;

/* An entry as read back. */
typedef struct Entry {
    mode_t mode;
    dev_t device;
    time_t mtime;
    char *data;
} Entry;

static void
entry_free(gpointer data)
{
    Entry *entry = data;

    g_free(entry->data);
    g_free(entry);
}

/* Path -> Entry. */
static GHashTable *
read_back(const char *path)
{
    GHashTable *entries =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free);
    struct archive *reader = archive_read_new();
    struct archive_entry *item = NULL;

    archive_read_support_format_cpio(reader);
    assert_int_equal(archive_read_open_filename(reader, path, 4096), 0);
    while (archive_read_next_header(reader, &item) == ARCHIVE_OK) {
        Entry *entry = g_new0(Entry, 1);
        gsize size = archive_entry_size(item);

        entry->mode = archive_entry_mode(item);
        entry->device = archive_entry_rdev(item);
        entry->mtime = archive_entry_mtime(item);
        entry->data = g_malloc0(size + 1);
        assert_int_equal(archive_read_data(reader, entry->data, size), size);
        assert_true(g_hash_table_insert(
            entries, g_strdup(archive_entry_pathname(item)), entry));
    }
    assert_string_equal(archive_format_name(reader),
                        "ASCII cpio (SVR4 with no CRC)");
    archive_read_free(reader);
    return entries;
}

/* A kernel whose modules are these files below `dir`. */
static Kernel *
kernel_with(const char *first, ...)
{
    Kernel *kernel = g_new0(Kernel, 1);
    va_list names;

    kernel->load = g_ptr_array_new_with_free_func(g_free);
    va_start(names, first);
    for (const char *name = first; name; name = va_arg(names, const char *))
        g_ptr_array_add(kernel->load,
                        g_strconcat(*name == '-' ? "-" : "", dir, "/",
                                    name + (*name == '-'), NULL));
    va_end(names);
    return kernel;
}

static void
assert_text(GHashTable *entries, const char *path, const char *text)
{
    const Entry *entry = g_hash_table_lookup(entries, path);

    assert_non_null(entry);
    assert_string_equal(entry->data, text);
    assert_int_equal(entry->mtime, 0);
}

static void
content(void **state)
{
    static const char *const dirs[] = {"dev", "proc", "sys", "run",
                                       "tmp", "mnt",  "bin", "modules"};
    g_autoptr(Kernel) kernel = kernel_with("plain.ko", "-packed.ko.xz",
                                           "zipped.ko.gz", "zst.ko.zst", NULL);
    g_autoptr(GError) err = NULL;
    g_autofree char *path = initramfs_make(kernel, payload, payload, &err);
    g_autoptr(GHashTable) entries = NULL;
    const Entry *entry = NULL;

    (void) state;
    if (err)
        fail_msg("%s", err->message);
    entries = read_back(path);
    assert_text(entries, "init", "the payload");
    assert_text(entries, "bin/busybox", "the payload");
    assert_text(entries, "modules/plain.ko", "plain module");
    assert_text(entries, "modules/packed.ko", "packed module");
    assert_text(entries, "modules/zipped.ko", "zipped module");
    assert_text(entries, "modules/zst.ko", "zst module");
    assert_text(entries, "modules.list",
                "/modules/plain.ko\n-/modules/packed.ko\n/modules/zipped.ko\n"
                "/modules/zst.ko\n");
    entry = g_hash_table_lookup(entries, "init");
    assert_int_equal(entry->mode, S_IFREG | 0755);
    entry = g_hash_table_lookup(entries, "dev/console");
    assert_int_equal(entry->mode, S_IFCHR | 0600);
    assert_int_equal(entry->device, makedev(5, 1));
    for (gsize i = 0; i < G_N_ELEMENTS(dirs); i++) {
        entry = g_hash_table_lookup(entries, dirs[i]);
        assert_non_null(entry);
        assert_true(S_ISDIR(entry->mode));
    }
    assert_int_equal(g_hash_table_size(entries), G_N_ELEMENTS(dirs) + 8);
}

static void
same_bytes(void **state)
{
    g_autoptr(Kernel) kernel = kernel_with("plain.ko", NULL);
    g_autofree char *first = initramfs_make(kernel, payload, NULL, NULL);
    g_autofree char *digest = file_sha256(first, NULL);
    g_autofree char *base = g_path_get_basename(first);
    g_autofree char *second = NULL, *again = NULL;
    g_autoptr(GHashTable) entries = read_back(first);

    (void) state;
    assert_null(g_hash_table_lookup(entries, "bin/busybox"));
    assert_true(g_str_has_prefix(base, digest));
    assert_int_equal(g_unlink(first), 0);
    second = initramfs_make(kernel, payload, NULL, NULL);
    assert_string_equal(first, second);
    again = file_sha256(second, NULL);
    assert_string_equal(again, digest);
}

/* A cached archive that was cut short is written again. */
static void
damaged_cache(void **state)
{
    g_autoptr(Kernel) kernel = kernel_with("plain.ko", NULL);
    g_autofree char *path = initramfs_make(kernel, payload, NULL, NULL);
    g_autofree char *again = NULL;
    g_autoptr(GHashTable) entries = NULL;

    (void) state;
    assert_true(file_write(path, "short", -1, NULL));
    again = initramfs_make(kernel, payload, NULL, NULL);
    assert_string_equal(path, again);
    entries = read_back(again);
    assert_text(entries, "init", "the payload");
}

static void
old_ones_go(void **state)
{
    g_autoptr(Kernel) kernel = kernel_with("plain.ko", NULL);
    g_autofree char *kept = initramfs_make(kernel, payload, NULL, NULL);
    g_autofree char *cache = g_path_get_dirname(kept);
    g_autofree char *fresh = NULL;
    g_autoptr(GDir) list = NULL;
    guint count = 0;

    (void) state;
    for (guint i = 0; i < 20; i++) {
        g_autofree char *old = g_strdup_printf("%s/old-%u.cpio", cache, i);
        struct utimbuf when = {1000 + i, 1000 + i};

        assert_true(file_write(old, "old", -1, NULL));
        assert_int_equal(utime(old, &when), 0);
    }
    assert_true(file_write(payload, "another payload", -1, NULL));
    fresh = initramfs_make(kernel, payload, NULL, NULL);
    assert_true(file_write(payload, "the payload", -1, NULL));
    list = g_dir_open(cache, 0, NULL);
    while (g_dir_read_name(list))
        count++;
    assert_int_equal(count, 8);
    assert_true(g_file_test(kept, G_FILE_TEST_EXISTS));
    assert_true(g_file_test(fresh, G_FILE_TEST_EXISTS));
}

static void
refusals(void **state)
{
    g_autoptr(Kernel) lying = kernel_with("lying.ko.xz", NULL);
    g_autoptr(Kernel) absent = kernel_with("absent.ko", NULL);
    g_autoptr(GError) first = NULL;
    g_autoptr(GError) second = NULL;

    (void) state;
    assert_null(initramfs_make(lying, payload, NULL, &first));
    assert_non_null(strstr(first->message, "lying.ko.xz"));
    assert_null(initramfs_make(absent, payload, NULL, &second));
    assert_non_null(strstr(second->message, "absent.ko"));
}

/* Makes a module file, packed by a filter of libarchive, or as it is. */
static void
pack(const char *filter, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(dir, name, NULL);
    struct archive *writer = archive_write_new();
    struct archive_entry *entry = archive_entry_new();

    archive_write_set_format_raw(writer);
    if (filter)
        assert_int_equal(archive_write_add_filter_by_name(writer, filter), 0);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_pathname(entry, "module");
    assert_int_equal(archive_write_open_filename(writer, path), 0);
    assert_int_equal(archive_write_header(writer, entry), 0);
    assert_int_equal(archive_write_data(writer, text, strlen(text)),
                     strlen(text));
    archive_entry_free(entry);
    assert_int_equal(archive_write_free(writer), 0);
}

static int
set_up(void **state)
{
    g_autofree char *cache = NULL;

    (void) state;
    dir = g_dir_make_tmp("vsweep-test-initramfs-XXXXXX", NULL);
    cache = g_build_filename(dir, "cache", NULL);
    payload = g_build_filename(dir, "payload", NULL);
    g_setenv("VSWEEP_CACHE_DIR", cache, TRUE);
    assert_true(file_write(payload, "the payload", -1, NULL));
    pack(NULL, "plain.ko", "plain module");
    pack("xz", "packed.ko.xz", "packed module");
    pack("gzip", "zipped.ko.gz", "zipped module");
    pack("zstd", "zst.ko.zst", "zst module");
    pack(NULL, "lying.ko.xz", "not packed at all");
    return 0;
}

static int
tear_down(void **state)
{
    (void) state;
    file_remove(dir, NULL);
    g_free(dir);
    g_free(payload);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content),       cmocka_unit_test(same_bytes),
        cmocka_unit_test(damaged_cache), cmocka_unit_test(old_ones_go),
        cmocka_unit_test(refusals),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
