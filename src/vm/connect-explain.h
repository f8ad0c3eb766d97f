/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libvirt's errors in terms of what a person can do about them.  For vm/ only.
 */
#pragma once

#include "base/error.h"

/* Sets *err to why `uri` cannot be used, from libvirt's last error, with a
 * remedy where one is known.  Returns false. */
bool connect_explain(const char *uri, GError **err);
/* Whether an error code means that the document asks for what this libvirt or
 * QEMU cannot do, rather than that something went wrong. */
bool connect_is_refusal(int code);
