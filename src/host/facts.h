/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What this host is: the fingerprint of a sweep (METHOD 5.1).
 */
#pragma once

#include <glib.h>
#include "base/error.h"

/* name -> text, both owned by the table: cpu.model, cpu.microcode, cpu.count,
 * cpu.flags_sha256, cpu.hypervisor (yes: nested), cpu.governor, cpu.turbo,
 * cpu.smt, kernel, cmdline, boot_id, mem.total_kb, thp, ksm, swap_kb,
 * clocksource, vulnerabilities, numa.nodes, kvm.device, kvm.halt_poll_ns, os;
 * with `device`: device.model, device.scheduler, device.write_cache,
 * device.rotational.  A fact that cannot be read is left out. */
GHashTable *facts_read(const char *root, const char *device);
/* SHA-256 over the sorted facts that must not change within a sweep
 * (boot_id excluded).  Caller frees. */
char *facts_fingerprint(GHashTable *facts);
