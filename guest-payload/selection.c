/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See local.h: suites and workloads named on the command line.
 */
#include "guest-payload/local.h"

#include <string.h>

#include "guest-payload/text.h"

#define SUITE_MAX 8

typedef struct Suite {
    const char *name;
    bool quick; /* always at quick sizes */
    const char *workloads[SUITE_MAX];
} Suite;

static const Suite suites[] = {
    {"quick", true, {"fs.fsync", "fs.dsync", "db.txn", "cpu.int"}},
    {"storage",
     false,
     {"fs.fsync", "fs.dsync", "fs.seqwrite", "fs.seqread", "db.txn"}},
    {"cpu", false, {"cpu.int", "cpu.fp", "cpu.rsa", "cpu.hash", "cpu.aead"}},
    {"mem", false, {"mem.bw", "mem.lat", "mem.tlb", "mem.fault"}},
    {"fsync", false, {"fs.fsync", "fs.dsync"}},
};

static bool
add_workload(Job *job, const char *name, bool quick, Fail *fail)
{
    const WorkloadInfo *workload = catalogue_workload(name);

    if (!workload)
        return fail_set(fail, 0, "unknown workload \"%s\" (`list` has all)",
                        name);
    if (job->count == JOB_ITEMS_MAX)
        return fail_set(fail, 0, "more than %d workloads", JOB_ITEMS_MAX);
    if (!params_init(&job->items[job->count], workload, quick, fail))
        return false;
    job->count++;
    return true;
}

static bool
add_suite(Job *job, const char *name, bool quick, Fail *fail)
{
    for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
        const Suite *suite = &suites[i];
        if (strcmp(suite->name, name) != 0)
            continue;
        for (int w = 0; w < SUITE_MAX && suite->workloads[w]; w++)
            if (!add_workload(job, suite->workloads[w], quick || suite->quick,
                              fail))
                return false;
        return true;
    }
    return fail_set(fail, 0,
                    "unknown suite \"%s\" (quick, storage, cpu, mem or "
                    "fsync)",
                    name);
}

/* "fs.fsync:size=4k,time=1s" */
static bool
add_text(Job *job, const char *text, bool quick, Fail *fail)
{
    char copy[512], *rest = copy, *item;

    if (strlen(text) >= sizeof(copy))
        return fail_set(fail, 0, "\"%.40s...\" is too long", text);
    text_copy(copy, sizeof(copy), text);
    item = strsep(&rest, ":");
    if (!add_workload(job, item, quick, fail))
        return false;
    while ((item = strsep(&rest, ","))) {
        char *value = item;

        (void) strsep(&value, "=");
        if (!value)
            return fail_set(fail, 0, "\"%s\" is not key=value", item);
        if (!params_set(&job->items[job->count - 1], item, value, fail))
            return false;
    }
    return true;
}

bool
selection_resolve(const Selection *selection, bool quick, Job *job, Fail *fail)
{
    const char *suite = selection->suite;

    if (!suite && !selection->count)
        suite = "quick";
    if (suite && !add_suite(job, suite, quick, fail))
        return false;
    for (size_t i = 0; i < selection->count; i++)
        if (!add_text(job, selection->workloads[i], quick, fail))
            return false;
    return true;
}

bool
selection_needs_disk(const Job *job, uint64_t *ret_bytes)
{
    uint64_t bytes = 0;
    bool needed = false;

    for (size_t i = 0; i < job->count; i++) {
        const Params *params = &job->items[i];
        needed = needed || params->workload->needs_disk;
        if (!catalogue_param(params->workload, "file"))
            continue;
        uint64_t file = params_get(params, "file");
        bytes = file > bytes ? file : bytes;
    }
    if (ret_bytes)
        *ret_bytes = bytes;
    return needed;
}
