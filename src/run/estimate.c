/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rough time of a sweep: see estimate.h. */
#include "base/clock.h"
#include "run/estimate.h"
#include "run/windows.h"

/* Seen on a 2-core host (ARCHITECTURE 7): create to READY and settle, then
 * power-off, write-back and reaping; per GiB of image a copy. */
#define BOOT_TCG_NS (3500 * CLOCK_NS_PER_MS)
#define BOOT_KVM_NS (1200 * CLOCK_NS_PER_MS)
#define STOP_NS (900 * CLOCK_NS_PER_MS)
#define COPY_NS_PER_GIB (1200 * CLOCK_NS_PER_MS)
/* Set-up, warm-up and check of a workload, and a window of fixed work. */
#define AROUND_NS (250 * CLOCK_NS_PER_MS)
#define FIXED_NS (500 * CLOCK_NS_PER_MS)
/* Golden image and capability probes, once. */
#define PREPARE_NS (20 * CLOCK_NS_PER_S)

static gint64
workloads_ns(const Matrix *matrix)
{
    gint64 sum = 0;

    for (guint i = 0; i < matrix->workloads->len; i++) {
        const WorkloadUse *use = matrix->workloads->pdata[i];
        gint64 ns = windows_expected_ns(matrix, use->info->name);

        sum += AROUND_NS + (ns ? ns : FIXED_NS);
    }
    return sum;
}

/* What a guest takes beside its workloads. */
static gint64
guest_ns(const Matrix *matrix, bool kvm)
{
    gint64 copy =
        (gint64) ((double) matrix->disk_bytes / (1 << 30) * COPY_NS_PER_GIB);

    return copy + (kvm ? BOOT_KVM_NS : BOOT_TCG_NS) + STOP_NS;
}

gint64
estimate_sweep(const Matrix *matrix, const Design *design, guint blocks,
               bool kvm)
{
    gint64 guest = guest_ns(matrix, kvm);
    gint64 work = workloads_ns(matrix);
    gint64 block = 0;

    for (guint i = 0; i < design->cells->len; i++) {
        const Cell *cell = design->cells->pdata[i];

        if (cell->state == CELL_PLANNED)
            block += work + (cell_is_guest(cell) ? guest : 0);
    }
    return PREPARE_NS + block * blocks;
}

/* Host, and host-matched. */
static guint
host_runs(const Matrix *matrix)
{
    static const guint runs[] = {
        [HOST_NONE] = 0, [HOST_HOST] = 1, [HOST_LADDER] = 2};

    return runs[matrix->host];
}

double
estimate_cells(const Matrix *matrix, guint64 guests, guint blocks, bool kvm)
{
    double work = (double) workloads_ns(matrix);
    double block = (double) guests * ((double) guest_ns(matrix, kvm) + work) +
                   (double) host_runs(matrix) * work;

    return (PREPARE_NS + block * blocks) / CLOCK_NS_PER_S;
}
