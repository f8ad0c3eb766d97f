/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a domain, awaited or brought about: see machine.h. */
#include <signal.h>
#include "base/clock.h"
#include "base/signals.h"
#include "vm/loop.h"
#include "vm/machine-parts.h"
#include "vm/watchdog.h"

/* SIGTERM lets QEMU flush and close its images. */
#define GENTLE_NS (3 * CLOCK_NS_PER_S)
/* SIGKILL ends anything that is not waiting for a dead disk. */
#define KILL_NS (20 * CLOCK_NS_PER_S)
/* One turn of the loop; what ends a wait also wakes the loop. */
#define TURN_MS 200

/* Turns the loop until `done` says so, the time is up or, when the wait may
 * be `interrupted`, a signal has arrived. */
static bool
wait_for(const Machine *machine, bool (*done)(const Machine *),
         gint64 deadline_ns, bool interrupted)
{
    while (!done(machine)) {
        gint64 left_ns = deadline_ns - clock_raw_ns();

        if (left_ns <= 0 || (interrupted && signals_pending()))
            return false;
        loop_once((int) MIN(TURN_MS, left_ns / CLOCK_NS_PER_MS + 1));
    }
    return true;
}

static bool
has_stopped(const Machine *machine)
{
    return machine_state(machine) != MACHINE_RUNNING;
}

static bool
is_reaped(const Machine *machine)
{
    return !machine->process || process_ended_ns(machine->process) != 0;
}

static bool
is_told(const Machine *machine)
{
    return machine->told;
}

bool
machine_wait_off(Machine *machine, gint64 deadline_ns)
{
    return wait_for(machine, has_stopped, deadline_ns, true) &&
           machine_state(machine) == MACHINE_OFF;
}

/* A stuck QEMU blocks libvirt, and libvirt's own destroy waits for a reaping
 * that only this loop can do: signals are surer and faster. */
static void
stop_child(Machine *machine)
{
    process_signal(machine->process, SIGTERM);
    if (wait_for(machine, is_reaped, clock_raw_ns() + GENTLE_NS, false))
        return;
    process_signal(machine->process, SIGKILL);
    wait_for(machine, is_reaped, clock_raw_ns() + KILL_NS, false);
}

/* A daemon's QEMU is the daemon's to end. */
static void
stop_by_libvirt(Machine *machine)
{
    watchdog_call_begin(WATCHDOG_CALL_NS);
    if (virDomainDestroyFlags(machine->domain, VIR_DOMAIN_DESTROY_GRACEFUL) < 0)
        virDomainDestroy(machine->domain);
    watchdog_call_end();
}

static void
stop(Machine *machine)
{
    bool ours = machine->process && connect_embedded(machine->connect);

    machine->ending = true;
    if (ours)
        stop_child(machine);
    else
        stop_by_libvirt(machine);
    wait_for(machine, is_reaped, clock_raw_ns() + MACHINE_EVENT_NS, false);
    /* Only a domain that libvirt still believes in needs this. */
    if (!wait_for(machine, is_told, clock_raw_ns() + MACHINE_EVENT_NS, false))
        stop_by_libvirt(machine);
    machine_settle(machine, MACHINE_DESTROYED);
}

MachineState
machine_end(Machine *machine, struct rusage *ret_usage)
{
    if (!machine->ended) {
        machine->state = machine_state(machine);
        if (!machine->told || !is_reaped(machine))
            stop(machine);
        machine->ended = true;
    }
    if (ret_usage)
        *ret_usage = machine->process ? process_usage(machine->process)
                                      : (struct rusage){0};
    return machine->state;
}
