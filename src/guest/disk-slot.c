/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slots: preallocated files that get a full copy of the golden image before
 * every attempt (METHOD 5.3).
 *
 * A fully preallocated slot is written over in place, so that its extents are
 * the same in every block.  `convert -n` alone would punch holes into it where
 * the golden image has zeros; `-S 0` makes it write every byte.  The other
 * preallocations are about what is *not* written yet, so their slots are made
 * anew each time and only data is copied (`--target-is-zero`).
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "guest/disk.h"
#include "guest/disk-parts.h"

#define GENERATION_XATTR "user.vsweep.generation"

/* qcow2 (docs/interop/qcow2.txt): magic, and the disk's size in bytes as a
 * big-endian number. */
#define QCOW2_MAGIC "QFI\xfb"
#define QCOW2_SIZE_AT 24

/* What a preallocation is to qemu-img.  "full" is created as "falloc", which
 * takes no time, because the copy writes every byte anyway. */
static const struct Prealloc {
    const char *name;
    const char *create;
    bool raw; /* exists for raw images too */
} preallocs[] = {
    {"off", "off", true},
    {"metadata", "metadata", false},
    {"falloc", "falloc", true},
    {"full", "falloc", true},
};

/* One slot on its way. */
typedef struct Filling {
    const DiskGolden *golden;
    const char *format;
    const struct Prealloc *prealloc;
    bool full; /* in place, every byte */
    char *path;
} Filling;

static const struct Prealloc *
find_prealloc(const char *format, const char *name, GError **err)
{
    bool raw = g_str_equal(format, "raw");

    if (!raw && !g_str_equal(format, "qcow2")) {
        vs_usage(err, "image format '%s' is not known: raw or qcow2", format);
        return NULL;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(preallocs); i++)
        if (g_str_equal(name, preallocs[i].name) && (!raw || preallocs[i].raw))
            return &preallocs[i];
    vs_usage(err, "%s images have no preallocation '%s': %soff, falloc or full",
             format, name, raw ? "" : "metadata, ");
    return NULL;
}

guint64
disk_virtual_size(const char *path, const char *format)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);
    char magic[4] = {0};
    guint64 size = 0;
    struct stat st = {0};

    if (fd < 0 || fstat(fd, &st) < 0)
        return 0;
    if (g_str_equal(format, "raw"))
        return st.st_size;
    if (pread(fd, magic, 4, 0) != 4 || memcmp(magic, QCOW2_MAGIC, 4) ||
        pread(fd, &size, sizeof(size), QCOW2_SIZE_AT) != sizeof(size))
        return 0;
    return be64toh(size);
}

guint
disk_slots_ready(const char *storage, guint64 bytes)
{
    g_autoptr(GDir) dir = g_dir_open(storage, 0, NULL);
    const char *name = NULL;
    guint count = 0;

    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(storage, name, NULL);
        const char *format =
            g_str_has_prefix(name, DISK_SLOT_PREFIX "raw-") ? "raw" : "qcow2";
        guint64 allocated = 0;
        bool unwritten = false;

        if (g_str_has_prefix(name, DISK_SLOT_PREFIX) &&
            disk_virtual_size(path, format) == bytes &&
            disk_allocation_of(path, &allocated, &unwritten, NULL) &&
            allocated >= bytes)
            count++;
    }
    return count;
}

/* Makes the slot, or makes it anew in place. */
static bool
create(const Filling *filling, GError **err)
{
    g_autofree char *option =
        g_strconcat("preallocation=", filling->prealloc->create, NULL);
    g_autofree char *size =
        g_strdup_printf("%" G_GUINT64_FORMAT, filling->golden->bytes);
    const char *argv[] = {
        "qemu-img", "create", "-q",          "-f", filling->format,
        "-o",       option,   filling->path, size, NULL};

    return disk_tool("qemu-utils", argv, err);
}

/* Copies the golden image; past the page cache where that works. */
static bool
copy(const Filling *filling, bool direct, GError **err)
{
    const char *cache = direct ? "none" : "writeback";
    const char *zeros = filling->full ? "-S0" : "--target-is-zero";
    const char *argv[] = {"qemu-img",
                          "convert",
                          "-n",
                          zeros,
                          "-W",
                          "-t",
                          cache,
                          "-T",
                          cache,
                          "-f",
                          "raw",
                          "-O",
                          filling->format,
                          filling->golden->path,
                          filling->path,
                          NULL};

    return disk_tool("qemu-utils", argv, err);
}

/* Puts the copy on the medium and out of the page cache. */
static bool
settle(const char *path, bool direct, GError **err)
{
    g_autofd int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fsync(fd) < 0)
        return vs_fail_errno(err, errno, "cannot sync '%s'", path);
    return direct || disk_evict(path, NULL, err);
}

/* Counts the fillings of a slot in the slot itself, so that the number goes
 * on when a sweep is resumed; where there are no attributes, the fillings of
 * this process are counted instead. */
static guint64
next_generation(const char *path)
{
    static guint64 filled;
    char text[32] = {0};
    guint64 generation = 0;

    filled++;
    if (getxattr(path, GENERATION_XATTR, text, sizeof(text) - 1) > 0)
        generation = g_ascii_strtoull(text, NULL, 10);
    g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, generation + 1);
    return setxattr(path, GENERATION_XATTR, text, strlen(text), 0) == 0
               ? generation + 1
               : filled;
}

/* Fills the slot once; *ret_proved: fully allocated, as far as it should. */
static bool
fill_once(const Filling *filling, bool anew, DiskSlot *slot, bool *ret_proved,
          GError **err)
{
    bool direct = false;

    if (anew && !create(filling, err))
        return false;
    direct = disk_reads_direct(filling->path) &&
             disk_reads_direct(filling->golden->path);
    if (!copy(filling, direct, err) || !settle(filling->path, direct, err) ||
        !disk_allocation_of(filling->path, &slot->allocated, &slot->unwritten,
                            err))
        return false;
    *ret_proved =
        !filling->full ||
        (slot->allocated >= filling->golden->bytes && !slot->unwritten);
    return true;
}

static char *
slot_path(const DiskGolden *golden, const char *format, const char *prealloc,
          guint number)
{
    g_autofree char *dir = g_path_get_dirname(golden->path);

    return g_strdup_printf("%s/" DISK_SLOT_PREFIX "%s-%s-%u.img", dir, format,
                           prealloc, number);
}

bool
disk_slot_fill(const DiskGolden *golden, const char *format,
               const char *prealloc, guint number, DiskSlot *ret_slot,
               GError **err)
{
    g_autofree char *path = slot_path(golden, format, prealloc, number);
    Filling filling = {golden, format, NULL, g_str_equal(prealloc, "full"),
                       path};
    DiskSlot slot = {0};
    bool proved = false;

    filling.prealloc = find_prealloc(format, prealloc, err);
    if (!filling.prealloc)
        return false;
    /* What is there already is written over.  When that does not work out (a
     * kill in the middle can leave a broken qcow2), or when there is nothing
     * of the right size, the slot is made anew. */
    if (filling.full && disk_virtual_size(path, format) == golden->bytes &&
        !fill_once(&filling, false, &slot, &proved, NULL))
        proved = false;
    if (!proved && !fill_once(&filling, true, &slot, &proved, err))
        return false;
    slot.generation = next_generation(path);
    slot.path = g_steal_pointer(&path);
    *ret_slot = slot;
    return true;
}

void
disk_slot_clear(DiskSlot *slot)
{
    g_clear_pointer(&slot->path, g_free);
}
