/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The overview of the commands, for main and `vsweep help`. */
#pragma once

#include "base/error.h"

/* Prints the common commands, or all. */
void help_print(bool all);
/* "no command 'rum'; did you mean 'run'?" */
void help_unknown(const char *name, GError **err);
