/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One attempt from its image to its end: see attempt.h (METHOD 5.2). */
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/signals.h"
#include "host/hygiene.h"
#include "run/attempt.h"
#include "run/hostrun.h"
#include "run/results.h"
#include "run/talk.h"
#include "vm/domain.h"
#include "vm/watchdog.h"

/* libvirt gives QEMU 30 s to answer its monitor; a little more than that. */
#define CREATE_LIMIT_NS (40 * CLOCK_NS_PER_S)
/* A guest that was told to go powers off within this. */
#define OFF_LIMIT_NS (20 * CLOCK_NS_PER_S)
/* One question to libvirt about a silent QEMU. */
#define PROBE_LIMIT_NS (5 * CLOCK_NS_PER_S)
/* Longest wait for a quiet machine (METHOD 5.2 S2), and under `quick`. */
#define QUIET_LIMIT_NS (120 * CLOCK_NS_PER_S)
#define QUIET_QUICK_NS (1 * CLOCK_NS_PER_S)
/* What is kept of the console, in bytes. */
#define CONSOLE_TAIL 8192

/* Adds the time since `begun` to a part. */
static void
book(Attempt *attempt, Part part, gint64 begun)
{
    attempt->part_ns[part] += clock_raw_ns() - begun;
}

static bool
fill_slot(Rig *rig, const Cell *cell, Attempt *attempt)
{
    guint number = (cell->index + attempt->block) % rig->slots;
    gint64 begun = clock_raw_ns();
    g_autoptr(GError) err = NULL;
    DiskSlot slot = {0};
    bool ok = disk_slot_fill(rig->golden, rig_format(rig, cell),
                             rig_prealloc(rig, cell), number, &slot, &err);

    book(attempt, PART_IMAGES, begun);
    if (!ok) {
        attempt_fail(attempt, OUTCOME_IMAGE, "%s", err->message);
        return false;
    }
    attempt->slot = g_strdup(slot.path);
    attempt->slot_generation = slot.generation;
    disk_slot_clear(&slot);
    return true;
}

/* Write-back done, machine quiet, image out of the page cache. */
static bool
wait_quiet(Rig *rig, Attempt *attempt)
{
    bool quick = rig->matrix->hygiene == HYGIENE_QUICK;
    gint64 begun = clock_raw_ns();
    g_autoptr(GError) err = NULL;
    bool quiet = false;
    bool ok = disk_sync(rig->storage, &err);

    if (ok)
        hygiene_wait_quiet("", rig->device, quick,
                           quick ? QUIET_QUICK_NS : QUIET_LIMIT_NS, &quiet);
    if (ok && attempt->slot)
        ok = disk_evict(attempt->slot, NULL, &err);
    book(attempt, PART_WAIT, begun);
    if (!ok)
        attempt_fail(attempt, OUTCOME_IMAGE, "%s", err->message);
    else if (signals_pending())
        attempt_fail(attempt, OUTCOME_INTERRUPTED, "interrupted");
    else if (!quiet && !quick)
        attempt_fail(attempt, OUTCOME_INVALID,
                     "not_quiet: the machine did not become quiet in 120 s");
    return attempt->outcome == OUTCOME_OK;
}

/* Creates the domain, paused, with its channel open. */
static Machine *
start(Rig *rig, Attempt *attempt, const char *name, Channel **ret_channel)
{
    g_autoptr(GError) err = NULL;
    g_autoptr(Machine) machine = NULL;

    watchdog_arm(name, clock_raw_ns() + CREATE_LIMIT_NS);
    attempt->t_create = clock_raw_ns();
    machine = machine_create(rig->connect, attempt->asked_xml, &err);
    if (machine)
        *ret_channel = channel_open_machine(machine, &err);
    if (*ret_channel && machine_resume(machine, &err)) {
        attempt->t_resume = clock_raw_ns();
        return g_steal_pointer(&machine);
    }
    attempt_fail(attempt,
                 watchdog_fired() ? OUTCOME_QEMU_STUCK : OUTCOME_REFUSED, "%s",
                 err->message);
    g_clear_pointer(ret_channel, channel_close);
    return NULL;
}

/* The conversation tells of silence and closed channels only; the machine
 * knows why. */
static void
refine_outcome(Attempt *attempt, Machine *machine)
{
    bool silent =
        attempt->outcome == OUTCOME_HANG || attempt->outcome == OUTCOME_NO_BOOT;
    bool gone = attempt->outcome == OUTCOME_EARLY_OFF;
    g_autoptr(GHashTable) counters =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    if (silent) {
        watchdog_arm(machine_name(machine), clock_raw_ns() + PROBE_LIMIT_NS);
        machine_stats(machine, counters);
    }
    if (gone)
        machine_wait_off(machine, clock_raw_ns() + PROBE_LIMIT_NS);
    if (watchdog_fired())
        attempt_override(attempt, OUTCOME_QEMU_STUCK,
                         "QEMU answered nothing and was killed");
    else if (machine_state(machine) == MACHINE_PANIC)
        attempt_override(attempt, OUTCOME_PANIC, "the guest's kernel crashed");
    else if (machine_state(machine) == MACHINE_DIED)
        attempt_override(attempt, OUTCOME_QEMU_DIED,
                         "QEMU ended by itself (killed or aborted)");
}

static bool
outcome_is_of_guest(Outcome outcome)
{
    return outcome == OUTCOME_HANG || outcome == OUTCOME_NO_BOOT ||
           outcome == OUTCOME_EARLY_OFF || outcome == OUTCOME_RUBBISH;
}

/* Ends the machine: gently after DONE, else at once. */
static void
stop(Rig *rig, Attempt *attempt, Machine *machine, bool done)
{
    struct rusage usage = {0};
    gint64 begun = clock_raw_ns();

    if (outcome_is_of_guest(attempt->outcome))
        refine_outcome(attempt, machine);
    watchdog_arm(machine_name(machine), begun + OFF_LIMIT_NS);
    if (done && !machine_wait_off(machine, begun + OFF_LIMIT_NS))
        attempt_fail(attempt, OUTCOME_HANG,
                     "did not power off within 20 s of its last word");
    machine_end(machine, &usage);
    watchdog_disarm();
    attempt->t_gone = clock_raw_ns();
    attempt->cpu_s =
        (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
        (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    attempt->maxrss_kb = usage.ru_maxrss;
    disk_sync(rig->storage, NULL);
    book(attempt, PART_STOP, begun);
}

/* A crash whose event did not come through shows on the console. */
static void
read_console(Attempt *attempt, const char *path)
{
    attempt->console = file_tail(path, CONSOLE_TAIL);
    if (attempt->outcome == OUTCOME_EARLY_OFF &&
        strstr(attempt->console, "Kernel panic"))
        attempt_override(attempt, OUTCOME_PANIC, "the guest's kernel crashed");
    unlink(path);
}

static void
boot(Rig *rig, const Cell *cell, const Slot *slot, Attempt *attempt)
{
    g_autofree char *name =
        g_strdup_printf(DOMAIN_PREFIX "%d-b%u-p%u-t%u", (int) getpid(),
                        slot->block, slot->pos, slot->try);
    g_autofree char *console = g_strdup_printf("%s/%s.log", rig->scratch, name);
    g_autoptr(GError) err = NULL;
    g_autoptr(Channel) channel = NULL;
    g_autoptr(Machine) machine = NULL;
    Talk talk = {.rig = rig,
                 .cell = cell,
                 .attempt = attempt,
                 .image = attempt->slot,
                 .order = slot->order,
                 .label = slot->label,
                 .name = name};

    attempt->asked_xml =
        rig_domain(rig, cell, name, attempt->slot, console, false, &err);
    if (!attempt->asked_xml) {
        attempt_fail(attempt, OUTCOME_REFUSED, "%s", err->message);
        return;
    }
    machine = start(rig, attempt, name, &channel);
    if (machine) {
        bool done = false;

        talk.channel = channel;
        talk.machine = machine;
        talk.pid = machine_pid(machine);
        done = talk_run(&talk);
        g_clear_pointer(&channel, channel_close);
        stop(rig, attempt, machine, done);
    }
    watchdog_disarm();
    read_console(attempt, console);
}

/* What no other part claims is "other". */
static void
close_books(Attempt *attempt)
{
    gint64 rest = 0;

    attempt->t_end = clock_raw_ns();
    rest = attempt->t_end - attempt->t_begin;
    for (Part p = 0; p < PART_MAX; p++)
        rest -= attempt->part_ns[p];
    attempt->part_ns[PART_OTHER] += MAX(rest, 0);
}

Attempt *
attempt_run(Rig *rig, const Cell *cell, const Slot *slot)
{
    Attempt *attempt =
        attempt_new(slot->block, slot->pos, slot->try, cell->index);

    attempt->started = clock_wall_iso();
    attempt->t_begin = clock_raw_ns();
    if (!cell_is_guest(cell)) {
        if (wait_quiet(rig, attempt))
            hostrun(rig, cell, slot, attempt);
    } else if (fill_slot(rig, cell, attempt) && wait_quiet(rig, attempt)) {
        boot(rig, cell, slot, attempt);
    }
    close_books(attempt);
    return attempt;
}
