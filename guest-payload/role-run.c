/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run: workloads on any machine, without a host.  Makes its own work file in
 * a directory of its own below --dir and removes both; figures as a table,
 * and the lines of wire.h in a file for `vsweep import`.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest-payload/blocks.h"
#include "guest-payload/conversation.h"
#include "guest-payload/engine.h"
#include "guest-payload/facts.h"
#include "guest-payload/job.h"
#include "guest-payload/local.h"
#include "guest-payload/roles.h"

#define STATUS_INTERRUPTED 130 /* as a shell reports it */

typedef struct Options {
    const char *dir; /* NULL: none */
    const char *out; /* NULL: none; "-": stdout */
    bool quick;
    Selection selection;
} Options;

static const char help[] =
    "usage: vsweep-payload run [OPTION]...\n\n"
    "Runs workloads on this machine.\n"
    "  --suite NAME           quick (default), storage, cpu or fsync\n"
    "  -w, --workload NAME[:KEY=VALUE,...]\n"
    "                         a single workload; may be repeated\n"
    "  --dir DIR              directory on the disk under test\n"
    "  --out FILE             results as JSON lines; - is stdout\n"
    "  --quick                short sizes (the quick suite always has them)\n";

static const struct option long_options[] = {
    {"suite", required_argument, NULL, 's'},
    {"workload", required_argument, NULL, 'w'},
    {"dir", required_argument, NULL, 'd'},
    {"out", required_argument, NULL, 'o'},
    {"quick", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* -1: go on; else the exit status. */
static int
take_options(int argc, char **argv, Options *options)
{
    int option;

    while ((option = getopt_long(argc, argv, "w:h", long_options, NULL)) !=
           -1) {
        switch (option) {
        case 'h':
            fputs(help, stdout);
            return STATUS_OK;
        case 's':
            options->selection.suite = optarg;
            break;
        case 'w':
            if (options->selection.count == JOB_ITEMS_MAX)
                return usage_error("run: more than %d workloads",
                                   JOB_ITEMS_MAX);
            options->selection.workloads[options->selection.count++] = optarg;
            break;
        case 'd':
            options->dir = optarg;
            break;
        case 'o':
            options->out = optarg;
            break;
        case 'q':
            options->quick = true;
            break;
        default:
            return STATUS_USAGE;
        }
    }
    if (optind < argc)
        return usage_error("run: unexpected \"%s\"", argv[optind]);
    return -1;
}

/* A directory of our own below `top` with a work file as large as the job
 * needs; "" when it needs none. */
static bool
make_place(const char *top, const Job *job, char *dir, size_t size, Fail *fail)
{
    uint64_t bytes = 0;

    dir[0] = '\0';
    if (!selection_needs_disk(job, &bytes))
        return true;
    snprintf(dir, size, "%.*s/vsweep-XXXXXX", PATH_MAX - 32, top);
    if (!mkdtemp(dir)) {
        dir[0] = '\0';
        return fail_set(fail, errno, "cannot make a directory in %s", top);
    }
    return !bytes || workfile_make(dir, bytes, fail);
}

static void
remove_place(const char *dir)
{
    char path[PATH_MAX + 8];

    if (!dir[0])
        return;
    snprintf(path, sizeof(path), "%s/work", dir);
    unlink(path);
    rmdir(dir);
}

/* Whole or not at all. */
static bool
write_results(const Conversation *talk, const char *path, Fail *fail)
{
    char temporary[PATH_MAX];

    if (strcmp(path, "-") == 0) {
        if (fwrite(talk->kept, 1, talk->kept_size, stdout) != talk->kept_size ||
            fflush(stdout) != 0)
            return fail_set(fail, errno, "cannot write results to stdout");
        return true;
    }
    snprintf(temporary, sizeof(temporary), "%s.part", path);
    FILE *file = fopen(temporary, "we");
    if (!file)
        return fail_set(fail, errno, "cannot make %s", temporary);
    bool ok = fwrite(talk->kept, 1, talk->kept_size, file) == talk->kept_size &&
              fflush(file) == 0 && fsync(fileno(file)) == 0;
    int error = errno;
    ok = fclose(file) == 0 && ok;
    if (ok && rename(temporary, path) == 0)
        return true;
    unlink(temporary);
    return fail_set(fail, error, "cannot write results to %s", path);
}

static bool
perform(const Options *options, const Job *job, Conversation *talk,
        int *ret_failed, Fail *fail)
{
    char dir[PATH_MAX];
    LocalView view = {.total = (int) job->count};
    Engine engine = {.talk = talk,
                     .dir = dir,
                     .on_phase = local_on_phase,
                     .on_result = local_on_result,
                     .on_error = local_on_error,
                     .data = &view};

    local_begin(&view);
    bool ok =
        make_place(options->dir ? options->dir : "", job, dir, sizeof(dir),
                   fail) &&
        conversation_ready(talk, "local", facts_of_machine(), fail) &&
        conversation_note(talk, "in effect", facts_in_effect(dir), fail) &&
        engine_run(&engine, job, ret_failed, fail) &&
        conversation_done(talk, fail);
    remove_place(dir);
    local_end(&view);
    ok = ok && (!options->out || write_results(talk, options->out, fail));
    /* Lines on stdout are for a program; the table steps aside. */
    bool lines = options->out && strcmp(options->out, "-") == 0;
    if (ok)
        local_print(&view, lines ? stderr : stdout);
    return ok;
}

int
role_run(int argc, char **argv)
{
    static Conversation talk;
    static Options options;
    int status = take_options(argc, argv, &options), failed = 0;
    Job *job;
    Fail fail = {0};

    if (status >= 0)
        return status;
    job = calloc(1, sizeof(*job));
    if (!job)
        return STATUS_FAILED;
    status = STATUS_OK;
    if (!selection_resolve(&options.selection, options.quick, job, &fail))
        status = usage_error("%s", fail.text);
    else if (!options.dir && selection_needs_disk(job, NULL))
        status = usage_error("these workloads need --dir");
    if (status == STATUS_OK) {
        stop_install();
        conversation_alone(&talk);
        if (!perform(&options, job, &talk, &failed, &fail)) {
            fprintf(stderr, "vsweep-payload: %s\n", fail.text);
            status = stop_requested() ? STATUS_INTERRUPTED : STATUS_FAILED;
        } else if (failed) {
            status = STATUS_FAILED;
        }
        conversation_close(&talk);
    }
    free(job);
    return status;
}
