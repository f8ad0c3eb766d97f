/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The micro guest's initramfs: see initramfs.h.  The same parts always give
 * the same bytes (no times, no owners, numbered inodes), so that the digest
 * of the archive is its name in the cache.
 */
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <glib/gstdio.h>
#include "base/file.h"
#include "base/paths.h"
#include "guest/initramfs.h"
#include "guest-payload/wire.h"

/* Largest part taken in: a static payload has some 10 MB, the largest module
 * some 5 MB; far more means a wrong path. */
#define PART_MAX (256 * 1024 * 1024)
/* Unpacked bytes are taken over in pieces of this size. */
#define CHUNK (256 * 1024)
/* Archives kept in the cache: a few kernels times a few payloads. */
#define CACHE_KEEP 8

typedef struct archive ArchiveReader;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchiveReader, archive_read_free)
typedef struct archive ArchiveWriter;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchiveWriter, archive_write_free)
typedef struct archive_entry ArchiveEntry;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchiveEntry, archive_entry_free)

/* What the payload mounts on or writes to. */
static const char *const directories[] = {
    "dev", "proc", "sys", "run", "tmp", "mnt", "bin", "modules", NULL};

/* How a module can be packed. */
static const char *const packings[] = {".xz", ".zst", ".gz", NULL};

/* The archive being written. */
typedef struct Cpio {
    struct archive *writer;
    GByteArray *bytes;
    guint inode; /* the last one given out */
} Cpio;

static la_ssize_t
take_bytes(struct archive *writer G_GNUC_UNUSED, void *data, const void *buffer,
           size_t length)
{
    g_byte_array_append(data, buffer, length);
    return length;
}

/* One entry.  The kernel refuses links to what it has not seen, so each has
 * an inode of its own and one link. */
static bool
add_entry(Cpio *cpio, const char *path, mode_t mode, dev_t device,
          const void *data, gsize length, GError **err)
{
    g_autoptr(ArchiveEntry) entry = archive_entry_new();

    archive_entry_set_pathname(entry, path);
    archive_entry_set_mode(entry, mode);
    archive_entry_set_ino64(entry, ++cpio->inode);
    archive_entry_set_nlink(entry, 1);
    archive_entry_set_mtime(entry, 0, 0);
    archive_entry_set_size(entry, length);
    archive_entry_set_rdevmajor(entry, major(device));
    archive_entry_set_rdevminor(entry, minor(device));
    if (archive_write_header(cpio->writer, entry) != ARCHIVE_OK ||
        archive_write_data(cpio->writer, data, length) != (la_ssize_t) length)
        return vs_fail(err, "cannot put '%s' into the initramfs: %s", path,
                       archive_error_string(cpio->writer));
    return true;
}

static bool
add_file(Cpio *cpio, const char *path, mode_t mode, const char *source,
         GError **err)
{
    gsize length = 0;
    g_autofree char *data = file_read(source, PART_MAX, &length, err);

    return data && add_entry(cpio, path, S_IFREG | mode, 0, data, length, err);
}

/* Takes a packed file out of its .xz, .zst or .gz. */
static GByteArray *
unpack(const char *source, GError **err)
{
    g_autoptr(ArchiveReader) reader = archive_read_new();
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autofree guint8 *buffer = g_malloc(CHUNK);
    struct archive_entry *entry = NULL;
    la_ssize_t got = 0;

    archive_read_support_format_raw(reader);
    archive_read_support_filter_xz(reader);
    archive_read_support_filter_zstd(reader);
    archive_read_support_filter_gzip(reader);
    if (archive_read_open_filename(reader, source, CHUNK) == ARCHIVE_OK &&
        archive_read_next_header(reader, &entry) == ARCHIVE_OK)
        while ((got = archive_read_data(reader, buffer, CHUNK)) > 0 &&
               bytes->len <= PART_MAX)
            g_byte_array_append(bytes, buffer, got);
    /* A file that is not packed at all comes through unchanged: the filter
     * tells. */
    if (archive_errno(reader) || got != 0 ||
        archive_filter_code(reader, 0) == ARCHIVE_FILTER_NONE) {
        const char *why = archive_error_string(reader);

        vs_fail(err, "cannot unpack the module '%s': %s", source,
                why ? why : "it is not what its name says");
        return NULL;
    }
    return g_steal_pointer(&bytes);
}

/* The packing of a module by its name, "" when it is not packed. */
static const char *
packing_of(const char *source)
{
    for (gsize i = 0; packings[i]; i++)
        if (g_str_has_suffix(source, packings[i]))
            return packings[i];
    return "";
}

/* Puts a module in and its line into the list. */
static bool
add_module(Cpio *cpio, const char *item, GString *list, GError **err)
{
    const char *soft = *item == '-' ? "-" : "";
    const char *source = item + strlen(soft);
    const char *packing = packing_of(source);
    g_autofree char *name = g_path_get_basename(source);
    g_autofree char *path = NULL;
    g_autoptr(GByteArray) bytes = NULL;

    name[strlen(name) - strlen(packing)] = '\0';
    path = g_strconcat("modules/", name, NULL);
    g_string_append_printf(list, "%s/%s\n", soft, path);
    if (!*packing)
        return add_file(cpio, path, 0644, source, err);
    bytes = unpack(source, err);
    return bytes && add_entry(cpio, path, S_IFREG | 0644, 0, bytes->data,
                              bytes->len, err);
}

static bool
add_modules(Cpio *cpio, const Kernel *kernel, GError **err)
{
    g_autoptr(GString) list = g_string_new(NULL);

    for (guint i = 0; i < kernel->load->len; i++)
        if (!add_module(cpio, g_ptr_array_index(kernel->load, i), list, err))
            return false;
    return add_entry(cpio, WIRE_MODULES_LIST + 1, S_IFREG | 0644, 0, list->str,
                     list->len, err);
}

static bool
add_all(Cpio *cpio, const Kernel *kernel, const char *payload,
        const char *busybox, GError **err)
{
    for (gsize i = 0; directories[i]; i++)
        if (!add_entry(cpio, directories[i], S_IFDIR | 0755, 0, NULL, 0, err))
            return false;
    /* Without it PID 1 starts without standard streams. */
    if (!add_entry(cpio, "dev/console", S_IFCHR | 0600, makedev(5, 1), NULL, 0,
                   err))
        return false;
    return add_file(cpio, "init", 0755, payload, err) &&
           (!busybox || add_file(cpio, "bin/busybox", 0755, busybox, err)) &&
           add_modules(cpio, kernel, err);
}

/* The archive as bytes. */
static GByteArray *
build(const Kernel *kernel, const char *payload, const char *busybox,
      GError **err)
{
    /* In this order: the writer still flushes into the bytes as it goes. */
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autoptr(ArchiveWriter) writer = archive_write_new();
    Cpio cpio = {writer, bytes, 0};

    archive_write_set_format_cpio_newc(writer);
    archive_write_open(writer, bytes, NULL, take_bytes, NULL);
    if (!add_all(&cpio, kernel, payload, busybox, err))
        return NULL;
    if (archive_write_close(writer) != ARCHIVE_OK) {
        vs_fail(err, "cannot finish the initramfs: %s",
                archive_error_string(writer));
        return NULL;
    }
    return g_steal_pointer(&bytes);
}

/* A file of the cache and when it was last wanted. */
typedef struct Cached {
    char *path;
    gint64 used;
} Cached;

static void
cached_free(gpointer data)
{
    Cached *cached = data;

    g_free(cached->path);
    g_free(cached);
}

static gint
latest_first(gconstpointer a, gconstpointer b)
{
    const Cached *left = *(Cached *const *) a, *right = *(Cached *const *) b;

    return (left->used < right->used) - (left->used > right->used);
}

/* Removes all but the archives used last.  What cannot be removed stays: the
 * cache is the person's to empty. */
static void
prune(const char *dir)
{
    g_autoptr(GDir) handle = g_dir_open(dir, 0, NULL);
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(cached_free);
    const char *name = NULL;

    while (handle && (name = g_dir_read_name(handle))) {
        g_autofree char *path = g_build_filename(dir, name, NULL);
        struct stat st = {0};
        Cached *cached = NULL;

        if (!g_str_has_suffix(name, ".cpio") || stat(path, &st) < 0)
            continue;
        cached = g_new0(Cached, 1);
        cached->path = g_steal_pointer(&path);
        cached->used = st.st_mtime;
        g_ptr_array_add(found, cached);
    }
    g_ptr_array_sort(found, latest_first);
    for (guint i = CACHE_KEEP; i < found->len; i++)
        g_unlink(((Cached *) g_ptr_array_index(found, i))->path);
}

/* Whether the cache has it; then it counts as used now. */
static bool
is_cached(const char *path, gsize length)
{
    struct stat st = {0};

    return stat(path, &st) == 0 && (gsize) st.st_size == length &&
           utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

char *
initramfs_make(const Kernel *kernel, const char *payload, const char *busybox,
               GError **err)
{
    g_autofree char *cache = paths_cache(err);
    g_autofree char *dir = NULL, *digest = NULL, *path = NULL;
    g_autoptr(GByteArray) bytes = NULL;

    if (!cache)
        return NULL;
    dir = g_build_filename(cache, "initramfs", NULL);
    bytes = build(kernel, payload, busybox, err);
    if (!bytes || !file_mkdir(dir, err))
        return NULL;
    digest =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes->data, bytes->len);
    path = g_strdup_printf("%s/%s.cpio", dir, digest);
    if (is_cached(path, bytes->len))
        return g_steal_pointer(&path);
    if (!file_write(path, (const char *) bytes->data, bytes->len, err))
        return NULL;
    prune(dir);
    return g_steal_pointer(&path);
}
