/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One row per fact: its name, where it is written, and how to read it there.
 * Of several rows of one name the first that can be read counts.
 */
#include "host/facts.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "host/source.h"

/* How: from the text of `path` below `root`, helped by `key`, to the fact.
 * NULL when it is not there.  Caller frees. */
typedef char *How(const char *root, const char *path, const char *key);

static char *
how_line(const char *root, const char *path, const char *key G_GNUC_UNUSED)
{
    char text[SOURCE_TABLE];

    if (!source_read(text, sizeof(text), root, "%s", path))
        return NULL;
    return g_strdup(g_strstrip(text));
}

/* "key : value" or "key value", the first such line. */
static char *
how_key(const char *root, const char *path, const char *key)
{
    char text[SOURCE_TABLE];
    const char *value = NULL;

    if (!source_read(text, sizeof(text), root, "%s", path) ||
        !(value = source_value(text, key)))
        return NULL;
    return g_strstrip(g_strndup(value, strcspn(value, "\n")));
}

/* The number of "key: number kB". */
static char *
how_number(const char *root, const char *path, const char *key)
{
    char text[SOURCE_TABLE];
    gint64 number = 0;

    if (!source_read(text, sizeof(text), root, "%s", path) ||
        !source_number(text, key, &number))
        return NULL;
    return g_strdup_printf("%" G_GINT64_FORMAT, number);
}

/* KEY="value", as os-release has it. */
static char *
how_shell(const char *root, const char *path, const char *key)
{
    g_autofree char *start = g_strconcat(key, "=", NULL);
    g_autofree char *text = how_line(root, path, NULL);
    g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;

    for (char **line = lines; line && *line; line++)
        if (g_str_has_prefix(*line, start))
            return g_shell_unquote(*line + strlen(start), NULL);
    return NULL;
}

/* The chosen word of "always [madvise] never"; the whole when none is. */
static char *
how_bracket(const char *root, const char *path, const char *key)
{
    g_autofree char *line = how_line(root, path, key);
    const char *open = line ? strchr(line, '[') : NULL;
    const char *close = open ? strchr(open, ']') : NULL;

    if (close)
        return g_strndup(open + 1, (gsize) (close - open - 1));
    return g_steal_pointer(&line);
}

static char *
how_onoff(const char *root, const char *path, const char *key)
{
    g_autofree char *line = how_line(root, path, key);

    return line ? g_strdup(strcmp(line, "0") == 0 ? "off" : "on") : NULL;
}

/* no_turbo: the other way round. */
static char *
how_offon(const char *root, const char *path, const char *key)
{
    g_autofree char *line = how_line(root, path, key);

    return line ? g_strdup(strcmp(line, "0") == 0 ? "on" : "off") : NULL;
}

/* How many numbers a list like "0-3,8" names. */
static char *
how_count(const char *root, const char *path, const char *key)
{
    g_autofree char *line = how_line(root, path, key);
    gint64 count = 0;

    if (!line || !g_ascii_isdigit(line[0]))
        return NULL;
    g_auto(GStrv) ranges = g_strsplit(line, ",", -1);
    for (char **range = ranges; *range; range++) {
        char *dash = NULL;
        gint64 first = g_ascii_strtoll(*range, &dash, 10);
        gint64 last =
            *dash == '-' ? g_ascii_strtoll(dash + 1, NULL, 10) : first;
        count += last - first + 1;
    }
    return g_strdup_printf("%" G_GINT64_FORMAT, count);
}

static char *
how_digest(const char *root, const char *path, const char *key)
{
    g_autofree char *value = how_key(root, path, key);

    if (!value)
        return NULL;
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, value, -1);
}

/* "yes" when the processor says that it is a virtual one. */
static char *
how_hypervisor(const char *root, const char *path, const char *key)
{
    g_autofree char *flags = how_key(root, path, key);

    if (!flags)
        return NULL;
    g_auto(GStrv) words = g_strsplit(flags, " ", -1);
    bool found = g_strv_contains((const char *const *) words, "hypervisor");
    return g_strdup(found ? "yes" : "no");
}

static int
compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* "name: text; name: text" for the files of a directory, sorted. */
static char *
how_directory(const char *root, const char *path, const char *key G_GNUC_UNUSED)
{
    g_autofree char *full = g_strconcat(root, path, NULL);
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(full, 0, NULL);

    if (!dir)
        return NULL;
    for (const char *name; (name = g_dir_read_name(dir));) {
        char text[SOURCE_PAGE];
        if (source_read(text, sizeof(text), root, "%s/%s", path, name))
            g_ptr_array_add(parts,
                            g_strdup_printf("%s: %s", name, g_strstrip(text)));
    }
    if (parts->len == 0)
        return NULL;
    g_ptr_array_sort(parts, compare_texts);
    g_ptr_array_add(parts, NULL);
    return g_strjoinv("; ", (char **) parts->pdata);
}

/* Only whether it can be opened: that KVM works is for a boot to prove. */
static char *
how_usable(const char *root, const char *path, const char *key G_GNUC_UNUSED)
{
    g_autofree char *full = g_strconcat(root, path, NULL);

    if (access(full, F_OK) < 0)
        return g_strdup("absent");
    return g_strdup(access(full, R_OK | W_OK) < 0 ? "no access" : "present");
}

typedef struct Fact {
    const char *name, *path;
    How *how;
    const char *key; /* what `how` looks for; may be NULL */
} Fact;

#define CPU "/sys/devices/system/cpu"

static const Fact host_facts[] = {
    {"boot_id", "/proc/sys/kernel/random/boot_id", how_line, NULL},
    {"clocksource",
     "/sys/devices/system/clocksource/clocksource0/current_clocksource",
     how_line, NULL},
    {"cmdline", "/proc/cmdline", how_line, NULL},
    {"cpu.count", CPU "/online", how_count, NULL},
    {"cpu.flags_sha256", "/proc/cpuinfo", how_digest, "flags"},
    {"cpu.flags_sha256", "/proc/cpuinfo", how_digest, "Features"},
    {"cpu.governor", CPU "/cpu0/cpufreq/scaling_governor", how_line, NULL},
    {"cpu.hypervisor", "/proc/cpuinfo", how_hypervisor, "flags"},
    {"cpu.microcode", "/proc/cpuinfo", how_key, "microcode"},
    {"cpu.model", "/proc/cpuinfo", how_key, "model name"},
    {"cpu.smt", CPU "/smt/active", how_onoff, NULL},
    {"cpu.turbo", CPU "/intel_pstate/no_turbo", how_offon, NULL},
    {"cpu.turbo", CPU "/cpufreq/boost", how_onoff, NULL},
    {"kernel", "/proc/sys/kernel/osrelease", how_line, NULL},
    {"ksm", "/sys/kernel/mm/ksm/run", how_line, NULL},
    {"kvm.device", "/dev/kvm", how_usable, NULL},
    {"kvm.halt_poll_ns", "/sys/module/kvm/parameters/halt_poll_ns", how_line,
     NULL},
    {"mem.total_kb", "/proc/meminfo", how_number, "MemTotal"},
    {"numa.nodes", "/sys/devices/system/node/online", how_count, NULL},
    {"os", "/etc/os-release", how_shell, "PRETTY_NAME"},
    {"swap_kb", "/proc/meminfo", how_number, "SwapTotal"},
    {"thp", "/sys/kernel/mm/transparent_hugepage/enabled", how_bracket, NULL},
    {"vulnerabilities", CPU "/vulnerabilities", how_directory, NULL},
};

/* Paths below /sys/block/DEVICE. */
static const Fact device_facts[] = {
    {"device.model", "/device/model", how_line, NULL},
    {"device.rotational", "/queue/rotational", how_line, NULL},
    {"device.scheduler", "/queue/scheduler", how_bracket, NULL},
    {"device.write_cache", "/queue/write_cache", how_line, NULL},
};

static void
add_facts(GHashTable *facts, const char *root, const char *below,
          const Fact *rows, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        g_autofree char *path = g_strconcat(below, rows[i].path, NULL);
        g_autofree char *text = NULL;
        if (g_hash_table_contains(facts, rows[i].name))
            continue;
        text = rows[i].how(root, path, rows[i].key);
        /* A kernel command line may hold any bytes. */
        if (text && *text)
            g_hash_table_insert(facts, g_strdup(rows[i].name),
                                g_utf8_make_valid(text, -1));
    }
}

GHashTable *
facts_read(const char *root, const char *device)
{
    GHashTable *facts =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    add_facts(facts, root, "", host_facts, G_N_ELEMENTS(host_facts));
    if (device) {
        g_autofree char *below = g_strconcat("/sys/block/", device, NULL);
        add_facts(facts, root, below, device_facts, G_N_ELEMENTS(device_facts));
    }
    return facts;
}

/* A finished block still counts after a reboot of the same host. */
static bool
may_change(const char *name)
{
    return strcmp(name, "boot_id") == 0;
}

char *
facts_fingerprint(GHashTable *facts)
{
    g_autoptr(GList) names =
        g_list_sort(g_hash_table_get_keys(facts), (GCompareFunc) strcmp);
    g_autoptr(GChecksum) digest = g_checksum_new(G_CHECKSUM_SHA256);

    for (GList *at = names; at; at = at->next) {
        const char *name = at->data;
        if (may_change(name))
            continue;
        g_autofree char *line = g_strdup_printf(
            "%s=%s\n", name, (char *) g_hash_table_lookup(facts, name));
        g_checksum_update(digest, (const guchar *) line, -1);
    }
    return g_strdup(g_checksum_get_string(digest));
}
