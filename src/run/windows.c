/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured windows: see windows.h. */
#include <string.h>
#include "base/clock.h"
#include "base/units.h"
#include "host/counters.h"
#include "host/validity.h"
#include "run/windows.h"

/* Threads of one QEMU that want a CPU beside its vCPUs: the main loop, and the
 * workers that do its I/O.  Where the host has no CPU for each, the guest's
 * own threads make its vCPUs wait and steal is no sign of a neighbour: in one
 * emulated sweep on 2 cores with one vCPU, 5 to 38 % in 74 of 84 guest windows,
 * looked into now and then while it ran.  METHOD 0.10 counts the main loop
 * only. */
#define BESIDE_VCPUS 2
/* Fixed work takes as long as the device needs: 2000 transactions on a disk
 * of 7200 rpm take a minute. */
#define FIXED_WORK_NS (4 * 60 * CLOCK_NS_PER_S)

static void
snapshot(Talk *talk, GHashTable *counters)
{
    counters_read("", talk->rig->device, talk->pid, counters);
    if (talk->machine)
        machine_stats(talk->machine, counters);
}

AttemptWindow *
windows_open(Talk *talk, const Record *record)
{
    AttemptWindow *window = attempt_window_new(record->workload, record->phase,
                                               (guint) record->seq);

    window->cold = record->cold;
    g_ptr_array_add(talk->attempt->windows, window);
    snapshot(talk, window->before);
    return window;
}

static guint
vcpus_of(const Talk *talk)
{
    const char *level =
        design_level(talk->rig->design, talk->cell, setting_find("vcpus"));

    return talk->machine ? (guint) g_ascii_strtoull(level, NULL, 10) : 0;
}

void
windows_judge(Attempt *attempt, AttemptWindow *window, const Matrix *matrix,
              const WindowHost *host)
{
    Window judged = {.before = window->before,
                     .after = window->after,
                     .host_t0 = window->host_t0,
                     .host_t1 = window->host_t1,
                     .guest_t0 = window->guest_t0,
                     .guest_t1 = window->guest_t1,
                     .vcpus = host->vcpus,
                     .ncpu = host->ncpu,
                     .kvm = host->kvm,
                     .overcommit = host->vcpus + BESIDE_VCPUS > host->ncpu};

    window->breach = validity_check(&judged);
    if (window->breach && matrix->hygiene != HYGIENE_QUICK)
        attempt_fail(attempt, OUTCOME_INVALID, "%s in %s", window->breach,
                     window->workload);
}

void
windows_close(Talk *talk, const Record *record)
{
    AttemptWindow *window = talk->window;
    const Rig *rig = talk->rig;
    WindowHost host = {
        .vcpus = vcpus_of(talk), .ncpu = rig->ncpu, .kvm = rig->accel.kvm};

    window->guest_t0 = record->t0;
    window->guest_t1 = record->t1;
    window->ops = record->ops;
    snapshot(talk, window->after);
    talk->attempt->part_ns[PART_MEASURE] += window->host_t1 - window->host_t0;
    windows_judge(talk->attempt, window, rig->matrix, &host);
}

gint64
windows_expected_ns(const Matrix *matrix, const char *workload)
{
    for (guint i = 0; i < matrix->workloads->len; i++) {
        const WorkloadUse *use = matrix->workloads->pdata[i];
        gint64 ns = 0;

        if (strcmp(use->info->name, workload) != 0)
            continue;
        for (guint p = 0; use->info->params[p].name; p++)
            if (use->info->params[p].type == PARAM_DURATION &&
                units_parse_duration(use->values[p], &ns, NULL))
                return ns;
    }
    return 0;
}

gint64
windows_allowance_ns(const Matrix *matrix, const char *workload)
{
    gint64 expected = windows_expected_ns(matrix, workload);

    return expected ? expected : FIXED_WORK_NS;
}
