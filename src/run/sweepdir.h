/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Directories of sweeps: reports/NAME-DATE/ with results.db and the reports.
 */
#pragma once

#include <glib.h>
#include "base/error.h"

#define SWEEPDIR_ROOT "reports"
#define SWEEPDIR_DB "results.db"

/* Makes ROOT/NAME-STAMP (or NAME-STAMP-2 ...).  Caller frees. */
char *sweepdir_create(const char *root, const char *name, GError **err);
/* The newest sweep below `root` with this key (fact sweep.key) that is not
 * finished; NULL when there is none.  Caller frees. */
char *sweepdir_unfinished(const char *root, const char *key);
/* The same of those that are finished. */
char *sweepdir_finished(const char *root, const char *key);
/* The database a person means: a directory, a database, the name of a sweep
 * (its newest directory below SWEEPDIR_ROOT), or NULL for the newest of all.
 * The error lists what there is.  Caller frees. */
char *sweepdir_resolve(const char *wanted, GError **err);
/* Names of the directories below `root` that hold a database, newest first
 * (char *, owned). */
GPtrArray *sweepdir_list(const char *root);
