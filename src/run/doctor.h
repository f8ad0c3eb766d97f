/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Can this host measure, and what would spoil it?  A list of checks, each
 * with its finding and its remedy.  libvirt's embedded root is never opened,
 * so it may be asked while a sweep runs.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

typedef enum { FINDING_OK, FINDING_NOTE, FINDING_WARN, FINDING_BAD } Severity;

typedef struct Finding {
    const char *check; /* "kvm", "kernel", "storage" ... */
    Severity severity;
    char *text;   /* what was found */
    char *remedy; /* or NULL */
} Finding;

/* Finding *, in the order of the checks.  `storage` NULL: the default. */
GPtrArray *doctor_examine(const char *storage);
const char *severity_name(Severity severity);
