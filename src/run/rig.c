/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preparing and taking down the rig: see rig.h. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/paths.h"
#include "base/progress.h"
#include "guest-payload/wire.h"
#include "guest/initramfs.h"
#include "host/counters.h"
#include "run/leavings.h"
#include "run/precheck.h"
#include "run/rig.h"
#include "vm/domain.h"
#include "vm/watchdog.h"

/* A template is a document of a few KiB; more is a mistake. */
#define TEMPLATE_MAX (1024 * 1024)
/* The payload is promised to stay below 25 MB. */
#define PAYLOAD_MAX (25 * 1000 * 1000)
/* Slots of one image class: two, so that the copy of a cell does not always
 * lie on the same extents (METHOD 5.3). */
#define SLOTS 2

/* quiet: the console costs 2 s per MB; panic=-1: a crashed guest ends;
 * tsc=reliable: keeps tsc under TCG with several vCPUs; cryptomgr.notests:
 * 0.3 s of boot (ARCHITECTURE 7). */
#define BASE_CMDLINE \
    "console=ttyS0 quiet panic=-1 tsc=reliable cryptomgr.notests"

/* Drivers every micro guest needs, whatever its settings. */
static const char *const base_modules[] = {"virtio_pci",    "virtio_console",
                                           "-virtio_rng",   "-pvpanic",
                                           "-pvpanic-mmio", "-pvpanic-pci"};

const char *
rig_format(const Rig *rig, const Cell *cell)
{
    return design_level(rig->design, cell, setting_find("disk.format"));
}

const char *
rig_prealloc(const Rig *rig, const Cell *cell)
{
    return design_level(rig->design, cell, setting_find("disk.prealloc"));
}

char *
rig_storage(const Matrix *matrix, GError **err)
{
    g_autofree char *cache = NULL;

    if (matrix->storage)
        return g_strdup(matrix->storage);
    cache = paths_cache(err);
    return cache ? g_build_filename(cache, "images", NULL) : NULL;
}

static bool
planned_guest(const Cell *cell)
{
    return cell->state == CELL_PLANNED && cell_is_guest(cell);
}

/* The distinct image classes ("raw full") of the planned cells. */
static guint
count_classes(const Design *design)
{
    g_autoptr(GHashTable) classes =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Rig view = {.design = (Design *) design};

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (planned_guest(cell))
            g_hash_table_add(classes,
                             g_strjoin(" ", rig_format(&view, cell),
                                       rig_prealloc(&view, cell), NULL));
    }
    return g_hash_table_size(classes);
}

static DiskGoldenSpec
golden_spec(const Matrix *matrix, const char *storage, const char *payload,
            bool kvm)
{
    DiskGoldenSpec spec = {.storage = storage,
                           .fs = matrix->fs,
                           .bytes = matrix->disk_bytes,
                           .work_bytes = matrix_work_bytes(matrix),
                           .payload = payload,
                           .kvm = kvm};

    return spec;
}

guint64
rig_bytes_needed(const Matrix *matrix, const Design *design,
                 const char *storage, const char *payload)
{
    DiskGoldenSpec spec = golden_spec(matrix, storage, payload, false);
    guint64 host = matrix->host == HOST_NONE ? 0 : matrix_work_bytes(matrix);

    return disk_bytes_needed(&spec, count_classes(design) * SLOTS) + host;
}

char *
rig_domain(const Rig *rig, const Cell *cell, const char *name,
           const char *image, const char *console, bool shell, GError **err)
{
    g_autofree char *uuid = g_uuid_string_random();
    DomainParams params = {.name = name,
                           .uuid = uuid,
                           .kernel = rig->boot_kernel,
                           .initrd = rig->initramfs,
                           .image = image,
                           .console = console,
                           .cmdline = shell ? BASE_CMDLINE " vsweep.shell"
                                            : BASE_CMDLINE,
                           .kvm = rig->accel.kvm,
                           .channel = !shell};

    return domain_build(rig->template_xml, rig->matrix->domain_path,
                        rig->design, cell, &params, err);
}

/* Every module the planned cells need, without doubles, NULL-terminated. */
static GPtrArray *
needed_modules(const Rig *rig)
{
    GPtrArray *needs = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < G_N_ELEMENTS(base_modules); i++)
        g_ptr_array_add(all, g_strdup(base_modules[i]));
    g_ptr_array_add(all, g_strdup(rig->matrix->fs));
    for (guint i = 0; i < rig->design->cells->len; i++) {
        const Cell *cell = rig->design->cells->pdata[i];

        if (!planned_guest(cell))
            continue;
        for (const Setting *s = setting_table; s->name; s++)
            setting_modules(s, design_level(rig->design, cell, s), all);
    }
    for (guint i = 0; i < all->len; i++)
        if (!g_ptr_array_find_with_equal_func(needs, all->pdata[i], g_str_equal,
                                              NULL))
            g_ptr_array_add(needs, g_strdup(all->pdata[i]));
    g_ptr_array_add(needs, NULL);
    return needs;
}

/* A daemon changes the owner of what it is given, so it gets copies. */
static char *
kernel_for_hypervisor(const Rig *rig, GError **err)
{
    g_autofree char *cache = NULL, *dir = NULL, *path = NULL, *text = NULL;
    gsize length = 0;

    if (connect_embedded(rig->connect))
        return g_strdup(rig->kernel->image);
    cache = paths_cache(err);
    if (!cache)
        return NULL;
    dir = g_build_filename(cache, "kernel", NULL);
    path = g_strdup_printf("%s/vmlinuz-%s", dir, rig->kernel->version);
    if (access(path, R_OK) == 0)
        return g_steal_pointer(&path);
    if (!file_mkdir(dir, err))
        return NULL;
    text = file_read(rig->kernel->image, G_MAXINT32, &length, err);
    if (!text || !file_write(path, text, (gssize) length, err))
        return NULL;
    return g_steal_pointer(&path);
}

static bool
prepare_boot(Rig *rig, GError **err)
{
    const char *wanted =
        rig->options.kernel ? rig->options.kernel : rig->matrix->kernel;
    g_autoptr(GPtrArray) needs = needed_modules(rig);
    g_autofree char *busybox = g_find_program_in_path("busybox");

    rig->kernel = kernel_find(wanted, (const char *const *) needs->pdata, err);
    if (!rig->kernel)
        return false;
    rig->initramfs = initramfs_make(rig->kernel, rig->payload, busybox, err);
    if (!rig->initramfs)
        return false;
    rig->boot_kernel = kernel_for_hypervisor(rig, err);
    return rig->boot_kernel != NULL;
}

/* A daemon's QEMU runs as another user, who must be able to get there. */
static bool
check_reachable(const Rig *rig, GError **err)
{
    const char *const paths[] = {rig->storage, rig->initramfs, rig->scratch};

    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *blocked =
            connect_blocked_directory(rig->connect, paths[i]);

        if (blocked)
            return vs_fail(err,
                           "the QEMU user of %s cannot enter '%s' on the way "
                           "to '%s': chmod o+x '%s', or set storage: and "
                           "VSWEEP_CACHE_DIR to a place it can reach",
                           connect_uri(rig->connect), blocked, paths[i],
                           blocked);
    }
    return true;
}

static bool
prepare_storage(Rig *rig, GError **err)
{
    g_autofree char *warning = NULL;
    guint64 needed = 0;

    rig->storage = rig_storage(rig->matrix, err);
    if (!rig->storage)
        return false;
    needed =
        rig_bytes_needed(rig->matrix, rig->design, rig->storage, rig->payload);
    if (!disk_check_storage(rig->storage, needed, &warning, err))
        return false;
    if (warning)
        log_warning("%s", warning);
    rig->lock = disk_lock(rig->storage, err);
    if (!rig->lock)
        return false;
    rig->device = counters_device("", rig->storage);
    return leavings_remember(rig->storage, err);
}

static bool
prepare_scratch(Rig *rig, GError **err)
{
    g_autofree char *cache = paths_cache(err);

    if (!cache)
        return false;
    rig->scratch = g_strdup_printf("%s/scratch-%d", cache, (int) getpid());
    return file_mkdir(rig->scratch, err);
}

static bool
prepare_images(Rig *rig, GError **err)
{
    DiskGoldenSpec spec =
        golden_spec(rig->matrix, rig->storage, rig->payload, rig->accel.kvm);
    g_autofree char *work = NULL, *dir = NULL;

    progress_set("golden image: %s, made once by libguestfs", spec.fs);
    rig->golden = disk_golden(&spec, err);
    if (!rig->golden)
        return false;
    if (rig->matrix->host == HOST_NONE)
        return true;
    rig->host_dir = g_build_filename(rig->storage, DISK_HOST_DIR, NULL);
    dir = g_build_filename(rig->host_dir, WIRE_DISK_DIR, NULL);
    work = g_build_filename(rig->host_dir, WIRE_DISK_WORK, NULL);
    return file_mkdir(dir, err) &&
           disk_work_file(work, matrix_work_bytes(rig->matrix), err);
}

/* The bytes are taken once: whoever builds anew meanwhile changes nothing. */
static bool
prepare_payload(Rig *rig, GError **err)
{
    g_autofree char *source = paths_data("vsweep-payload", err);
    g_autofree char *cache = paths_cache(err);
    g_autofree char *dir = NULL, *bytes = NULL;
    gsize length = 0;

    if (!source || !cache)
        return false;
    bytes = file_read(source, PAYLOAD_MAX, &length, err);
    if (!bytes)
        return false;
    rig->payload_sha256 = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, (const guchar *) bytes, length);
    dir = g_build_filename(cache, "payload", rig->payload_sha256, NULL);
    rig->payload = g_build_filename(dir, "vsweep-payload", NULL);
    if (access(rig->payload, X_OK) == 0)
        return true;
    if (!file_mkdir(dir, err) ||
        !file_write(rig->payload, bytes, (gssize) length, err))
        return false;
    if (g_chmod(rig->payload, 0755) < 0)
        return vs_fail_errno(err, errno, "cannot chmod '%s'", rig->payload);
    return true;
}

static bool
prepare_template(Rig *rig, GError **err)
{
    rig->template_xml =
        file_read(rig->matrix->domain_path, TEMPLATE_MAX, NULL, err);
    return rig->template_xml != NULL;
}

static bool
prepare(Rig *rig, bool images, GError **err)
{
    progress_set("preparing: libvirt");
    if (!watchdog_start(err))
        return false;
    rig->connect = connect_open(rig->options.uri, err);
    if (!rig->connect || !prepare_payload(rig, err) ||
        !prepare_template(rig, err) || !prepare_storage(rig, err) ||
        !prepare_scratch(rig, err))
        return false;
    progress_set("preparing: kernel and initramfs");
    if (!prepare_boot(rig, err) || !check_reachable(rig, err))
        return false;
    progress_set("preparing: does KVM work here?");
    if (!precheck_accel(rig, err) || !precheck_cells(rig, err))
        return false;
    return !images || prepare_images(rig, err);
}

Rig *
rig_prepare(const Matrix *matrix, Design *design, const RigOptions *options,
            bool images, GError **err)
{
    g_autoptr(Rig) rig = g_new0(Rig, 1);
    gint64 begun = clock_raw_ns();
    cpu_set_t cpus = {0};

    rig->matrix = matrix;
    rig->design = design;
    rig->options = *options;
    rig->slots = SLOTS;
    sched_getaffinity(0, sizeof(cpus), &cpus);
    rig->ncpu = MAX((guint) CPU_COUNT(&cpus), 1);
    if (!prepare(rig, images, err))
        return NULL;
    rig->prepare_ns = clock_raw_ns() - begun;
    progress_clear();
    return g_steal_pointer(&rig);
}

void
rig_free(Rig *rig)
{
    if (!rig)
        return;
    if (rig->lock)
        disk_clean(rig->storage, false, NULL, NULL);
    disk_unlock(rig->lock);
    if (rig->scratch)
        file_remove(rig->scratch, NULL);
    connect_close(rig->connect);
    watchdog_stop();
    kernel_free(rig->kernel);
    disk_golden_free(rig->golden);
    accel_clear(&rig->accel);
    g_free(rig->boot_kernel);
    g_free(rig->initramfs);
    g_free(rig->template_xml);
    g_free(rig->payload);
    g_free(rig->payload_sha256);
    g_free(rig->storage);
    g_free(rig->device);
    g_free(rig->host_dir);
    g_free(rig->scratch);
    g_free(rig);
}
