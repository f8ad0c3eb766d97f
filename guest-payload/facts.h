/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the payload can see of the machine it runs on; names as in wire.h.
 * A fact that cannot be read is left out.
 */
#pragma once

#include <jansson.h>

/* Facts of the ready line, a new object. */
json_t *facts_of_machine(void);
/* Facts of the note: those of the directory's mount and block device (none
 * when dir is ""), and the clock source as it is now.  A new object. */
json_t *facts_in_effect(const char *dir);
/* Adds one. */
void facts_set(json_t *facts, const char *name, const char *text);
