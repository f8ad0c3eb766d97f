/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A person's terminal on a guest's serial console, for `vsweep shell`.
 */
#pragma once

#include "vm/machine.h"

/* The key that leaves the console, as in virsh: Ctrl-]. */
#define CONSOLE_ESCAPE 0x1d

/* Connects standard input and output to the machine's serial console, which
 * must be a pty, resumes the machine, and returns when the guest has powered
 * off (true, *ret_left false), or when the person left with CONSOLE_ESCAPE or
 * a signal (*ret_left true).  A terminal is in raw mode meanwhile.  Standard
 * input that is no terminal is passed on to its end. */
bool console_attach(Machine *machine, bool *ret_left, GError **err);
