/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verdicts about KVM, kept in paths_cache()/kvm-proof until the host is
 * booted again.  For vm/accel.c only.  Losing the file costs one more proof,
 * so nothing here fails.
 */
#pragma once

#include <stdbool.h>
#include <glib.h>

/* True when there is a verdict under `key`; *ret_why: caller frees. */
bool proof_cache_load(const char *key, bool *ret_kvm, char **ret_why);
void proof_cache_save(const char *key, bool kvm, const char *why);
