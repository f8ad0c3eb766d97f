/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The golden image.  mke2fs makes the file system with the work file in it on
 * the host, which needs no privileges; libguestfs then puts the payload in.
 * All of it happens in a directory of its own, whose removal takes every
 * half-made part with it; the finished image is renamed into place.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "base/file.h"
#include "base/units.h"
#include "guest/appliance.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"
#include "guest-payload/wire.h"

/* Part of the cache key: raise it when the way images are made changes. */
#define RECIPE 1
/* Hex digits of the key in the file name: 48 bits tell the few images of one
 * storage directory apart. */
#define DIGEST_SHOWN 12
/* Room a qcow2 slot takes beyond its disk: header, tables of 8 bytes per 64
 * KiB cluster twice (mapping, reference counts), rounded up generously. */
#define SLOT_FIXED (G_GUINT64_CONSTANT(1) << 20)
#define SLOT_SHARE 2048
/* What is put in besides the payload and the work file, rounded up. */
#define TREE_EXTRA (G_GUINT64_CONSTANT(1) << 20)

static const char *const file_systems[] = {"ext2", "ext3", "ext4", NULL};

void
disk_golden_free(DiskGolden *golden)
{
    if (!golden)
        return;
    g_free(golden->path);
    g_free(golden->digest);
    g_free(golden->payload_sha256);
    g_free(golden);
}

static bool
check_spec(const DiskGoldenSpec *spec, GError **err)
{
    if (!g_strv_contains(file_systems, spec->fs))
        return vs_usage(err,
                        "no image can be made with the file system '%s': "
                        "ext2, ext3 or ext4",
                        spec->fs);
    if (spec->bytes == 0 || spec->bytes % DISK_ALIGN)
        return vs_usage(err,
                        "an image of %" G_GUINT64_FORMAT " bytes is no "
                        "multiple of %d bytes",
                        spec->bytes, DISK_ALIGN);
    if (spec->work_bytes >= spec->bytes) {
        g_autofree char *work = units_format_size(spec->work_bytes);
        g_autofree char *disk = units_format_size(spec->bytes);

        return vs_usage(err, "a work file of %s does not fit on a disk of %s",
                        work, disk);
    }
    return true;
}

/* The digest of all that an image is made from. */
static char *
recipe_digest(const DiskGoldenSpec *spec, const char *payload_sha256)
{
    g_autofree char *recipe = g_strdup_printf(
        "vsweep golden %d %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s",
        RECIPE, spec->fs, spec->bytes, spec->work_bytes, payload_sha256);

    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, recipe, -1);
}

/* What the image is and where it belongs, whether it is there or not. */
static DiskGolden *
plan_golden(const DiskGoldenSpec *spec, GError **err)
{
    g_autoptr(DiskGolden) golden = g_new0(DiskGolden, 1);
    g_autofree char *size = units_format_size(spec->bytes);
    g_auto(GStrv) words = g_strsplit(size, " ", -1);
    g_autofree char *joined = g_strjoinv("", words);

    golden->payload_sha256 = file_sha256(spec->payload, err);
    if (!golden->payload_sha256)
        return NULL;
    golden->bytes = spec->bytes;
    golden->digest = recipe_digest(spec, golden->payload_sha256);
    golden->path = g_strdup_printf("%s/" DISK_GOLDEN_PREFIX "%s-%s-%.*s.raw",
                                   spec->storage, spec->fs, joined,
                                   DIGEST_SHOWN, golden->digest);
    return g_steal_pointer(&golden);
}

/* Whether the image is there and whole.  It gets its name only when it is
 * finished and is read-only from then on, so size and blocks tell. */
static bool
is_ready(const DiskGolden *golden)
{
    guint64 allocated = 0;
    bool unwritten = false;

    return disk_virtual_size(golden->path, "raw") == golden->bytes &&
           disk_allocation_of(golden->path, &allocated, &unwritten, NULL) &&
           allocated >= golden->bytes;
}

guint64
disk_bytes_needed(const DiskGoldenSpec *spec, guint slots)
{
    g_autoptr(DiskGolden) golden = plan_golden(spec, NULL);
    guint ready = disk_slots_ready(spec->storage, spec->bytes);
    guint64 needed = 0;

    if (!golden || !is_ready(golden))
        needed += spec->bytes + spec->work_bytes + TREE_EXTRA;
    if (slots > ready)
        needed += (slots - ready) *
                  (spec->bytes + spec->bytes / SLOT_SHARE + SLOT_FIXED);
    return needed;
}

/* An empty file with all its blocks, so that a full disk shows at once. */
static bool
allocate(const char *image, guint64 bytes, GError **err)
{
    g_autofd int fd =
        open(image, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int failure = 0;

    if (fd < 0)
        return vs_fail_errno(err, errno, "cannot make '%s'", image);
    failure = posix_fallocate(fd, 0, bytes);
    if (failure)
        return vs_fail_errno(err, failure,
                             "cannot allocate %" G_GUINT64_FORMAT
                             " bytes for '%s'",
                             bytes, image);
    return true;
}

/* Makes the file system with the content of `tree`.  4 KiB blocks, as small
 * disks would otherwise get 1 KiB; nothing left for the guest's kernel to do
 * in the background; no discard, which would punch holes. */
static bool
make_file_system(const DiskGoldenSpec *spec, const char *image,
                 const char *tree, GError **err)
{
    const char *argv[] = {
        "mke2fs",
        "-q",
        "-F",
        "-t",
        spec->fs,
        "-b",
        "4096",
        "-m",
        "0",
        "-E",
        "lazy_itable_init=0,lazy_journal_init=0,nodiscard,root_owner=0:0",
        "-d",
        tree,
        image,
        NULL};

    return disk_tool("e2fsprogs", argv, err);
}

/* The content that needs no libguestfs. */
static bool
make_tree(const DiskGoldenSpec *spec, const char *tree, GError **err)
{
    g_autofree char *dir = g_build_filename(tree, WIRE_DISK_DIR, NULL);
    g_autofree char *work = g_build_filename(tree, WIRE_DISK_WORK, NULL);

    return file_mkdir(dir, err) &&
           (!spec->work_bytes || disk_work_file(work, spec->work_bytes, err));
}

/* Reads the file system as the guest's kernel will find it. */
static bool
check_file_system(const char *image, GError **err)
{
    const char *argv[] = {"e2fsck", "-f", "-n", image, NULL};

    return disk_tool("e2fsprogs", argv, err);
}

/* Proves full allocation and renames into place. */
static bool
finish(const char *image, const DiskGolden *golden, GError **err)
{
    g_autofd int fd = open(image, O_RDWR | O_CLOEXEC);
    guint64 allocated = 0;
    bool unwritten = false;

    if (fd < 0)
        return vs_fail_errno(err, errno, "cannot open '%s'", image);
    if (!disk_write_out(fd, golden->bytes, err))
        return false;
    if (fsync(fd) < 0 || fchmod(fd, 0444) < 0)
        return vs_fail_errno(err, errno, "cannot sync '%s'", image);
    if (!disk_allocation(fd, &allocated, &unwritten, err))
        return false;
    if (allocated < golden->bytes || unwritten)
        return vs_fail(err,
                       "the golden image has only %" G_GUINT64_FORMAT
                       " of %" G_GUINT64_FORMAT " bytes written: the storage "
                       "does not keep images allocated",
                       allocated, golden->bytes);
    if (rename(image, golden->path) < 0)
        return vs_fail_errno(err, errno, "cannot rename to '%s'", golden->path);
    return true;
}

/* Makes the image with everything below the directory `tmp`. */
static bool
make_in(const char *tmp, const DiskGoldenSpec *spec, const DiskGolden *golden,
        GError **err)
{
    g_autofree char *tree = g_build_filename(tmp, "tree", NULL);
    g_autofree char *image = g_build_filename(tmp, "image", NULL);

    return allocate(image, spec->bytes, err) && make_tree(spec, tree, err) &&
           disk_not_interrupted(err) &&
           make_file_system(spec, image, tree, err) && file_remove(tree, err) &&
           disk_not_interrupted(err) &&
           appliance_inject(image, spec->payload, golden->payload_sha256,
                            spec->kvm, err) &&
           check_file_system(image, err) && disk_not_interrupted(err) &&
           finish(image, golden, err) && disk_sync(spec->storage, err) &&
           disk_evict(golden->path, NULL, err);
}

DiskGolden *
disk_golden(const DiskGoldenSpec *spec, GError **err)
{
    g_autofree char *tmp =
        g_build_filename(spec->storage, DISK_TMP_PREFIX "XXXXXX", NULL);
    g_autoptr(DiskGolden) golden = NULL;
    bool ok = false;

    if (!check_spec(spec, err))
        return NULL;
    golden = plan_golden(spec, err);
    if (!golden)
        return NULL;
    golden->cached = is_ready(golden);
    if (golden->cached)
        return g_steal_pointer(&golden);
    if (!file_mkdir(spec->storage, err))
        return NULL;
    if (!g_mkdtemp(tmp)) {
        vs_fail_errno(err, errno, "cannot make a directory in '%s'",
                      spec->storage);
        return NULL;
    }
    ok = make_in(tmp, spec, golden, err);
    file_remove(tmp, NULL);
    if (!ok) {
        g_prefix_error(err, "golden image: ");
        return NULL;
    }
    return g_steal_pointer(&golden);
}
