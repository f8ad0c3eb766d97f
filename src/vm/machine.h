/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One transient domain from creation (paused) to its end.  Every call into
 * libvirt about it happens under the watchdog (vm/watchdog.h), because a
 * stopped QEMU blocks libvirt for ever.
 */
#pragma once

#include <sys/types.h>
#include <sys/resource.h>
#include <glib.h>
#include "base/error.h"
#include "vm/connect.h"

typedef enum {
    MACHINE_RUNNING,  /* or paused before machine_resume() */
    MACHINE_OFF,      /* the guest powered off */
    MACHINE_PANIC,    /* the guest's kernel crashed (pvpanic) */
    MACHINE_DIED,     /* QEMU ended by itself: killed, aborted */
    MACHINE_DESTROYED /* by us */
} MachineState;

typedef struct Machine Machine;

/* Creates the domain, paused, validating the XML against libvirt's schema.
 * Failure is libvirt's refusal, whole, or QEMU's own words.  Arm the watchdog
 * with the domain's name before. */
Machine *machine_create(Connect *connect, const char *xml, GError **err);
bool machine_resume(Machine *machine, GError **err);
MachineState machine_state(const Machine *machine);
/* QEMU's process, 0 when not found. */
pid_t machine_pid(const Machine *machine);
const char *machine_name(const Machine *machine);
/* Live XML and QEMU's arguments, one a line (caller frees); NULL when the
 * machine is gone. */
char *machine_live_xml(Machine *machine);
char *machine_argv(Machine *machine);
/* Adds libvirt's counters of the domain to `counters` (name -> gint64 *, both
 * owned by the table): "block.N.rd.reqs", "block.N.fl.times",
 * "vcpu.N.delay" ...  False when the machine is gone or did not answer. */
bool machine_stats(Machine *machine, GHashTable *counters);
/* One QMP command; *ret_reply is its JSON (caller frees). */
bool machine_qmp(Machine *machine, const char *command, char **ret_reply,
                 GError **err);
/* Waits for the guest to power off by itself; true when it has.  A signal
 * (signals_pending()) ends the wait. */
bool machine_wait_off(Machine *machine, gint64 deadline_ns);
/* What QEMU wrote to its log, the last `max` bytes as printable text; ""
 * when there is nothing or a daemon keeps it.  Caller frees. */
char *machine_qemu_log(const Machine *machine, gsize max);
/* Destroys it if it still runs (first gently, then SIGKILL), waits until the
 * process is reaped, and lets libvirt forget it.  *ret_usage (may be NULL)
 * gets the process's resource usage when it was our child, else zeros.  The
 * Machine itself stays until machine_free(); a second call only repeats the
 * answer. */
MachineState machine_end(Machine *machine, struct rusage *ret_usage);
/* Ends it when machine_end() has not. */
void machine_free(Machine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Machine, machine_free)
/* Whether QEMU lives at this very moment, ahead of machine_state(), which
 * changes when the loop turns; for vm/ only. */
bool machine_is_alive(const Machine *machine);
/* Whether its QEMU belongs to this process (embedded driver). */
bool machine_is_embedded(const Machine *machine);
/* The libvirt handles (virDomainPtr, virConnectPtr), for vm/ only. */
void *machine_handle(const Machine *machine);
void *machine_connection(const Machine *machine);

/* "running", "off", "panic", "died", "destroyed". */
const char *machine_state_name(MachineState state);
