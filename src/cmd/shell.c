/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep shell: one cell, booted, with a shell in it. */
#include <unistd.h>
#include "base/clock.h"
#include "base/log.h"
#include "cmd/bench.h"
#include "cmd/commands.h"
#include "vm/console.h"
#include "vm/domain.h"
#include "vm/watchdog.h"

/* A guest that was left with Ctrl-] is ended; creation may take this long. */
#define CREATE_LIMIT_NS (40 * CLOCK_NS_PER_S)

static const GOptionEntry options[] = {BENCH_ENTRIES,
                                       {NULL, 0, 0, 0, NULL, NULL, NULL}};

static const Cell *
find_cell(const Design *design, const char *name, GError **err)
{
    const Cell *cell = design_cell(design, name);

    if (!cell || !cell_is_guest(cell)) {
        vs_usage(err, "no cell '%s' with a domain; `vsweep plan` lists them",
                 name);
        return NULL;
    }
    return cell;
}

/* Preparing may have found that libvirt cannot do the cell. */
static bool
check_planned(const Cell *cell, GError **err)
{
    return cell->state == CELL_PLANNED ||
           vs_fail(err, "cell %s is %s: %s", cell->name,
                   cell_state_name(cell->state), cell->why);
}

static bool
boot(Rig *rig, const Cell *cell, const char *image, GError **err)
{
    g_autofree char *name =
        g_strdup_printf(DOMAIN_PREFIX "%d-shell", (int) getpid());
    g_autofree char *xml = rig_domain(rig, cell, name, image, NULL, true, err);
    g_autoptr(Machine) machine = NULL;
    bool left = false, ok = false;

    if (!xml)
        return false;
    watchdog_arm(name, clock_raw_ns() + CREATE_LIMIT_NS);
    machine = machine_create(rig->connect, xml, err);
    if (!machine)
        return false;
    watchdog_arm(name, 0);
    log_note("cell %s; leave with `exit` (or Ctrl-] to pull the plug)",
             cell->name);
    ok = console_attach(machine, &left, err);
    machine_end(machine, NULL);
    watchdog_disarm();
    return ok;
}

static int
run(int argc, char **argv, GError **err)
{
    g_autoptr(Matrix) matrix = NULL;
    g_autoptr(Design) design = NULL;
    g_autoptr(Rig) rig = NULL;
    const Cell *cell = NULL;
    RigOptions rig_options = {0};
    DiskSlot slot = {0};
    bool ok = false;

    if (!command_arguments(&command_shell, argc, 1, 2, err) ||
        !bench_plan(argc > 2 ? argv[1] : NULL, &matrix, &design, err) ||
        !bench_rig_options(&rig_options, err))
        return VS_ERROR_USAGE;
    cell = find_cell(design, argv[argc - 1], err);
    if (!cell)
        return VS_ERROR_USAGE;
    rig = rig_prepare(matrix, design, &rig_options, true, err);
    if (!rig || !check_planned(cell, err) ||
        !disk_slot_fill(rig->golden, rig_format(rig, cell),
                        rig_prealloc(rig, cell), 0, &slot, err))
        return VS_ERROR_FAILED;
    ok = boot(rig, cell, slot.path, err);
    disk_slot_clear(&slot);
    return ok ? 0 : VS_ERROR_FAILED;
}

const Command command_shell = {
    .name = "shell",
    .arguments = "[MATRIX] CELL",
    .summary = "Boot a cell and give a shell with its disk mounted",
    .boots = true,
    .options = options,
    .run = run,
};
