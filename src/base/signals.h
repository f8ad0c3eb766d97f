/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIGINT, SIGTERM and SIGHUP become a flag that the one loop looks at, so
 * that a sweep ends with its domain gone and its attempt recorded.  A second
 * one of them kills at once (the watchdog then kills the guest).
 */
#pragma once

#include "base/error.h"

/* Installs the handlers; SIGPIPE is ignored from here on. */
void signals_install(void);
/* True once one of the signals has arrived. */
bool signals_pending(void);
/* A descriptor that becomes readable when a signal has arrived, to poll on. */
int signals_fd(void);
