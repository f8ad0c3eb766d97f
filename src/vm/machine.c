/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One domain from creation to its end: see machine.h. */
#include <signal.h>
#include <string.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/signals.h"
#include "vm/libvirt-auto.h"
#include "vm/loop.h"
#include "vm/machine.h"
#include "vm/owner.h"
#include "vm/process.h"
#include "vm/reaper.h"
#include "vm/watchdog.h"

/* No call into libvirt about a running domain takes this long unless QEMU is
 * stuck. */
#define CALL_LIMIT_NS (30 * CLOCK_NS_PER_S)
/* SIGTERM lets QEMU flush and close its images. */
#define GENTLE_NS (3 * CLOCK_NS_PER_S)
/* SIGKILL ends anything that is not waiting for a dead disk. */
#define KILL_NS (20 * CLOCK_NS_PER_S)
/* libvirt tells of an end within 20 ms of the death of QEMU. */
#define EVENT_NS (5 * CLOCK_NS_PER_S)
/* One turn of the loop; what ends a wait also wakes the loop. */
#define TURN_MS 200

struct Machine {
    Connect *connect;
    virConnectPtr conn;
    virDomainPtr domain;
    Process *process; /* NULL: QEMU's process cannot be seen */
    char *name;
    char uuid[VIR_UUID_STRING_BUFLEN];
    int callback;
    MachineState state;
    bool told;         /* libvirt has said that the domain is gone */
    bool from_outside; /* somebody but the guest asked QEMU to end */
    bool ending;       /* we did */
    bool ended;
};

const char *
machine_state_name(MachineState state)
{
    static const char *const names[] = {
        [MACHINE_RUNNING] = "running",     [MACHINE_OFF] = "off",
        [MACHINE_PANIC] = "panic",         [MACHINE_DIED] = "died",
        [MACHINE_DESTROYED] = "destroyed",
    };

    return names[state];
}

/* Why a domain stopped, from libvirt's reason.  An end that the guest did not
 * ask for is QEMU's death, whoever brought it. */
static MachineState
stopped_state(const Machine *machine, int detail)
{
    if (machine->ending)
        return MACHINE_DESTROYED;
    if (detail == VIR_DOMAIN_EVENT_STOPPED_CRASHED)
        return MACHINE_PANIC;
    if (detail == VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN && !machine->from_outside)
        return MACHINE_OFF;
    return MACHINE_DIED;
}

static void
settle(Machine *machine, MachineState state)
{
    if (machine->state == MACHINE_RUNNING)
        machine->state = state;
}

static int
lifecycle(virConnectPtr conn G_GNUC_UNUSED, virDomainPtr domain, int event,
          int detail, void *data)
{
    Machine *machine = data;
    char uuid[VIR_UUID_STRING_BUFLEN] = "";

    if (virDomainGetUUIDString(domain, uuid) < 0 ||
        strcmp(uuid, machine->uuid) != 0)
        return 0;
    if (event == VIR_DOMAIN_EVENT_SHUTDOWN)
        machine->from_outside = detail == VIR_DOMAIN_EVENT_SHUTDOWN_HOST;
    if (event == VIR_DOMAIN_EVENT_CRASHED)
        settle(machine, MACHINE_PANIC);
    if (event == VIR_DOMAIN_EVENT_STOPPED) {
        settle(machine, stopped_state(machine, detail));
        machine->told = true;
    }
    return 0;
}

/* A daemon's QEMU is never ours.  The adoption ends only when the process is
 * watched, so that a QEMU that ends in between is reaped all the same. */
static bool
start(Machine *machine, const char *xml, GError **err)
{
    g_autofree char *words = NULL;

    if (connect_embedded(machine->connect))
        reaper_adopt_begin();
    machine->domain =
        virDomainCreateXML(machine->conn, xml,
                           VIR_DOMAIN_START_PAUSED | VIR_DOMAIN_START_VALIDATE);
    words = libvirt_words();
    if (machine->domain) {
        machine->name = g_strdup(virDomainGetName(machine->domain));
        virDomainGetUUIDString(machine->domain, machine->uuid);
        machine->process = process_watch(machine->name);
    }
    reaper_adopt_end();
    return machine->domain || vs_fail(err, "%s", words);
}

Machine *
machine_create(Connect *connect, const char *xml, GError **err)
{
    g_autoptr(Machine) machine = g_new0(Machine, 1);

    machine->connect = connect;
    machine->conn = connect_handle(connect);
    machine->callback = virConnectDomainEventRegisterAny(
        machine->conn, NULL, VIR_DOMAIN_EVENT_ID_LIFECYCLE,
        VIR_DOMAIN_EVENT_CALLBACK(lifecycle), machine, NULL);
    if (machine->callback < 0) {
        libvirt_fail(err, "cannot follow the domain");
        return NULL;
    }
    if (!start(machine, xml, err) ||
        (!connect_embedded(connect) && !owner_mark(machine->domain, err)))
        return NULL;
    return g_steal_pointer(&machine);
}

bool
machine_resume(Machine *machine, GError **err)
{
    int result = 0;

    watchdog_call_begin(CALL_LIMIT_NS);
    result = virDomainResume(machine->domain);
    watchdog_call_end();
    return result == 0 || libvirt_fail(err, "cannot start the guest");
}

/* QEMU's process is gone, with or without libvirt's word for it. */
static bool
is_gone(const Machine *machine, gint64 patience_ns)
{
    gint64 ended_ns = machine->process ? process_ended_ns(machine->process) : 0;

    return machine->told ||
           (ended_ns != 0 && clock_raw_ns() - ended_ns > patience_ns);
}

MachineState
machine_state(const Machine *machine)
{
    if (machine->state == MACHINE_RUNNING && is_gone(machine, EVENT_NS))
        return MACHINE_DIED;
    return machine->state;
}

pid_t
machine_pid(const Machine *machine)
{
    return machine->process ? process_pid(machine->process) : 0;
}

const char *
machine_name(const Machine *machine)
{
    return machine->name;
}

bool
machine_is_alive(const Machine *machine)
{
    return !machine->told &&
           (!machine->process || process_runs(machine->process));
}

void *
machine_handle(const Machine *machine)
{
    return machine->domain;
}

void *
machine_connection(const Machine *machine)
{
    return machine->conn;
}

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
    watchdog_call_begin(CALL_LIMIT_NS);
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
    wait_for(machine, is_reaped, clock_raw_ns() + EVENT_NS, false);
    /* Only a domain that libvirt still believes in needs this. */
    if (!wait_for(machine, is_told, clock_raw_ns() + EVENT_NS, false))
        stop_by_libvirt(machine);
    settle(machine, MACHINE_DESTROYED);
}

static char *
log_path(const Machine *machine)
{
    g_autofree char *file = g_strconcat(machine->name, ".log", NULL);

    if (!connect_embedded(machine->connect))
        return NULL;
    return g_build_filename(connect_root(machine->connect), "log/qemu", file,
                            NULL);
}

char *
machine_qemu_log(const Machine *machine, gsize max)
{
    g_autofree char *path = log_path(machine);

    return path ? file_tail(path, max) : g_strdup("");
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

void
machine_free(Machine *machine)
{
    if (!machine)
        return;
    if (machine->domain) {
        g_autofree char *log = log_path(machine);

        machine_end(machine, NULL);
        virDomainFree(machine->domain);
        if (log)
            file_remove(log, NULL);
    }
    if (machine->callback >= 0)
        virConnectDomainEventDeregisterAny(machine->conn, machine->callback);
    process_free(machine->process);
    g_free(machine->name);
    g_free(machine);
}
