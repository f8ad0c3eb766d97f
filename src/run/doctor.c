/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks of `vsweep doctor`: see doctor.h. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/fd-auto.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/units.h"
#include "guest/appliance.h"
#include "guest/disk.h"
#include "guest/kernel.h"
#include "host/counters.h"
#include "host/facts.h"
#include "run/doctor.h"
#include "vm/driver.h"

/* Below this much free memory a guest of 1 GiB makes the host swap. */
#define MEMORY_KB (2 * 1024 * 1024)
/* Images of a default sweep: golden and four slots of 512 MiB. */
#define STORAGE_BYTES (5ULL * 512 * 1024 * 1024)
/* Runnable processes beside us that disturb a measurement. */
#define LOAD_LIMIT 0.5

typedef struct Doctor {
    GPtrArray *findings;
    const char *check; /* the one that is running */
    const char *storage;
    GHashTable *facts;
} Doctor;

static void
finding_free(Finding *finding)
{
    g_free(finding->text);
    g_free(finding->remedy);
    g_free(finding);
}

/* `text` and `remedy` are taken over. */
static void
add(Doctor *doctor, Severity severity, char *text, char *remedy)
{
    Finding *finding = g_new0(Finding, 1);

    finding->check = doctor->check;
    finding->severity = severity;
    finding->text = text;
    finding->remedy = remedy;
    g_ptr_array_add(doctor->findings, finding);
}

static const char *
fact(const Doctor *doctor, const char *name)
{
    const char *value = g_hash_table_lookup(doctor->facts, name);

    return value ? value : "unknown";
}

static void
check_programs(Doctor *doctor)
{
    static const struct {
        const char *program, *package;
    } needed[] = {{"qemu-system-x86_64", "qemu-system-x86"},
                  {"qemu-img", "qemu-utils"},
                  {"mke2fs", "e2fsprogs"},
                  {"supermin", "supermin"}};

    for (gsize i = 0; i < G_N_ELEMENTS(needed); i++) {
        g_autofree char *path = g_find_program_in_path(needed[i].program);

        if (path)
            add(doctor, FINDING_OK, g_steal_pointer(&path), NULL);
        else
            add(doctor, FINDING_BAD,
                g_strdup_printf("no %s in PATH", needed[i].program),
                g_strdup_printf("apt install %s", needed[i].package));
    }
}

static void
check_libvirt(Doctor *doctor)
{
    g_autofree char *driver = driver_path();
    g_autofree char *version = driver_libvirt_version();
    g_autoptr(GError) why = NULL;
    g_autofree char *runtime = paths_runtime(&why);

    if (driver)
        add(doctor, FINDING_OK,
            g_strdup_printf("libvirt %s with its QEMU driver", version), NULL);
    else
        add(doctor, FINDING_BAD,
            g_strdup_printf("libvirt %s without its QEMU driver", version),
            g_strdup("apt install libvirt-daemon-driver-qemu"));
    if (runtime)
        add(doctor, FINDING_NOTE,
            g_strdup_printf("embedded driver below %s: QEMU is not confined",
                            runtime),
            g_strdup("--connect qemu:///system is the confined way"));
    else
        add(doctor, FINDING_BAD, g_strdup(why->message), NULL);
}

static void
check_kvm(Doctor *doctor)
{
    g_autofd int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);

    if (fd >= 0) {
        add(doctor, FINDING_NOTE,
            g_strdup("/dev/kvm can be opened; `run` proves it by booting"),
            NULL);
        return;
    }
    if (access("/dev/kvm", F_OK) == 0)
        add(doctor, FINDING_WARN, g_strdup("no permission on /dev/kvm"),
            g_strdup("join the group kvm: adduser $USER kvm, log in again"));
    else
        add(doctor, FINDING_WARN,
            g_strdup("no /dev/kvm: guests are emulated (TCG), which is not a "
                     "measurement of virtualization"),
            g_strdup("switch on VT-x or AMD-V in the firmware, or nested "
                     "virtualization in the host above"));
}

static void
check_kernel(Doctor *doctor)
{
    static const char *const needs[] = {"virtio_pci", "virtio_blk",
                                        "virtio_console", "ext4", NULL};
    g_autoptr(GError) why = NULL;
    g_autoptr(Kernel) kernel = kernel_find(NULL, needs, &why);

    if (kernel)
        add(doctor, FINDING_OK,
            g_strdup_printf("guest kernel %s", kernel->version), NULL);
    else
        add(doctor, FINDING_BAD, g_strdup(why->message), NULL);
}

static void
check_guestfs(Doctor *doctor)
{
    g_autofree char *version = appliance_version();

    add(doctor, FINDING_OK, g_strdup_printf("libguestfs %s", version), NULL);
}

static void
check_payload(Doctor *doctor)
{
    g_autoptr(GError) why = NULL;
    g_autofree char *path = paths_data("vsweep-payload", &why);

    if (path)
        add(doctor, FINDING_OK, g_steal_pointer(&path), NULL);
    else
        add(doctor, FINDING_BAD, g_strdup(why->message), g_strdup("make"));
}

static void
check_storage(Doctor *doctor)
{
    g_autofree char *warning = NULL;
    g_autoptr(GError) why = NULL;

    if (!disk_check_storage(doctor->storage, STORAGE_BYTES, &warning, &why)) {
        add(doctor, FINDING_BAD, g_strdup(why->message),
            g_strdup("free some space, or choose another directory with "
                     "--storage"));
        return;
    }
    add(doctor, FINDING_OK, g_strdup_printf("images in %s", doctor->storage),
        NULL);
    add(doctor, FINDING_OK, disk_describe_storage(doctor->storage), NULL);
    if (warning)
        add(doctor, FINDING_WARN, g_steal_pointer(&warning), NULL);
    if (!disk_probe_direct(doctor->storage))
        add(doctor, FINDING_WARN,
            g_strdup("O_DIRECT is refused there: cache none and directsync "
                     "cannot run"),
            g_strdup("choose a directory on ext4 or xfs with --storage"));
}

static void
check_noise(Doctor *doctor)
{
    double load[1] = {0};
    const char *clocksource = fact(doctor, "clocksource");
    const char *governor = fact(doctor, "cpu.governor");
    const char *nested = fact(doctor, "cpu.hypervisor");

    if (getloadavg(load, 1) == 1 && load[0] > LOAD_LIMIT)
        add(doctor, FINDING_WARN,
            g_strdup_printf("load average %.2f: something else is running",
                            load[0]),
            g_strdup("stop it, or expect runs to be repeated"));
    if (strcmp(nested, "yes") == 0)
        add(doctor, FINDING_NOTE,
            g_strdup("this host is itself a virtual machine: grade B at "
                     "best"),
            NULL);
    if (strcmp(governor, "unknown") != 0 &&
        strcmp(governor, "performance") != 0)
        add(doctor, FINDING_NOTE,
            g_strdup_printf("CPU frequency governor %s", governor),
            g_strdup("cpupower frequency-set -g performance"));
    if (strcmp(clocksource, "tsc") != 0 &&
        strcmp(clocksource, "kvm-clock") != 0)
        add(doctor, FINDING_NOTE,
            g_strdup_printf("host clocksource %s: reading it is slow",
                            clocksource),
            NULL);
}

static void
check_size(Doctor *doctor)
{
    const char *total = fact(doctor, "mem.total_kb");

    add(doctor, FINDING_OK,
        g_strdup_printf("%s CPUs, %s", fact(doctor, "cpu.count"),
                        fact(doctor, "cpu.model")),
        NULL);
    if (g_ascii_strtoull(total, NULL, 10) < MEMORY_KB)
        add(doctor, FINDING_WARN,
            g_strdup_printf("%s kB of memory: guests of 1 GiB will make the "
                            "host swap",
                            total),
            g_strdup("sweep with guest: {memory: 256M}"));
}

static const struct {
    const char *name;
    void (*check)(Doctor *doctor);
} checks[] = {
    {"programs", check_programs},  {"libvirt", check_libvirt},
    {"libguestfs", check_guestfs}, {"kvm", check_kvm},
    {"kernel", check_kernel},      {"payload", check_payload},
    {"storage", check_storage},    {"machine", check_size},
    {"noise", check_noise},
};

GPtrArray *
doctor_examine(const char *storage)
{
    g_autofree char *device = counters_device("", storage);
    g_autoptr(GHashTable) facts = facts_read("", device);
    Doctor doctor = {.storage = storage, .facts = facts};

    doctor.findings =
        g_ptr_array_new_with_free_func((GDestroyNotify) finding_free);
    for (gsize i = 0; i < G_N_ELEMENTS(checks); i++) {
        doctor.check = checks[i].name;
        checks[i].check(&doctor);
    }
    return doctor.findings;
}

const char *
severity_name(Severity severity)
{
    static const char *const names[] = {"ok", "note", "warning", "PROBLEM"};

    return names[severity];
}
