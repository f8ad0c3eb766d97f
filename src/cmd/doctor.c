/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vsweep doctor: can this host measure, and what would spoil it? */
#include <stdio.h>
#include <string.h>
#include "base/paths.h"
#include "cmd/commands.h"
#include "run/doctor.h"

static char *arg_storage;

static const GOptionEntry options[] = {{"storage", 0, 0, G_OPTION_ARG_FILENAME,
                                        &arg_storage,
                                        "directory for the disk images", "DIR"},
                                       {NULL, 0, 0, 0, NULL, NULL, NULL}};

static char *
storage_path(GError **err)
{
    g_autofree char *cache = NULL;

    if (arg_storage)
        return g_canonicalize_filename(arg_storage, NULL);
    cache = paths_cache(err);
    return cache ? g_build_filename(cache, "images", NULL) : NULL;
}

static void
print(const Finding *finding, const char *before)
{
    bool same = strcmp(finding->check, before) == 0;

    printf("%-11s %-8s %s\n", same ? "" : finding->check,
           severity_name(finding->severity), finding->text);
    if (finding->remedy)
        printf("%-11s %-8s   -> %s\n", "", "", finding->remedy);
}

static int
run(int argc, char **argv G_GNUC_UNUSED, GError **err)
{
    g_autofree char *storage = NULL;
    g_autoptr(GPtrArray) findings = NULL;
    guint counts[FINDING_BAD + 1] = {0};
    const char *before = "";

    if (!command_arguments(&command_doctor, argc, 0, 0, err))
        return VS_ERROR_USAGE;
    storage = storage_path(err);
    if (!storage)
        return VS_ERROR_FAILED;
    findings = doctor_examine(storage);
    for (guint i = 0; i < findings->len; i++) {
        const Finding *finding = findings->pdata[i];

        print(finding, before);
        before = finding->check;
        counts[finding->severity]++;
    }
    printf("\n%u problems, %u warnings: this host %s\n", counts[FINDING_BAD],
           counts[FINDING_WARN],
           counts[FINDING_BAD] ? "cannot run a sweep yet" : "can run a sweep");
    return counts[FINDING_BAD] ? VS_ERROR_UNFIT : 0;
}

const Command command_doctor = {
    .name = "doctor",
    .arguments = NULL,
    .summary = "Say whether this host can measure, and how to mend it",
    .help = "Exit status 0: it can; 4: something is missing.",
    .common = true,
    .options = options,
    .run = run,
};
