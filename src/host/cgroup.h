/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A control group of our own that limits the memory, page cache included, of
 * the processes in it: by cgroup v2 or v1, whichever has the controller.
 */
#pragma once

#include <sys/types.h>
#include <glib.h>
#include "base/error.h"

typedef struct Cgroup Cgroup;

/* The version in which such a group can be made, 1 or 2; 0, and in *ret_why
 * (may be NULL) why it cannot. */
guint cgroup_version(const char *root, const char **ret_why);
/* Makes the group vsweep-PID, PID being ours.  One that is there is taken
 * over. */
Cgroup *cgroup_new(const char *root, guint64 memory, GError **err);
/* Removes the group, which waits a moment for its last process to end. */
void cgroup_free(Cgroup *cgroup);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Cgroup, cgroup_free)

/* A process that writes "0" here moves into the group. */
const char *cgroup_door(const Cgroup *cgroup);
/* "cgroup v1". */
const char *cgroup_name(const Cgroup *cgroup);
/* The limit as it reads back; 0: it does not.  Of a process that is not in the
 * group 0 as well. */
guint64 cgroup_limit_of(const Cgroup *cgroup, pid_t pid);
/* Removes groups whose vsweep is gone, and kills what is in them.  Appends a
 * line per thing to `report` (char *, owned; may be NULL). */
bool cgroup_clean(const char *root, GPtrArray *report, GError **err);
