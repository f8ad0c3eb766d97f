/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See facts.h.
 */
#include "guest-payload/facts.h"

#include <dirent.h>
#include <mntent.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "guest-payload/clock.h"
#include "guest-payload/digest.h"
#include "guest-payload/text.h"

/* /proc/cpuinfo of one CPU is below 3 KiB; the first is enough. */
#define PROC_TEXT 8192
#define CLOCKSOURCE \
    "/sys/devices/system/clocksource/clocksource0/current_clocksource"

void
facts_set(json_t *facts, const char *name, const char *text)
{
    json_object_set_new(facts, name, json_string(text));
}

static void
set_number(json_t *facts, const char *name, long number)
{
    char text[32];

    snprintf(text, sizeof(text), "%ld", number);
    facts_set(facts, name, text);
}

static void
set_file(json_t *facts, const char *name, const char *path)
{
    char text[4096];

    if (text_read(path, text, sizeof(text)))
        facts_set(facts, name, text);
}

/* The cost of one read of the clock: the best of several batches, since an
 * interruption only ever adds. */
static void
set_clock_cost(json_t *facts)
{
    enum { BATCHES = 5, READS = 200 };
    int64_t best = INT64_MAX;
    char text[32];

    for (int batch = 0; batch < BATCHES; batch++) {
        int64_t t0 = raw_ns();
        for (int i = 1; i < READS; i++)
            raw_ns();
        int64_t span = raw_ns() - t0;
        best = span < best ? span : best;
    }
    snprintf(text, sizeof(text), "%.1f", (double) best / READS);
    facts_set(facts, "clock_ns", text);
}

static void
set_cpu(json_t *facts)
{
    char text[PROC_TEXT], value[PROC_TEXT], digest[DIGEST_SIZE];
    Fail ignored;

    set_number(facts, "nr_cpus", sysconf(_SC_NPROCESSORS_ONLN));
    if (!text_read("/proc/cpuinfo", text, sizeof(text)))
        return;
    if (text_field(text, "model name", value, sizeof(value)))
        facts_set(facts, "cpu_model", value);
    if (!text_field(text, "flags", value, sizeof(value)))
        return;
    facts_set(facts, "cpu_flags", value);
    if (digest_buffer(value, strlen(value), digest, &ignored))
        facts_set(facts, "cpu_flags_sha256", digest);
}

json_t *
facts_of_machine(void)
{
    json_t *facts = json_object();
    struct utsname name;
    char text[PROC_TEXT], value[64], digest[DIGEST_SIZE];
    Fail ignored;

    if (uname(&name) == 0)
        facts_set(facts, "kernel", name.release);
    set_cpu(facts);
    if (text_read("/proc/meminfo", text, sizeof(text)) &&
        text_field(text, "MemTotal", value, sizeof(value))) {
        value[strspn(value, "0123456789")] = '\0';
        facts_set(facts, "mem_total_kb", value);
    }
    set_file(facts, "clocksource", CLOCKSOURCE);
    set_clock_cost(facts);
    set_file(facts, "cmdline", "/proc/cmdline");
    facts_set(facts, "lib.openssl",
              OpenSSL_version(OPENSSL_FULL_VERSION_STRING));
    if (digest_file("/proc/self/exe", -1, digest, &ignored))
        facts_set(facts, "payload_sha256", digest);
    return facts;
}

/* The mount that holds `path`: the longest mount point that is a prefix, the
 * last one mounted there. */
static void
set_mount(json_t *facts, const char *path)
{
    FILE *mounts = setmntent("/proc/self/mounts", "r");
    struct mntent *entry;
    size_t best = 0;

    if (!mounts)
        return;
    while ((entry = getmntent(mounts))) {
        size_t length = strlen(entry->mnt_dir);
        bool root = length == 1;
        if (length < best || strncmp(path, entry->mnt_dir, length) != 0 ||
            (!root && path[length] != '/' && path[length] != '\0'))
            continue;
        best = length;
        facts_set(facts, "mount.fs", entry->mnt_type);
        facts_set(facts, "mount.options", entry->mnt_opts);
    }
    endmntent(mounts);
}

static long
count_entries(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    long count = 0;

    while (directory && (entry = readdir(directory)))
        count += entry->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

/* "[mq-deadline] none" -> "mq-deadline" */
static void
take_bracketed(char *text)
{
    char *open = strchr(text, '[');
    char *close = open ? strchr(open, ']') : NULL;

    if (!close)
        return;
    *close = '\0';
    memmove(text, open + 1, strlen(open + 1) + 1);
}

static void
set_disk(json_t *facts, dev_t device)
{
    char link[64], path[PATH_MAX], file[PATH_MAX + 32], text[256];

    snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(device),
             minor(device));
    if (!realpath(link, path))
        return;
    /* A partition's queue is its disk's, one directory up. */
    snprintf(file, sizeof(file), "%s/partition", path);
    if (access(file, F_OK) == 0)
        *strrchr(path, '/') = '\0';
    facts_set(facts, "disk.device", strrchr(path, '/') + 1);
    snprintf(file, sizeof(file), "%s/queue/scheduler", path);
    if (text_read(file, text, sizeof(text))) {
        take_bracketed(text);
        facts_set(facts, "disk.scheduler", text);
    }
    snprintf(file, sizeof(file), "%s/queue/write_cache", path);
    set_file(facts, "disk.write_cache", file);
    snprintf(file, sizeof(file), "%s/queue/nr_requests", path);
    set_file(facts, "disk.nr_requests", file);
    snprintf(file, sizeof(file), "%s/mq", path);
    set_number(facts, "disk.queues", count_entries(file));
}

json_t *
facts_in_effect(const char *dir)
{
    json_t *facts = json_object();
    char path[PATH_MAX];
    struct stat status;

    set_file(facts, "clocksource", CLOCKSOURCE);
    if (dir[0] && realpath(dir, path) && stat(path, &status) == 0) {
        set_mount(facts, path);
        set_disk(facts, status.st_dev);
    }
    return facts;
}
