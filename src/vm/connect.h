/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The connection to libvirt: the embedded QEMU driver by default, which needs
 * no daemon, or any local URI that runs QEMU.  One per process.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

typedef struct Connect Connect;

/* Opens `uri`; NULL means $LIBVIRT_DEFAULT_URI, else the embedded driver
 * with its root in paths_runtime().  For the embedded driver the root and its
 * etc/qemu.conf are made first, and leftovers of a killed run are put away
 * (see vm/leftovers.h).  Only one process can have an embedded root open: the
 * error for the second names the first one's pid. */
Connect *connect_open(const char *uri, GError **err);
void connect_close(Connect *connect);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Connect, connect_close)

const char *connect_uri(const Connect *connect);
bool connect_embedded(const Connect *connect);
/* How QEMU is confined: "none (embedded driver)", "selinux", "apparmor",
 * "dac" ... as libvirt reports it. */
const char *connect_confinement(const Connect *connect);
/* "libvirt 9.0.0", "QEMU 7.2.22". */
const char *connect_libvirt_version(const Connect *connect);
const char *connect_qemu_version(const Connect *connect);
/* Asks libvirt what QEMU it would start for this document (plan time).
 * True: *ret_argv is the command line (may be NULL, caller frees).  False
 * without *err set: cannot be done, *ret_why says so in libvirt's words
 * (caller frees).  False with *err: the question itself failed. */
bool connect_check_xml(Connect *connect, const char *xml, char **ret_argv,
                       char **ret_why, GError **err);
/* For daemons: the first parent directory of `path` that the QEMU user of
 * qemu:///system cannot traverse; NULL when all is well.  Caller frees. */
char *connect_blocked_directory(const Connect *connect, const char *path);
/* The embedded driver's root directory; NULL for a daemon. */
const char *connect_root(const Connect *connect);
/* The libvirt handle (a virConnectPtr), for vm/ only. */
void *connect_handle(const Connect *connect);
