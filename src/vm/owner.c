/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose domain is it: see owner.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "vm/libvirt-auto.h"
#include "vm/owner.h"

#define OWNER_URI "https://vsweep.org/xmlns/owner/1"
/* Start time in clock ticks since boot: field 22 of /proc/PID/stat, counted
 * from the state (field 3), which follows the name in parentheses. */
#define FIELD_START (22 - 3)

/* 0 when there is no such process. */
static guint64
start_time(int pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/stat", pid);
    g_autofree char *stat = NULL;
    g_auto(GStrv) fields = NULL;
    const char *name_end = NULL;

    if (!g_file_get_contents(path, &stat, NULL, NULL))
        return 0;
    name_end = strrchr(stat, ')');
    if (!name_end || name_end[1] != ' ')
        return 0;
    fields = g_strsplit(name_end + 2, " ", -1);
    if (g_strv_length(fields) <= FIELD_START)
        return 0;
    return g_ascii_strtoull(fields[FIELD_START], NULL, 10);
}

bool
owner_mark(virDomainPtr domain, GError **err)
{
    g_autofree char *element =
        g_strdup_printf("<owner pid='%d' start='%" G_GUINT64_FORMAT "'/>",
                        (int) getpid(), start_time(getpid()));

    if (virDomainSetMetadata(domain, VIR_DOMAIN_METADATA_ELEMENT, element,
                             "vsweepowner", OWNER_URI,
                             VIR_DOMAIN_AFFECT_LIVE) < 0)
        return libvirt_fail(err, "cannot mark the domain as ours");
    return true;
}

/* The number in NAME='...' of an element libvirt formatted. */
static guint64
attribute(const char *element, const char *name)
{
    g_autofree char *start = g_strconcat(" ", name, "=", NULL);
    const char *found = strstr(element, start);

    /* Behind the '=' comes the quotation mark. */
    return found ? g_ascii_strtoull(found + strlen(start) + 1, NULL, 10) : 0;
}

bool
owner_lives(virDomainPtr domain)
{
    autovirstr element = virDomainGetMetadata(
        domain, VIR_DOMAIN_METADATA_ELEMENT, OWNER_URI, VIR_DOMAIN_AFFECT_LIVE);
    guint64 pid = 0, start = 0;

    if (!element)
        return false;
    pid = attribute(element, "pid");
    start = attribute(element, "start");
    return pid > 0 && start > 0 && start_time((int) pid) == start;
}
