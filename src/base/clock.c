/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only reader of clocks: see clock.h. */
#include <time.h>
#include "base/clock.h"

gint64
clock_raw_ns(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
}

static char *
wall(const char *format)
{
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();

    return g_date_time_format(now, format);
}

char *
clock_wall_iso(void)
{
    return wall("%Y-%m-%dT%H:%M:%SZ");
}

char *
clock_wall_stamp(void)
{
    return wall("%Y%m%d-%H%M%S");
}

void
clock_sleep_until(gint64 deadline_ns)
{
    gint64 left = deadline_ns - clock_raw_ns();
    struct timespec pause = {0};

    if (left <= 0)
        return;
    pause.tv_sec = left / CLOCK_NS_PER_S;
    pause.tv_nsec = left % CLOCK_NS_PER_S;
    nanosleep(&pause, NULL);
}
