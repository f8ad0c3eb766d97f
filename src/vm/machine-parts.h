/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of a Machine, for the files src/vm/machine*.c only.
 */
#pragma once

#include "base/clock.h"
#include "vm/libvirt-auto.h"
#include "vm/machine.h"
#include "vm/process.h"

/* libvirt tells of an end within 20 ms of the death of QEMU. */
#define MACHINE_EVENT_NS (5 * CLOCK_NS_PER_S)

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

/* Its state from now on, unless it has ended before. */
void machine_settle(Machine *machine, MachineState state);
/* Removes the log the embedded driver keeps for the domain `name`. */
void machine_remove_log(const Connect *connect, const char *name);
