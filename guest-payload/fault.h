/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults that a guest acts out when the kernel command line says
 * `vsweep.fault=NAME`, so that tests can see vsweep deal with them.
 */
#pragma once

typedef enum {
    FAULT_BEFORE_READY,
    FAULT_AFTER_JOB,
    FAULT_IN_AGENT /* handed on to the agent */
} FaultMoment;

typedef struct Fault {
    const char *name;
    FaultMoment moment;
    void (*act)(int port); /* NULL for FAULT_IN_AGENT */
    const char *agent;     /* the agent's --fault, or NULL */
} Fault;

/* NULL when there is none of that name. */
const Fault *fault_find(const char *name);
/* Acts it out if this is its moment.  `fault` may be NULL. */
void fault_act(const Fault *fault, FaultMoment moment, int port);
