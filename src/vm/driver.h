/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libvirt is installed, asked without opening a connection. */
#pragma once

/* libvirt's QEMU driver module; NULL when it is not installed.  Caller
 * frees. */
char *driver_path(void);
/* "9.0.0".  Caller frees. */
char *driver_libvirt_version(void);
