/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One domain from creation to its end: see machine.h. */
#include <string.h>
#include "base/clock.h"
#include "vm/domain.h"
#include "vm/machine-parts.h"
#include "vm/owner.h"
#include "vm/reaper.h"
#include "vm/watchdog.h"

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

void
machine_settle(Machine *machine, MachineState state)
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
        machine_settle(machine, MACHINE_PANIC);
    if (event == VIR_DOMAIN_EVENT_STOPPED) {
        machine_settle(machine, stopped_state(machine, detail));
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
    if (!machine->domain) {
        g_autofree char *name = domain_xpath_string(xml, "/domain/name", NULL);

        if (name && g_str_has_prefix(name, DOMAIN_PREFIX))
            machine_remove_log(machine->connect, name);
        return vs_fail(err, "%s", words);
    }
    return true;
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

    watchdog_call_begin(WATCHDOG_CALL_NS);
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
    if (machine->state == MACHINE_RUNNING && is_gone(machine, MACHINE_EVENT_NS))
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

bool
machine_is_embedded(const Machine *machine)
{
    return connect_embedded(machine->connect);
}

void *
machine_connection(const Machine *machine)
{
    return machine->conn;
}

void
machine_free(Machine *machine)
{
    if (!machine)
        return;
    if (machine->domain) {
        machine_end(machine, NULL);
        virDomainFree(machine->domain);
        machine_remove_log(machine->connect, machine->name);
    }
    if (machine->callback >= 0)
        virConnectDomainEventDeregisterAny(machine->conn, machine->callback);
    process_free(machine->process);
    g_free(machine->name);
    g_free(machine);
}
