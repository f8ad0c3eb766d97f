/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libvirt's own words on standard error.  Where they go is read from the
 * environment when libvirt initialises, and libguestfs's constructor does
 * that before main() runs; so the program must be started again.
 */
#pragma once

/* Unless $LIBVIRT_LOG_OUTPUTS is set, sets it to a file in the runtime
 * directory and executes the program again with the same arguments; returns
 * when it is set or when that cannot be done. */
void quiet_restart(char **argv);
