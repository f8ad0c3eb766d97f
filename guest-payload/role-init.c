/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * init: process 1 of a micro guest.  Says ready, takes the job, puts the
 * guest's settings in effect, and has the payload that libguestfs put on the
 * disk, after checking its digest, run the workloads.  Whatever happens, the
 * end is a clean power-off, unless a test asked for a fault.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest-payload/conversation.h"
#include "guest-payload/facts.h"
#include "guest-payload/fault.h"
#include "guest-payload/guest.h"
#include "guest-payload/job.h"
#include "guest-payload/roles.h"
#include "guest-payload/text.h"

/* The host opens its end before it resumes the guest, so this is only for a
 * person who connects by hand. */
#define HOST_WAIT_MS 30000

#define CMDLINE_MAX 4096

typedef struct Init {
    Conversation *talk;
    const Fault *fault; /* NULL: none */
    Job *job;
    char line[WIRE_LINE_MAX]; /* the job as it came */
    char modules_failed[512];
} Init;

/* Sends what went wrong with the guest itself, and the end. */
static void
report(Conversation *talk, const char *workload, const Fail *what)
{
    Fail ignored;

    guest_say("%s", what->text);
    if (!talk->gone && conversation_error(talk, workload, what, &ignored))
        conversation_done(talk, &ignored);
}

static bool
settings_in_effect(Init *init, Fail *fail)
{
    const JobGuest *guest = &init->job->guest;
    char disk[64], digest[DIGEST_SIZE];

    if (!guest_find_disk(guest, disk, sizeof(disk), fail) ||
        !guest_set_scheduler(disk, guest->scheduler, fail) ||
        !guest_mount_disk(disk, guest, fail) ||
        !guest_take_payload(guest, digest, fail))
        return false;
    json_t *facts = facts_in_effect(GUEST_MOUNT);
    facts_set(facts, "payload_sha256", digest);
    if (init->modules_failed[0])
        facts_set(facts, "modules_failed", init->modules_failed);
    return conversation_note(init->talk, "in effect", facts, fail);
}

/* The job for the agent, in memory. */
static int
job_in_memory(const char *line)
{
    int fd = memfd_create("job", 0);
    size_t size = strlen(line);

    if (fd >= 0 && write(fd, line, size) != (ssize_t) size) {
        close(fd);
        return -1;
    }
    return fd;
}

static void
exec_agent(const Init *init)
{
    char port[16], job[16], lines[32];
    int fd = job_in_memory(init->line);

    snprintf(port, sizeof(port), "%d", init->talk->fd);
    snprintf(job, sizeof(job), "%d", fd);
    snprintf(lines, sizeof(lines), "%lld", (long long) init->talk->lines);
    const char *fault = init->fault ? init->fault->agent : NULL;
    execl(GUEST_PAYLOAD, "vsweep-payload", "agent", "--fd", port, "--job-fd",
          job, "--lines", lines, "--dir", GUEST_MOUNT, "--drop-caches",
          fault ? "--fault" : NULL, fault, NULL);
    guest_say("cannot start " GUEST_PAYLOAD ": %s", strerror(errno));
    _exit(127);
}

/* False when the agent ended otherwise than by doing all of its job or by
 * finding the host gone. */
static bool
run_agent(Init *init, Fail *fail)
{
    pid_t child = fork(), ended;
    int status = 0;

    if (child < 0)
        return fail_set(fail, errno, "cannot fork");
    if (child == 0)
        exec_agent(init);
    do {
        ended = wait(&status);
    } while (ended != child && (ended > 0 || errno == EINTR));
    if (ended != child)
        return fail_set(fail, errno, "lost the agent");
    if (WIFSIGNALED(status))
        return fail_set(fail, 0, "the payload was killed by SIG%s",
                        sigabbrev_np(WTERMSIG(status)));
    if (WEXITSTATUS(status) == STATUS_OK ||
        WEXITSTATUS(status) == STATUS_HOST_GONE)
        return true;
    return fail_set(fail, 0, "the payload ended with status %d",
                    WEXITSTATUS(status));
}

static bool
receive_job(Init *init, Fail *fail)
{
    char *line;

    if (!conversation_ready(init->talk, "init", facts_of_machine(), fail) ||
        !conversation_line(init->talk, &line, fail))
        return false;
    text_copy(init->line, sizeof(init->line), line);
    return true;
}

static void
serve(Init *init)
{
    char blame[64] = "";
    Fail fail = {0}, ignored;

    if (!conversation_wait_host(init->talk, HOST_WAIT_MS)) {
        guest_say("nobody has opened the port " WIRE_PORT);
        return;
    }
    fault_act(init->fault, FAULT_BEFORE_READY, init->talk->fd);
    if (!receive_job(init, &fail)) {
        guest_say("%s", fail.text);
        return;
    }
    fault_act(init->fault, FAULT_AFTER_JOB, init->talk->fd);
    if (!job_parse(init->line, init->job, blame, &fail) ||
        !settings_in_effect(init, &fail)) {
        report(init->talk, blame, &fail);
        return;
    }
    /* How many lines a dead agent sent is not known: no done after this, and
     * its absence tells the host that the results are not whole. */
    if (!run_agent(init, &fail)) {
        guest_say("%s", fail.text);
        conversation_error(init->talk, "", &fail, &ignored);
    }
}

static void
converse(Init *init)
{
    static Conversation talk;
    Fail fail;
    int port = guest_open_port(&fail);

    init->job = calloc(1, sizeof(*init->job));
    if (port < 0 || !init->job) {
        guest_say("%s", port < 0 ? fail.text : "no memory");
        return;
    }
    conversation_open(&talk, port, 0);
    init->talk = &talk;
    serve(init);
}

int
role_init(int argc, char **argv)
{
    static Init init;
    char cmdline[CMDLINE_MAX], value[64];

    (void) argc;
    if (getpid() != 1)
        return usage_error("%s is for process 1 of a guest", argv[0]);
    guest_mount_basics();
    text_read("/proc/cmdline", cmdline, sizeof(cmdline));
    guest_load_modules(init.modules_failed, sizeof(init.modules_failed));
    if (text_word(cmdline, "vsweep.fault", value, sizeof(value)) &&
        !(init.fault = fault_find(value)))
        guest_say("unknown vsweep.fault \"%s\"", value);
    if (text_word(cmdline, "vsweep.shell", value, sizeof(value)))
        guest_shell();
    else
        converse(&init);
    guest_unmount();
    guest_power_off();
}
