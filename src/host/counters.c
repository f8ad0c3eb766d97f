/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counters of the host, from text to numbers.  Read twice in a measured
 * window while the guest waits, so every source is read once, into buffers on
 * the stack; what the processes of others used is in processes.c.
 */
#include "host/counters.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/fd-auto.h"
#include "host/processes.h"
#include "host/source.h"

GHashTable *
counters_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static void
put(GHashTable *counters, const char *name, gint64 value)
{
    g_hash_table_replace(counters, g_strdup(name),
                         g_memdup2(&value, sizeof(value)));
}

static void
read_cpu(const char *root, GHashTable *counters)
{
    /* In the order of the "cpu" line; guest time is inside user. */
    static const char *const names[] = {
        "cpu.user",   "cpu.nice", "cpu.system",  "cpu.idle",
        "cpu.iowait", "cpu.irq",  "cpu.softirq", "cpu.steal"};
    gint64 numbers[G_N_ELEMENTS(names)];
    char text[SOURCE_PAGE];

    if (!source_read(text, sizeof(text), root, "/proc/stat"))
        return;
    const char *line = source_value(text, "cpu");
    if (!line)
        return;
    guint count = source_numbers(line, numbers, G_N_ELEMENTS(names));
    for (guint i = 0; i < count; i++)
        put(counters, names[i], numbers[i]);
}

/* Names by field of /sys/block/DEV/stat; the kernel's documentation counts
 * from 1.  Older kernels end before the flush fields. */
static const char *const device_fields[17] = {
    [0] = "dev.rd.reqs",      [2] = "dev.rd.sectors", [3] = "dev.rd.ms",
    [4] = "dev.wr.reqs",      [6] = "dev.wr.sectors", [7] = "dev.wr.ms",
    [9] = "dev.in_flight_ms", [15] = "dev.fl.reqs",   [16] = "dev.fl.ms",
};

static void
read_device(const char *root, const char *device, GHashTable *counters)
{
    gint64 numbers[G_N_ELEMENTS(device_fields)];
    char text[SOURCE_PAGE];

    if (!device ||
        !source_read(text, sizeof(text), root, "/sys/block/%s/stat", device))
        return;
    guint count = source_numbers(text, numbers, G_N_ELEMENTS(device_fields));
    for (guint i = 0; i < count; i++)
        if (device_fields[i])
            put(counters, device_fields[i], numbers[i]);
}

static void
read_swap(const char *root, GHashTable *counters)
{
    static const struct {
        const char *key, *name;
    } rows[] = {{"pswpin", "vm.pswpin"}, {"pswpout", "vm.pswpout"}};
    char text[SOURCE_TABLE];
    gint64 value = 0;

    if (!source_read(text, sizeof(text), root, "/proc/vmstat"))
        return;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        if (source_number(text, rows[i].key, &value))
            put(counters, rows[i].name, value);
}

static void
read_pressure(const char *root, GHashTable *counters)
{
    static const char *const kinds[] = {"cpu", "io", "memory"};

    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        char text[SOURCE_PAGE], name[32];
        if (!source_read(text, sizeof(text), root, "/proc/pressure/%s",
                         kinds[i]))
            continue;
        /* "some avg10=0.00 avg60=0.00 avg300=0.00 total=5265856" */
        const char *some = source_value(text, "some");
        const char *total = some ? strstr(some, "total=") : NULL;
        if (!total)
            continue;
        g_snprintf(name, sizeof(name), "psi.%s.us", kinds[i]);
        put(counters, name,
            g_ascii_strtoll(total + strlen("total="), NULL, 10));
    }
}

/* Adds what one CPU's counters hold; false when it has none. */
static bool
add_throttle(int cpus, const char *cpu, gint64 *sum)
{
    static const char *const files[] = {"core_throttle_count",
                                        "package_throttle_count"};
    bool found = false;

    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        char path[NAME_MAX + 64], text[SOURCE_PAGE];
        g_snprintf(path, sizeof(path), "%s/thermal_throttle/%s", cpu, files[i]);
        if (!source_read_at(cpus, path, text, sizeof(text)))
            continue;
        *sum += g_ascii_strtoll(text, NULL, 10);
        found = true;
    }
    return found;
}

/* The sum over all CPUs.  A package's count is in it once per CPU, which is
 * of no matter to a gate that asks whether it moved. */
static void
read_throttle(const char *root, GHashTable *counters)
{
    g_autofree char *path = g_strconcat(root, "/sys/devices/system/cpu", NULL);
    DIR *dir = opendir(path);
    gint64 sum = 0;
    bool found = false;

    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (g_str_has_prefix(entry->d_name, "cpu") &&
            g_ascii_isdigit(entry->d_name[3]))
            found |= add_throttle(dirfd(dir), entry->d_name, &sum);
    closedir(dir);
    if (found)
        put(counters, "thermal.throttle", sum);
}

static void
read_processes(const char *root, pid_t pid, GHashTable *counters)
{
    Processes read = {0};

    processes_read(root, pid, &read);
    if (read.found_any)
        put(counters, "foreign.ticks", read.foreign_ticks);
    if (read.found_pid) {
        put(counters, "proc.utime_ticks", read.utime_ticks);
        put(counters, "proc.stime_ticks", read.stime_ticks);
    }
    if (read.found_schedstat) {
        put(counters, "proc.run_ns", read.run_ns);
        put(counters, "proc.run_delay_ns", read.run_delay_ns);
    }
}

void
counters_read(const char *root, const char *device, pid_t pid,
              GHashTable *counters)
{
    read_cpu(root, counters);
    read_device(root, device, counters);
    read_processes(root, pid, counters);
    read_swap(root, counters);
    read_throttle(root, counters);
    read_pressure(root, counters);
}
