/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock of every measured span: CLOCK_MONOTONIC_RAW, which no time
 * daemon slews (METHOD 5.6).
 */
#pragma once

#include <stdint.h>
#include <time.h>

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

static inline int64_t
raw_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static inline void
sleep_ms(long ms)
{
    struct timespec span = {ms / 1000, ms % 1000 * NS_PER_MS};

    nanosleep(&span, NULL);
}
