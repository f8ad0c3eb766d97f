/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks and conversions of levels that are not in a row's list: sizes,
 * counts, CPU models, kernel command lines.  For setting/table.c only.
 */
#pragma once

#include "base/error.h"

bool level_check_cpu_model(const char *level, GError **err);
bool level_check_vcpus(const char *level, GError **err);
bool level_check_memory(const char *level, GError **err);
/* "1G" -> "1048576", in KiB. */
char *level_memory_kib(const char *level);
/* The words of kernels before 5.0: deadline, cfq. */
bool level_check_scheduler(const char *level, GError **err);
/* deadline -> mq-deadline, cfq -> bfq. */
char *level_scheduler(const char *level);
bool level_check_cmdline(const char *level, GError **err);
