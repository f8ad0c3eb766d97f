/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose domain is it?  A daemon knows the domains of every vsweep on the
 * host, living and dead.  Each vsweep writes its pid and the start time of
 * its process into the metadata of its domains, so that the next one takes
 * only the orphans away.  For vm/ only; the embedded driver needs none of
 * this, as its root belongs to one process.
 */
#pragma once

#include <libvirt/libvirt.h>
#include "base/error.h"

/* Marks a running domain as this process's. */
bool owner_mark(virDomainPtr domain, GError **err);
/* Whether the process that marked the domain still lives. */
bool owner_lives(virDomainPtr domain);
