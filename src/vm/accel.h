/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether KVM works here, proved by booting the micro guest under it
 * (METHOD 0.1): a device node or libvirt's word prove nothing.
 */
#pragma once

#include <glib.h>
#include "base/error.h"
#include "vm/connect.h"

typedef enum { ACCEL_AUTO, ACCEL_KVM, ACCEL_TCG } AccelWanted;

typedef struct Accel {
    bool kvm;  /* what runs */
    char *why; /* "KVM proved by booting in 1.2 s", "no /dev/kvm", "the micro
                  guest did not reach READY within 20 s under KVM" ... */
} Accel;

bool accel_parse(const char *text, AccelWanted *ret_wanted, GError **err);
/* Decides.  `xmls` (NULL-terminated) are domains of type kvm that together
 * cover the CPU models of the cells; each is booted until READY (20 s limit).
 * The verdict is cached by `cache_key` per host boot.  ACCEL_KVM fails with
 * VS_ERROR_UNFIT when the proof does. */
bool accel_decide(Connect *connect, AccelWanted wanted, const char *const *xmls,
                  const char *cache_key, Accel *ret_accel, GError **err);
void accel_clear(Accel *accel);
