/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levels that are not in a row's list.
 */
#include "setting/levels.h"

#include <string.h>
#include "base/suggest.h"
#include "base/units.h"
#include "setting/xpath.h"

/* The most virtual CPUs that need no interrupt remapping (8-bit APIC ids). */
#define VCPUS_MAX 255
#define MEBIBYTE (G_GUINT64_CONSTANT(1) << 20)
/* A cloud kernel and its initramfs do not unpack in less. */
#define MEMORY_MIN (64 * MEBIBYTE)
/* 16 TiB: no x86 guest of libvirt 9.0 has more; stops slips of the unit. */
#define MEMORY_MAX (G_GUINT64_CONSTANT(16) << 40)
/* The x86 kernel cuts its command line at 2048 bytes, and vsweep's own
 * words (console, tsc, panic) come first. */
#define CMDLINE_MAX 1536
/* libvirt's list of CPU models; where it is absent libvirt itself decides. */
#define CPU_MAP "/usr/share/libvirt/cpu_map/index.xml"
#define CPU_FILES                                                        \
    "//arch[@name='x86']//include/@filename[. != 'x86_vendors.xml' and " \
    ". != 'x86_features.xml']"
#define CPU_NAME_CHARS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-"

static const char *const cpu_modes[] = {"default", "host-passthrough",
                                        "host-model", "maximum", NULL};

/* Names of libvirt's x86 models: x86_Haswell-noTSX.xml -> Haswell-noTSX.
 * NULL when there is no list. */
static GPtrArray *
cpu_models(void)
{
    g_autofree char *text = NULL;
    g_autoptr(xmlDoc) doc = NULL;
    g_autoptr(xmlXPathObject) found = NULL;
    GPtrArray *names;

    if (!g_file_get_contents(CPU_MAP, &text, NULL, NULL))
        return NULL;
    doc = xpath_parse(text, CPU_MAP, NULL);
    found = doc ? xpath_eval(doc, NULL, CPU_FILES, NULL) : NULL;
    if (!found || xmlXPathNodeSetIsEmpty(found->nodesetval))
        return NULL;
    names = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < found->nodesetval->nodeNr; i++) {
        xmlChar *file = xmlNodeGetContent(found->nodesetval->nodeTab[i]);
        const char *name = (const char *) file;

        if (g_str_has_prefix(name, "x86_") && g_str_has_suffix(name, ".xml"))
            g_ptr_array_add(names,
                            g_strndup(name + strlen("x86_"),
                                      strlen(name) - strlen("x86_.xml")));
        xmlFree(file);
    }
    g_ptr_array_add(names, NULL);
    return names;
}

bool
level_check_cpu_model(const char *level, GError **err)
{
    g_autoptr(GPtrArray) names = NULL;
    const char *const *list;
    const char *near;

    if (*level == '\0' || level[strspn(level, CPU_NAME_CHARS)] != '\0')
        return vs_usage(err, "'%s' is no name of a CPU model", level);
    names = cpu_models();
    if (!names)
        return true;
    list = (const char *const *) names->pdata;
    if (g_strv_contains(list, level))
        return true;
    near = suggest_name(level, cpu_modes);
    if (!near)
        near = suggest_name(level, list);
    if (near)
        return vs_usage(err, "no CPU model '%s'; did you mean '%s'?", level,
                        near);
    return vs_usage(
        err, "no CPU model '%s'; `virsh cpu-models x86_64` lists them", level);
}

bool
level_check_vcpus(const char *level, GError **err)
{
    guint64 count;

    if (units_parse_count(level, 1, VCPUS_MAX, &count, NULL))
        return true;
    return vs_usage(err, "a number of virtual CPUs from 1 to %d, not '%s'",
                    VCPUS_MAX, level);
}

bool
level_check_memory(const char *level, GError **err)
{
    guint64 bytes;

    if (!units_parse_size(level, &bytes, NULL))
        return vs_usage(err, "a size such as 512M or 2G, not '%s'", level);
    if (bytes < MEMORY_MIN || bytes > MEMORY_MAX)
        return vs_usage(err, "from 64M to 16T of memory, not '%s'", level);
    /* QEMU rounds, and the proof would then find another size. */
    if (bytes % MEBIBYTE != 0)
        return vs_usage(err, "memory comes in whole MiB, not '%s'", level);
    return true;
}

char *
level_memory_kib(const char *level)
{
    guint64 bytes = 0;

    if (!units_parse_size(level, &bytes, NULL))
        return g_strdup(level);
    return g_strdup_printf("%" G_GUINT64_FORMAT, bytes / 1024);
}

typedef struct OldScheduler {
    const char *old, *now;
} OldScheduler;

/* What became of the single-queue schedulers (METHOD 0.14). */
static const OldScheduler old_schedulers[] = {
    {"deadline", "mq-deadline"},
    {"cfq", "bfq"},
};

static const char *const schedulers[] = {"none", "mq-deadline", "bfq", "kyber",
                                         NULL};

char *
level_scheduler(const char *level)
{
    for (guint i = 0; i < G_N_ELEMENTS(old_schedulers); i++) {
        if (strcmp(old_schedulers[i].old, level) == 0)
            return g_strdup(old_schedulers[i].now);
    }
    return g_strdup(level);
}

bool
level_check_scheduler(const char *level, GError **err)
{
    const char *near;

    for (guint i = 0; i < G_N_ELEMENTS(old_schedulers); i++) {
        if (strcmp(old_schedulers[i].old, level) == 0)
            return true;
    }
    near = suggest_name(level, schedulers);
    if (near)
        return vs_usage(err, "no level '%s'; did you mean '%s'?", level, near);
    return vs_usage(err,
                    "no level '%s'; it has none, mq-deadline, bfq, kyber "
                    "(deadline means mq-deadline, cfq means bfq)",
                    level);
}

bool
level_check_cmdline(const char *level, GError **err)
{
    if (strlen(level) > CMDLINE_MAX)
        return vs_usage(err, "at most %d bytes of kernel command line",
                        CMDLINE_MAX);
    if (!g_utf8_validate(level, -1, NULL))
        return vs_usage(err, "the kernel command line is not UTF-8");
    for (const char *c = level; *c; c++) {
        if (g_ascii_iscntrl(*c))
            return vs_usage(err, "the kernel command line is one line without "
                                 "control characters");
    }
    return true;
}
