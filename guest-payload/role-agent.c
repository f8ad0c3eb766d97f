/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The agent: the conversation over an inherited descriptor.  vsweep starts it
 * for a host run with one end of a socket pair; in a micro guest process 1
 * starts it with the virtio port and the job it has already received.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest-payload/conversation.h"
#include "guest-payload/engine.h"
#include "guest-payload/facts.h"
#include "guest-payload/job.h"
#include "guest-payload/roles.h"
#include "guest-payload/text.h"

typedef struct Options {
    int fd;
    int job_fd; /* -1: ready is sent and the job received */
    int64_t lines;
    const char *dir;
    bool drop_caches;
    EngineFault fault;
} Options;

static const char help[] =
    "usage: vsweep-payload agent --fd N [--dir DIR]\n\n"
    "  --fd N         descriptor of the conversation with vsweep\n"
    "  --dir DIR      directory to work in (DIR/" WIRE_DISK_WORK ");\n"
    "                 default: the job's\n"
    "for process 1 of a guest, which has spoken already:\n"
    "  --job-fd N     the job, in a file at its beginning\n"
    "  --lines N      lines sent so far\n"
    "  --drop-caches  drop all of this machine's page cache for cold phases\n"
    "  --fault NAME   crash or hang-window in the first window (for tests)\n";

static const struct option long_options[] = {
    {"fd", required_argument, NULL, 'f'},
    {"dir", required_argument, NULL, 'd'},
    {"job-fd", required_argument, NULL, 'j'},
    {"lines", required_argument, NULL, 'l'},
    {"drop-caches", no_argument, NULL, 'c'},
    {"fault", required_argument, NULL, 'x'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool
take_number(const char *text, int64_t max, int64_t *ret)
{
    char *end;

    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno || end == text || *end || number < 0 || number > max)
        return false;
    *ret = number;
    return true;
}

static bool
take_fault(const char *text, EngineFault *ret)
{
    if (strcmp(text, "crash") == 0)
        *ret = FAULT_CRASH;
    else if (strcmp(text, "hang-window") == 0)
        *ret = FAULT_HANG_WINDOW;
    else
        return false;
    return true;
}

/* -1: go on; else the exit status. */
static int
take_options(int argc, char **argv, Options *options)
{
    int option;
    int64_t number;

    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        bool ok = option != '?';
        switch (option) {
        case 'h':
            fputs(help, stdout);
            return STATUS_OK;
        case 'f':
            if ((ok = take_number(optarg, 1 << 20, &number)))
                options->fd = (int) number;
            break;
        case 'j':
            if ((ok = take_number(optarg, 1 << 20, &number)))
                options->job_fd = (int) number;
            break;
        case 'l':
            ok = take_number(optarg, INT32_MAX, &options->lines);
            break;
        case 'd':
            options->dir = optarg;
            break;
        case 'c':
            options->drop_caches = true;
            break;
        case 'x':
            ok = take_fault(optarg, &options->fault);
            break;
        }
        if (!ok)
            return option == '?'
                       ? STATUS_USAGE
                       : usage_error("agent: bad value \"%s\"", optarg);
    }
    if (optind < argc)
        return usage_error("agent: unexpected \"%s\"", argv[optind]);
    if (options->fd < 0)
        return usage_error("agent needs --fd");
    return -1;
}

/* The job that process 1 received. */
static bool
read_job(int fd, char *line, size_t size, Fail *fail)
{
    ssize_t got = pread(fd, line, size - 1, 0);

    if (got < 0)
        return fail_set(fail, errno, "cannot read the job");
    line[got] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static bool
get_job(Conversation *talk, const Options *options, Job *job, Fail *fail)
{
    static char text[WIRE_LINE_MAX + 1];
    char *line = text, blame[64] = "";
    Fail what, ignored;

    if (options->job_fd >= 0) {
        if (!read_job(options->job_fd, text, sizeof(text), fail))
            return false;
    } else if (!conversation_ready(talk, "agent", facts_of_machine(), fail) ||
               !conversation_line(talk, &line, fail)) {
        return false;
    }
    if (job_parse(line, job, blame, &what))
        return true;
    /* Nothing of a job with a mistake in it is run. */
    *fail = what;
    if (conversation_error(talk, blame, &what, &ignored))
        conversation_done(talk, &ignored);
    return false;
}

static bool
converse(Conversation *talk, const Options *options, Job *job, Fail *fail)
{
    char dir[PATH_MAX + sizeof(WIRE_DISK_DIR) + 1] = "";
    Engine engine = {.talk = talk,
                     .dir = dir,
                     .drop_caches = options->drop_caches,
                     .fault = options->fault};
    int failed;

    if (!get_job(talk, options, job, fail))
        return false;
    const char *top = options->dir ? options->dir : job->dir;
    if (top[0])
        snprintf(dir, sizeof(dir), "%.*s/" WIRE_DISK_DIR, PATH_MAX - 1, top);
    /* Process 1 has sent its own note. */
    if (options->job_fd < 0 &&
        !conversation_note(talk, "in effect", facts_in_effect(top), fail))
        return false;
    return engine_run(&engine, job, &failed, fail) &&
           conversation_done(talk, fail);
}

int
role_agent(int argc, char **argv)
{
    static Conversation talk;
    Options options = {.fd = -1, .job_fd = -1};
    Job *job;
    Fail fail = {0};
    int status = take_options(argc, argv, &options);

    if (status >= 0)
        return status;
    job = calloc(1, sizeof(*job));
    if (!job)
        return STATUS_FAILED;
    stop_install();
    conversation_open(&talk, options.fd, options.lines);
    bool ok = converse(&talk, &options, job, &fail);
    conversation_close(&talk);
    free(job);
    if (ok)
        return STATUS_OK;
    if (talk.gone)
        return STATUS_HOST_GONE;
    fprintf(stderr, "vsweep-payload: %s\n", fail.text);
    return STATUS_FAILED;
}
