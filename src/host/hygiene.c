/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The quiet test: look, wait one sample, look again, and go on as soon as
 * nothing happened in between.
 */
#include "host/hygiene.h"

#include "base/clock.h"
#include "base/signals.h"
#include "host/source.h"

#define SAMPLE_NS (500 * CLOCK_NS_PER_MS)
#define SAMPLE_QUICK_NS (100 * CLOCK_NS_PER_MS)

/* METHOD 5.2, S2. */
#define DIRTY_LIMIT_KB (4 * 1024)
#define BUSY_LIMIT 0.01

/* Fields of /sys/block/DEV/stat, from 0. */
enum { FIELD_IN_FLIGHT = 8, FIELD_BUSY_MS = 9, FIELDS };

typedef struct Sample {
    gint64 taken_ns;
    gint64 dirty_kb;           /* dirty plus write-back */
    gint64 in_flight, busy_ms; /* requests; time with any */
} Sample;

/* What cannot be read stays 0: it keeps nobody waiting. */
static Sample
sample_take(const char *root, const char *device)
{
    Sample sample = {.taken_ns = clock_raw_ns()};
    gint64 dirty = 0, writeback = 0, fields[FIELDS];
    char text[SOURCE_TABLE];

    if (source_read(text, sizeof(text), root, "/proc/meminfo")) {
        source_number(text, "Dirty", &dirty);
        source_number(text, "Writeback", &writeback);
        sample.dirty_kb = dirty + writeback;
    }
    if (device &&
        source_read(text, sizeof(text), root, "/sys/block/%s/stat", device) &&
        source_numbers(text, fields, FIELDS) == FIELDS) {
        sample.in_flight = fields[FIELD_IN_FLIGHT];
        sample.busy_ms = fields[FIELD_BUSY_MS];
    }
    return sample;
}

static bool
is_quiet(const Sample *before, const Sample *after)
{
    double span = (double) (after->taken_ns - before->taken_ns);
    double busy =
        (double) (after->busy_ms - before->busy_ms) * (double) CLOCK_NS_PER_MS;

    return after->dirty_kb <= DIRTY_LIMIT_KB && after->in_flight == 0 &&
           busy < BUSY_LIMIT * span;
}

/* Other signals (a child that ended) cut a sleep short. */
static void
sleep_whole(gint64 until_ns)
{
    while (clock_raw_ns() < until_ns && !signals_pending())
        clock_sleep_until(until_ns);
}

void
hygiene_wait_quiet(const char *root, const char *device, bool quick,
                   gint64 timeout_ns, bool *ret_quiet)
{
    gint64 span = quick ? SAMPLE_QUICK_NS : SAMPLE_NS;
    Sample before = sample_take(root, device);
    gint64 deadline = before.taken_ns + timeout_ns;
    bool quiet = false;

    while (!quiet && before.taken_ns + span <= deadline) {
        sleep_whole(before.taken_ns + span);
        if (signals_pending())
            break;
        Sample after = sample_take(root, device);
        quiet = is_quiet(&before, &after);
        before = after;
    }
    *ret_quiet = quiet;
}
