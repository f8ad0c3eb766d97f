/* SPDX-License-Identifier: GPL-3.0-or-later */
/* KVM proof and plan-time capability check: see precheck.h. */
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/log.h"
#include "run/precheck.h"
#include "vm/domain.h"

/* Size of the empty disk a KVM proof boots with, in bytes. */
#define PROOF_DISK (1024 * 1024)

/* One document of type kvm for each CPU model among the planned cells. */
static GPtrArray *
proof_documents(Rig *rig, const char *disk, GError **err)
{
    g_autoptr(GPtrArray) xmls = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree char *console = g_build_filename(rig->scratch, "proof", NULL);
    bool kvm = rig->accel.kvm;

    rig->accel.kvm = true;
    for (guint i = 0; i < rig->design->cells->len; i++) {
        const Cell *cell = rig->design->cells->pdata[i];
        const char *cpu = NULL;
        char *xml = NULL;

        if (cell->state != CELL_PLANNED || !cell_is_guest(cell))
            continue;
        cpu = design_level(rig->design, cell, setting_find("cpu.mode"));
        if (!g_hash_table_add(seen, (gpointer) cpu))
            continue;
        xml = rig_domain(rig, cell, DOMAIN_PREFIX "kvm-proof", disk, console,
                         false, err);
        if (!xml)
            return NULL;
        g_ptr_array_add(xmls, xml);
    }
    rig->accel.kvm = kvm;
    g_ptr_array_add(xmls, NULL);
    return g_steal_pointer(&xmls);
}

bool
precheck_accel(Rig *rig, GError **err)
{
    g_autofree char *disk = g_build_filename(rig->scratch, "proof.raw", NULL);
    g_autofree char *zeros = g_malloc0(PROOF_DISK);
    g_autofree char *key = NULL;
    g_autoptr(GPtrArray) xmls = NULL;

    if (!file_write(disk, zeros, PROOF_DISK, err))
        return false;
    xmls = proof_documents(rig, disk, err);
    if (!xmls)
        return false;
    key =
        g_strjoin(" ", rig->kernel->version, connect_qemu_version(rig->connect),
                  connect_uri(rig->connect), NULL);
    return accel_decide(rig->connect, rig->options.accel,
                        (const char *const *) xmls->pdata, key, &rig->accel,
                        err);
}

static const char *
cache_of(const Rig *rig, const Cell *cell)
{
    return design_level(rig->design, cell, setting_find("disk.cache"));
}

/* cache none and directsync open the image with O_DIRECT. */
static bool
needs_direct(const Rig *rig, const Cell *cell)
{
    const char *cache = cache_of(rig, cell);

    return strcmp(cache, "none") == 0 || strcmp(cache, "directsync") == 0;
}

static void
unsupported(Cell *cell, char *why)
{
    cell->state = CELL_UNSUPPORTED;
    g_free(cell->why);
    cell->why = why;
}

static bool
check_cell(Rig *rig, Cell *cell, bool direct, GError **err)
{
    g_autofree char *image = g_build_filename(rig->scratch, "proof.raw", NULL);
    g_autofree char *console = g_build_filename(rig->scratch, "console", NULL);
    g_autofree char *xml = rig_domain(rig, cell, DOMAIN_PREFIX "check", image,
                                      console, false, err);
    g_autoptr(GError) failed = NULL;
    char *why = NULL;

    if (!xml)
        return false;
    if (!domain_validate(xml, err)) {
        g_prefix_error(err, "cell %s: ", cell->name);
        return false;
    }
    if (needs_direct(rig, cell) && !direct) {
        unsupported(cell, g_strdup_printf("cache %s needs O_DIRECT, which the "
                                          "file system of '%s' refuses",
                                          cache_of(rig, cell), rig->storage));
        return true;
    }
    if (connect_check_xml(rig->connect, xml, NULL, &why, &failed))
        return true;
    if (failed) {
        g_propagate_prefixed_error(err, g_steal_pointer(&failed),
                                   "cell %s: ", cell->name);
        return false;
    }
    unsupported(cell, why);
    return true;
}

bool
precheck_cells(Rig *rig, GError **err)
{
    bool direct = disk_probe_direct(rig->storage);

    for (guint i = 0; i < rig->design->cells->len; i++) {
        Cell *cell = rig->design->cells->pdata[i];

        if (cell->state != CELL_PLANNED || !cell_is_guest(cell))
            continue;
        if (!check_cell(rig, cell, direct, err))
            return false;
        if (cell->state == CELL_UNSUPPORTED && cell->baseline)
            return vs_fail(err,
                           "the baseline cell %s cannot run here: %s; choose "
                           "another baseline: in the matrix",
                           cell->name, cell->why);
    }
    return true;
}
