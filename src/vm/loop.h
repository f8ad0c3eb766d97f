/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one poll loop of the program.  It is libvirt's default event loop, so
 * that libvirt's events, the channel, the end of QEMU's process and signals
 * are all served wherever something waits.
 */
#pragma once

#include "base/error.h"

/* Registers the loop and silences libvirt; must come before libvirt is opened.
 * Calling it again does nothing.  libvirt's own warnings go where
 * $LIBVIRT_LOG_OUTPUTS says, else nowhere. */
bool loop_init(GError **err);
/* Turns the loop once: returns when something was served, when a signal
 * arrived (see signals_pending()), or after `ms` milliseconds. */
void loop_once(int ms);
